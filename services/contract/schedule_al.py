"""Codes of SEC Schedule AL (Regulation AB II, commercial mortgages), each once, with its words.

The words are those of the EDGAR ABS XML Technical Specification of March 2025, section 4.3, in
lower case, with its shorthand written out (DPO is a discounted payoff). Only the codes that a
loan carries as facts of its own stand here; the other code lists of a filing are read and
written out by the importer alone (services/importers/cmbs/codes.toml). The lists stay
open: a code that is not here is kept and shown as it came (D2).
"""

from typing import Final

#: 4.3.10, property type -> the canonical word that filters, rules and pages use. Only "mobile
#: home park" is called otherwise here: manufactured housing, as lenders do today.
PROPERTY_TYPES: Final[dict[str, str]] = {
    "MF": "multifamily",
    "RT": "retail",
    "OF": "office",
    "IN": "industrial",
    "WH": "warehouse",
    "LO": "lodging",
    "HC": "health care",
    "SS": "self storage",
    "MU": "mixed use",
    "MH": "manufactured housing",
    "CH": "cooperative housing",
    "SE": "securities",
    "98": "other",
}
#: In place of a property whose loan is defeased: the Treasuries that pay it.
SECURITIES: Final = "SE"
#: The property type code for "missing information": no type at all.
NO_PROPERTY_TYPE: Final = "ZZ"

#: 4.3.4, which part of a whole loan the record is (D22).
STRUCTURES: Final[dict[str, str]] = {
    "WL": "whole loan",
    "PP": "participation with pari passu debt outside the trust",
    "A1": "A note of an A/B participation",
    "A2": "A note of an A/B/C participation",
    "B1": "B note of an A/B participation",
    "B2": "B note of an A/B/C participation",
    "C2": "C note of an A/B/C participation",
    "MZ": "mezzanine financing",
}
WHOLE_LOAN: Final = "WL"
PARI_PASSU: Final = "PP"
#: A notes of loans that have junior notes too.
SENIOR_NOTES: Final = ("A1", "A2")
#: Those that other notes of the loan are paid before -> their place in the capital stack.
JUNIOR_NOTES: Final[dict[str, str]] = {
    "B1": "junior note",
    "B2": "junior note",
    "C2": "junior note",
    "MZ": "mezzanine",
}

#: 4.3.20, how far behind its payments the loan is.
PAYMENT_STATUSES: Final[dict[str, str]] = {
    "0": "current",
    "A": "payment not received, in grace period or not yet due",
    "B": "late, less than 30 days",
    "1": "30-59 days delinquent",
    "2": "60-89 days delinquent",
    "3": "90 or more days delinquent",
    "4": "performing matured balloon",
    "5": "non-performing matured balloon",
}
#: Payments are 30 days late or more, or the balloon is.
DELINQUENT: Final = frozenset({"1", "2", "3", "5"})

#: 4.3.24, what the special servicer does about the loan.
WORKOUTS: Final[dict[str, str]] = {
    "1": "modification",
    "2": "foreclosure",
    "3": "bankruptcy",
    "4": "extension",
    "5": "note sale",
    "6": "discounted payoff",
    "7": "REO",
    "8": "resolved",
    "9": "pending return to master servicer",
    "10": "deed in lieu of foreclosure",
    "11": "full payoff",
    "12": "representations and warranties",
    "13": "to be determined",
    "98": "other",
}
FORECLOSURE: Final = "2"
REO: Final = "7"
OTHER_WORKOUT: Final = "98"

#: 4.3.5, how principal and interest are paid.
PAYMENT_TYPES: Final[dict[str, str]] = {
    "1": "fully amortizing",
    "2": "amortizing balloon",
    "3": "interest only, balloon",
    "4": "interest only, then amortizing",
    "5": "interest only, then amortizing, balloon",
    "6": "principal only",
    "7": "hyper-amortization",
    "98": "other",
}
#: Payments rise after the anticipated repayment date; what is paid until then, other terms say.
HYPER_AMORTISING: Final = "7"
#: Nothing but interest is due before maturity; types 4 and 5 amortise after some years.
INTEREST_ONLY: Final = "3"

#: 4.3.1, how the days of a month and of a year are counted for interest.
ACCRUAL_METHODS: Final[dict[str, str]] = {
    "1": "30/360",
    "2": "actual/365",
    "3": "actual/360",
    "4": "actual/actual",
    "5": "actual/366",
    "6": "simple",
    "7": "78's",
    "98": "other",
}

#: Property types whose income follows the season, so that a part of a year tells less of the whole.
SEASONAL: Final = frozenset({PROPERTY_TYPES["LO"]})
#: The type that earns no rent: NOI and NCF are what its homes would rent for, less costs.
COOPERATIVE: Final = PROPERTY_TYPES["CH"]

#: 4.3.2, whether the rate may change.
RATE_TYPES: Final[dict[str, str]] = {
    "1": "fixed",
    "2": "adjustable",
    "3": "step",
    "4": "other",
}
#: What a loan of this rate type pays may change without anybody changing its terms.
ADJUSTABLE: Final = "2"

#: 4.3.7, what an adjustable rate follows. K to S came with the end of LIBOR.
RATE_INDEXES: Final[dict[str, str]] = {
    "A": "11th district FHLB cost of funds, 1 month",
    "B": "11th district FHLB cost of funds, 6 months",
    "C": "1-year constant maturity Treasury, weekly average",
    "D": "3-year constant maturity Treasury, weekly average",
    "E": "5-year constant maturity Treasury, weekly average",
    "F": "Wall Street Journal prime rate",
    "G": "1-month LIBOR",
    "H": "3-month LIBOR",
    "I": "6-month LIBOR",
    "J": "national mortgage index rate",
    "K": "30-day average SOFR, compounded in advance",
    "L": "90-day average SOFR, compounded in advance",
    "M": "180-day average SOFR, compounded in advance",
    "N": "30-day average SOFR, compounded in arrears",
    "O": "90-day average SOFR, compounded in arrears",
    "P": "180-day average SOFR, compounded in arrears",
    "Q": "1-month term SOFR",
    "R": "3-month term SOFR",
    "S": "6-month term SOFR",
    "98": "other",
}
#: Those of which the SOFR of a date tells the level: its averages and terms lie near it.
SOFR_INDEXES: Final = frozenset("KLMNOPQRS")

#: 4.3.25, what a modification changed.
MODIFICATION_CODES: Final[dict[str, str]] = {
    "1": "maturity date extension",
    "2": "amortization change",
    "3": "principal write-off",
    "5": "temporary rate reduction",
    "6": "capitalization of interest",
    "7": "capitalization of taxes",
    "8": "combination",
    "10": "forbearance",
    "98": "other",
}
UNSTATED_MODIFICATION: Final = "unstated"
#: And where the filer says that the loan is modified, and not how.
MODIFICATIONS: Final = {**MODIFICATION_CODES, UNSTATED_MODIFICATION: "kind not stated"}
FORBEARANCE: Final = "10"
#: Those that move the maturity date; of a combination it is taken that they do.
EXTENDING: Final = frozenset({"1", "8"})
OTHER_MODIFICATION: Final = "98"

#: 4.3.14, whether Treasuries have taken the place of the property. P is no code of the
#: specification: it is how CREFC's reporting package, which filers draw on, writes IP.
DEFEASANCES: Final[dict[str, str]] = {
    "F": "full defeasance",
    "IP": "portion of loan previously defeased",
    "P": "portion of loan previously defeased",
    "N": "no defeasance occurred",
    "X": "defeasance not allowed",
}
FULL_DEFEASANCE: Final = "F"
NO_DEFEASANCE: Final = "N"
PART_DEFEASANCES: Final = ("IP", "P")
