"""What each code of an Exhibit 102 means, and how each element reads: typed from the EDGAR ABS XML
Technical Specification of March 2025, section 4.3, and from the names of the elements.
"""

import re
import tomllib
from collections import Counter

import pytest

from services.contract import schedule_al
from services.importers.base import Row, load_rules
from services.importers.cmbs.property import further_facts
from services.importers.sec_absee.source import filing_rules

FREQUENCY = {
    "1": "monthly",
    "3": "quarterly",
    "6": "semi-annually",
    "12": "annually",
    "365": "daily",
}
VALUE_SOURCE = {
    "BPO": "broker price opinion",
    "MAI": "certified MAI appraisal",
    "MS": "master servicer estimate",
    "Non-MAI": "non-certified MAI appraisal",
    "SS": "special servicer estimate",
    "98": "other",
}
INCOME_METHOD = {
    "CREFC": "CREFC standard",
    "CMSA": "CMSA standard",  # as CREFC was called until 2010
    "PSA": "definition of the pooling and servicing agreement",
    "UW": "underwriting method",
}
STATEMENTS = {
    "A": "average: some statements missing, debt service allocated to the rest",
    "C": "consolidated: all properties on one statement",
    "F": "full: all statements collected",
    "N": "none collected",
    "P": "partial: some statements missing",
    "W": "worst case: some statements missing, full debt service on the rest",
}
CODES = {
    "interestAccrualMethodCode": {
        "1": "30/360",
        "2": "actual/365",
        "3": "actual/360",
        "4": "actual/actual",
        "5": "actual/366",
        "6": "simple",
        "7": "78's",
        "98": "other",
    },
    "originalInterestRateTypeCode": {"1": "fixed", "2": "adjustable", "3": "step", "4": "other"},
    "lienPositionSecuritizationCode": {
        "1": "primary",
        "2": "secondary",
        "3": "tertiary or lower",
        "98": "other",
        "99": "unknown",
    },
    "loanStructureCode": {
        "WL": "whole loan",
        "PP": "participation with pari passu debt outside the trust",
        "A1": "A note of an A/B participation",
        "A2": "A note of an A/B/C participation",
        "B1": "B note of an A/B participation",
        "B2": "B note of an A/B/C participation",
        "C2": "C note of an A/B/C participation",
        "MZ": "mezzanine financing",
    },
    "paymentTypeCode": {
        "1": "fully amortizing",
        "2": "amortizing balloon",
        "3": "interest only, balloon",
        "4": "interest only, then amortizing",
        "5": "interest only, then amortizing, balloon",
        "6": "principal only",
        "7": "hyper-amortization",
        "98": "other",
    },
    "paymentFrequencyCode": FREQUENCY,
    "rateResetFrequencyCode": FREQUENCY,
    "paymentResetFrequencyCode": FREQUENCY,
    "armIndexCode": {
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
    },
    "servicingAdvanceMethodCode": {
        "1": "scheduled interest, scheduled principal",
        "2": "actual interest, actual principal",
        "3": "scheduled interest, actual principal",
        "98": "other",
        "99": "unknown",
    },
    "paymentStatusLoanCode": {
        "0": "current",
        "A": "payment not received, in grace period or not yet due",
        "B": "late, less than 30 days",
        "1": "30-59 days delinquent",
        "2": "60-89 days delinquent",
        "3": "90 or more days delinquent",
        "4": "performing matured balloon",
        "5": "non-performing matured balloon",
    },
    "assetSubjectDemandStatusCode": {
        "0": "repurchase or replacement pending",
        "1": "repurchased or replaced",
        "2": "demand in dispute",
        "3": "demand withdrawn",
        "4": "demand rejected",
    },
    "repurchaseReplacementReasonCode": {
        "1": "fraud",
        "2": "early payment default",
        "3": "other recourse obligation",
        "4": "breach of representations or warranties",
        "5": "servicer breach",
        "98": "other",
        "99": "unknown",
    },
    "liquidationPrepaymentCode": {
        "1": "partial liquidation (curtailment)",
        "2": "payoff prior to maturity",
        "3": "disposition or liquidation",
        "4": "repurchase or substitution",
        "5": "full payoff at maturity",
        "6": "discounted payoff",
        "7": "liquidated before 1 July 2006",
        "8": "payoff with penalty",
        "9": "payoff with yield maintenance",
        "10": "curtailment with penalty",
        "11": "curtailment with yield maintenance",
    },
    "workoutStrategyCode": {
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
    },
    "modificationCode": {
        "1": "maturity date extension",
        "2": "amortization change",
        "3": "principal write-off",
        "5": "temporary rate reduction",
        "6": "capitalization of interest",
        "7": "capitalization of taxes",
        "8": "combination",
        "10": "forbearance",
        "98": "other",
    },
    "valuationSourceSecuritizationCode": VALUE_SOURCE,
    "mostRecentValuationSourceCode": VALUE_SOURCE,
    "propertyStatusCode": {
        "1": "in foreclosure",
        "2": "REO",
        "3": "defeased",
        "4": "partial release",
        "5": "substituted",
        "6": "same as at securitization",
    },
    "DefeasedStatusCode": {
        "F": "full defeasance",
        "IP": "portion of loan previously defeased",
        "P": "portion of loan previously defeased",  # as CREFC's reporting package writes IP
        "N": "no defeasance occurred",
        "X": "defeasance not allowed",
    },
    "netOperatingIncomeNetCashFlowSecuritizationCode": INCOME_METHOD,
    "netOperatingIncomeNetCashFlowCode": INCOME_METHOD,
    "debtServiceCoverageSecuritizationCode": STATEMENTS,
    "mostRecentDebtServiceCoverageCode": STATEMENTS,
}
PROPERTY_TYPES = {
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

RULES = filing_rules()
FIELDS = {name: field for group in RULES.fields.values() for name, field in group.items()}


def test_every_list_of_codes_reads_as_the_specification_says():
    assert {name: field.codes for name, field in FIELDS.items() if field.codes} == CODES
    assert PROPERTY_TYPES == schedule_al.PROPERTY_TYPES


def test_the_codes_with_a_meaning_of_their_own_are_in_their_lists():
    assert schedule_al.WORKOUTS[schedule_al.FORECLOSURE] == "foreclosure"
    assert schedule_al.WORKOUTS[schedule_al.REO] == "REO"
    assert schedule_al.WORKOUTS[schedule_al.OTHER_WORKOUT] == "other"
    assert {*schedule_al.SENIOR_NOTES, *schedule_al.JUNIOR_NOTES} < set(schedule_al.STRUCTURES)
    assert schedule_al.NO_PROPERTY_TYPE == "ZZ" not in schedule_al.PROPERTY_TYPES


@pytest.mark.parametrize("element", CODES)
def test_a_filed_code_is_kept_in_words_and_an_unknown_one_as_it_came(element):
    group = next(fields for fields in RULES.fields.values() if element in fields)
    field = group[element]
    for code, words in {**CODES[element], "Z9": "Z9"}.items():
        facts = Row("asset 1", {element: [code]}).facts(group, Counter())
        expected = [words] if field.many else words
        assert further_facts(facts, group) == {field.key: expected}


#: How an element reads, by the end of its name.
UNITS = {
    "Amount": {"amount", "balance"},
    "Percentage": {"rate", "share", "number"},
    "percentage": {"rate", "share", "number"},
    "Percent": {"number"},
    "Date": {"date"},
    "Indicator": {"flag"},
    "Code": {"code"},
    "Name": {"text"},
    "Number": {"count"},
}
#: Elements whose names do not tell, or tell otherwise.
OTHER_UNITS = {
    "assetNumber": "text",
    "GroupID": "text",
    "armMarginNumber": "number",
    "NumberProperties": "count",
    "NumberPropertiesSecuritization": "count",
    "postModificationAmortizationPeriodAmount": "number",  # months, in spite of its name
    "propertyAddress": "text",
    "propertyCity": "text",
    "propertyState": "text",
    "propertyZip": "text",
    "propertyCounty": "text",
    "largestTenant": "text",
    "secondLargestTenant": "text",
    "thirdLargestTenant": "text",
    "yearLastRenovated": "count",
}
#: Of what is called a percentage: ratios and limits that filers write in their own way, and
#: fractions of space. All others are rates.
RATIOS = re.compile(r"debtServiceCoverage|DebtServiceCoverage|NegativeAmortization")
SHARES = re.compile(r"physicalOccupancy|PhysicalOccupancy")


@pytest.mark.parametrize("element", FIELDS)
def test_an_element_reads_as_its_name_says(element):
    unit = FIELDS[element].unit
    if element in OTHER_UNITS:
        assert unit == OTHER_UNITS[element]
        return
    assert unit in next(units for ending, units in UNITS.items() if element.endswith(ending))
    if element.lower().endswith("percentage"):
        named = "number" if RATIOS.search(element) else "rate"
        assert unit == ("share" if SHARES.search(element) else named)


def test_amounts_that_cannot_be_negative_are_values_and_balances():
    owed = r"LoanAmount|BalanceSecuritization|PeriodEnd\w+BalanceAmount|[vV]aluation\w*Amount"
    balances = {name for name, field in FIELDS.items() if field.unit == "balance"}
    assert balances == {
        name for name in FIELDS if name.endswith("Amount") and re.search(owed, name)
    }


# D274
def test_identities_dates_balances_and_rates_must_read_or_the_record_is_rejected():
    strict = {name for name, field in FIELDS.items() if field.strict}
    assert strict == {
        *("assetNumber", "reportingPeriodEndDate", "originationDate", "originalLoanAmount"),
        *("maturityDate", "scheduledPrincipalBalanceSecuritizationAmount"),
        *("originalInterestRatePercentage", "interestRateSecuritizationPercentage"),
        *("reportPeriodInterestRatePercentage", "reportPeriodEndActualBalanceAmount"),
        *("reportPeriodEndScheduledLoanBalanceAmount", "postModificationInterestPercentage"),
        *("postModificationMaturityDate", "mostRecentFinancialsStartDate"),
        "mostRecentFinancialsEndDate",
    }


def test_only_lists_of_the_schema_repeat_and_only_columns_are_left_out_of_the_further_facts():
    many = {name for name, field in FIELDS.items() if field.many}
    assert many == {
        "repurchaseReplacementReasonCode",
        "workoutStrategyCode",
        "modificationCode",
    }
    columns = {name for name, field in FIELDS.items() if field.column}
    assert columns == {
        *("assetNumber", "originationDate", "originalTermLoanNumber"),
        *("propertyName", "propertyAddress", "propertyCity", "propertyState", "propertyZip"),
        *("propertyCounty", "propertyTypeCode", "balloonIndicator", "hyperAmortizingDate"),
        *("originalInterestOnlyTermNumber", "firstLoanPaymentDueDate", "lastModificationDate"),
        *("lifetimeRateCapPercentage", "lifetimeRateFloorPercentage"),
        *("paidThroughDate", "totalPrincipalInterestAdvancedOutstandingAmount"),
        *("totalTaxesInsuranceAdvancesOutstandingAmount", "otherExpensesAdvancedOutstandingAmount"),
        *("mostRecentSpecialServicerTransferDate", "mostRecentMasterServicerReturnDate"),
        "realizedLossToTrustAmount",
    }
    assert set(RULES.ignored) == {"assetTypeNumber"}


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ('x = { key = "x", unit = "metres" }', "no such unit: metres"),
        ('x = { key = "x", unit = "code", codes = "none" }', "no such code list: none"),
    ],
)
def test_a_rule_that_names_what_is_not_there_is_an_error(tmp_path, rule, reason):
    path = tmp_path / "rules.toml"
    path.write_text(f"[loan]\n{rule}\n", encoding="utf-8")
    tomllib.loads(path.read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match=reason):
        load_rules(path, ("loan",))


def test_a_list_of_codes_stands_in_one_place(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text('[loan]\n[codes.workout]\n2 = "foreclosure"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="given twice: workout"):
        load_rules(path, ("loan",), {"workout": {"2": "foreclosure"}})
