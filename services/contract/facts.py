"""Every fact of a loan, once: its name, unit and label, where it comes from, where it is shown.

From this table are made the Arrow schema of loans (portfolio.py), the store's `loans` table,
the fill rates, the columns and headers of the export, and the labels and rows of the loan page.
So a new fact is one row here and the code that computes it: in an importer where a source
reports it, in services/signals where it is scored.

The order of the rows is the order of columns everywhere but on the loan page, where `place`
counts within a card. Nothing heavy is imported here, for pages take their labels from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from .schedule_al import (
    ACCRUAL_METHODS,
    DEFEASANCES,
    MODIFICATIONS,
    PAYMENT_STATUSES,
    PAYMENT_TYPES,
    PROPERTY_TYPES,
    RATE_INDEXES,
    RATE_TYPES,
    STRUCTURES,
    WORKOUTS,
)
from .vocabulary import SEVERITIES, STATES, TIERS

#: How a fact is counted, stored and written.
Kind = Literal[
    "dollars",  # whole US dollars (D16)
    "percent",  # a percent figure: 6.055 is 6.055 %
    "fraction",  # 0.92 is 92 %
    "times",  # a ratio: 1.25 is 1.25x
    "basis points",
    "months",  # whole months
    "exact months",  # with days as a part of a month
    "percentile",  # 94 is worse than 94 % of the others
    "area",  # whole square feet
    "date",
    "property type",  # this and the next three: words of open sets (D2)
    "state",
    "severity",
    "tier",
    "code",  # of Schedule AL; `codes` says what each one means
    "series",  # name of a reference rate
    "text",
    "flag",
    "json",
]
#: Who states it: the source's own record, our scoring, or the import that loaded the source.
Origin = Literal["reported", "scored", "import"]
#: Which end of a figure is the bad one for a lender; "" where neither is.
Worse = Literal["", "high", "low"]
#: A card of the loan page: Terms and property, or Performance and refinancing.
Card = Literal["terms", "performance"]

_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "property type": frozenset(PROPERTY_TYPES.values()),
    "state": frozenset(STATES),
    "severity": frozenset(SEVERITIES),
    "tier": frozenset(TIERS),
}
_FIGURES: Final[frozenset[Kind]] = frozenset({
    "dollars", "percent", "fraction", "times", "basis points", "months", "exact months", "area",
    "date", "percentile",
})  # fmt: skip
_UNITS: Final[Mapping[str, str]] = {"dollars": "_usd", "percent": "_pct", "area": "_sqft"}


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a loan; None wherever it is not known, never 0 (D18)."""

    name: str
    kind: Kind
    #: As an analyst writes it.
    label: str
    origin: Origin = "reported"
    #: Place on a card of the loan page, counted in tens; None where it has no row there.
    card: Card | None = None
    place: int = 0
    #: Whether it is a column of every export of loans.
    exported: bool = False
    #: Rests on the refi rate, and so on spreads of a date.
    at_refi_rate: bool = False
    #: When loans lack it, as the end of "missing where ...".
    missing: str = ""
    #: Whether the Sources page does not say how many loans have it, though some lack it.
    uncounted: bool = False
    #: What it is called within a sentence, where that is not its label.
    noun: str = ""
    #: Words of its codes.
    codes: Mapping[str, str] = field(default_factory=dict)
    #: What a zero means, where it is no quantity.
    zero: str = ""
    #: What follows a negative value, which then has no sign: "7 months past maturity".
    below_zero: str = ""
    #: Digits after the point, where they are not those usual for its kind.
    digits: int | None = None
    #: Where more debt is due than is known (`debt_at_least`) a figure is at least or at most that.
    bound: Literal["", "≥", "≤"] = ""
    worse: Worse = ""

    @property
    def header(self) -> str:
        """Its column in a CSV: the name, with the unit where the name does not tell it."""
        return self.name + _UNITS.get(self.kind, "")

    @property
    def counted(self) -> bool:
        """Whether the Sources page says how many loans have it."""
        return bool(self.missing) and not self.uncounted

    @property
    def is_figure(self) -> bool:
        """Whether its values are figures or dates: set to the right, ordered by size."""
        return self.kind in _FIGURES

    @property
    def known(self) -> frozenset[str]:
        """Words and codes with a known rank or meaning (D2); empty where any text will do."""
        return frozenset(self.codes) or _WORDS.get(self.kind, frozenset())

    @property
    def in_a_sentence(self) -> str:
        """Its label within a sentence: "book value", "DSCR"."""
        if self.noun or self.label[1:2].isupper():
            return self.noun or self.label
        return self.label[:1].lower() + self.label[1:]


_NONE: Final = "the source states none"
_SILENT: Final = "the source does not say"
_FIXED: Final = "the rate is fixed"
_NOT_SIZED: Final = "nobody refinances it, or income, schedule or refi rate is not known"
_NO_DEBT: Final = "the whole loan's debt is not known, or it is defeased in full"

FACTS: Final = (
    # The specification's own fields (spec 2.2).
    Fact("loan_number", "text", "Loan", exported=True),
    Fact("book_value", "dollars", "Book value", card="terms", place=20, exported=True,
         missing="the source states no balance"),
    Fact("interest_rate", "percent", "Coupon", digits=3, card="terms", place=40, exported=True,
         missing="the source states no rate, or a rate of 0"),
    Fact("property_type", "property type", "Property type", card="terms", place=140,
         exported=True, missing="the source gives none"),
    # City and state are those of the most valuable property (D21).
    Fact("property_city", "text", "City", card="terms", place=120, exported=True,
         missing='no property has one, or the source writes "various"'),
    # As the source codes it, upper case; other countries occur (D10).
    Fact("property_state", "state", "State", card="terms", place=130, exported=True,
         missing='no property has one, or the source writes "various"'),
    Fact("lender_normalized", "text", "Lender", card="terms", place=10, exported=True,
         missing="the source names neither lender nor originator"),
    Fact("origination_date", "date", "Originated", card="terms", place=50, exported=True,
         missing="the source does not date the loan"),
    Fact("maturity_date", "date", "Legal maturity", noun="maturity date", card="terms", place=60,
         exported=True, missing="the source states no maturity"),
    Fact("rate_pressure", "severity", "Rate pressure", "scored", card="performance", place=200,
         worse="high", exported=True, at_refi_rate=True,
         missing="coupon or property type is not known, or nothing is owed"),
    Fact("confidence_tier", "tier", "Ownership chain", card="performance", place=210,
         exported=True, missing="no ownership chain is resolved"),
    # Further fields that sources report (D17).
    Fact("property_name", "text", "Property", card="terms", place=100,
         missing="the source names no property"),
    Fact("address", "text", "Address", card="terms", place=110, missing="the source gives none"),
    Fact("original_amount", "dollars", "Original amount", card="terms", place=30, missing=_NONE),
    Fact("original_term_months", "months", "Original term", card="terms", place=70, missing=_NONE),
    Fact("amortization_months", "months", "Amortisation", zero="interest only", card="terms",
         place=80, missing=_NONE),
    # How the loan pays, and by what its interest is reckoned.
    Fact("payment_type", "code", "Payment type", codes=PAYMENT_TYPES, card="terms", place=75,
         missing=_NONE),
    Fact("interest_only_months", "months", "Interest-only period", zero="none", card="terms",
         place=78, missing=_NONE),
    Fact("accrual_method", "code", "Day count", codes=ACCRUAL_METHODS, card="terms", place=82,
         missing=_NONE),
    Fact("first_payment_date", "date", "First payment", card="terms", place=55,
         missing="the source does not date it"),
    # Principal and interest of a month, as filed; 0 is not stated.
    Fact("monthly_payment", "dollars", "Monthly payment", card="terms", place=84,
         missing="the source states none, or 0"),
    # Stated by the source; where the payment is under the interest, the balance grows.
    Fact("negative_amortisation", "flag", "Negative amortisation", card="terms", place=85,
         missing=_SILENT),
    Fact("ard_date", "date", "Anticipated repayment date", card="terms", place=65,
         missing="the loan has none"),
    Fact("balloon", "flag", "Balloon at maturity", card="terms", place=86, missing=_SILENT),
    Fact("rate_type", "code", "Rate type", codes=RATE_TYPES, card="terms", place=42, missing=_NONE),
    Fact("rate_index", "code", "Rate index", codes=RATE_INDEXES, card="terms", place=44,
         missing=_FIXED),
    Fact("rate_margin", "percent", "Margin over the index", card="terms", place=45, missing=_FIXED),
    Fact("rate_cap", "percent", "Rate cap", card="terms", place=46,
         missing="the rate is fixed, or has no cap"),
    Fact("rate_floor", "percent", "Rate floor", card="terms", place=47,
         missing="the rate is fixed, or has no floor"),
    # Of a cap that the borrower has bought: it holds the index, not the whole rate.
    Fact("cap_strike", "percent", "Strike of the bought cap", card="terms", place=48,
         missing="the borrower has bought no cap, or the source does not say"),
    Fact("cap_expires", "date", "Bought cap expires", card="terms", place=49,
         missing="the borrower has bought no cap, or the source does not say"),
    Fact("rentable_area", "area", "Rentable area", card="terms", place=145,
         missing="not every property states one, as where units are counted"),
    # Value and income are those of all properties of the whole loan (D22). NOI and NCF are those of
    # a year, of the latest filed period where there is one, else as underwritten (D52).
    Fact("value", "dollars", "Appraised value", card="performance", place=10,
         missing="not every property has a valuation"),
    # The day of that value, and the value when the loan was securitised.
    Fact("value_date", "date", "Valued on", noun="date of the value", card="performance", place=12,
         missing="no value is known, or its date is not stated"),
    Fact("underwritten_value", "dollars", "Value when underwritten", card="performance", place=14,
         missing="not every property had a valuation"),
    Fact("noi", "dollars", "NOI, a year", noun="NOI", card="performance", place=30,
         missing="not every property has a statement"),
    Fact("ncf", "dollars", "Net cash flow, a year", card="performance", place=40,
         missing="not every property has a statement, or only NOI is reported"),
    # On net cash flow where that is reported, else on NOI; `income_basis` says which.
    Fact("dscr", "times", "DSCR", worse="low", card="performance", place=58,
         missing="the source states none for the whole loan"),
    Fact("income_basis", "text", "Income and DSCR from", card="performance", place=50),
    # First and last day of the period; None where the figures are the underwritten ones.
    Fact("income_from", "date", "Income period from", card="performance", place=52,
         missing="no period is filed since underwriting"),
    Fact("income_to", "date", "Income period to", card="performance", place=54,
         missing="no period is filed since underwriting"),
    # On all notes that the statement speaks of, a year's.
    Fact("filed_debt_service", "dollars", "Debt service as filed, a year", card="performance",
         place=72, missing="no period is filed since underwriting"),
    Fact("underwritten_noi", "dollars", "NOI when underwritten", card="performance", place=62,
         missing="not every property has a figure"),
    Fact("underwritten_ncf", "dollars", "Net cash flow when underwritten", card="performance",
         place=64, missing="not every property has a figure"),
    Fact("underwritten_dscr", "times", "DSCR when underwritten", card="performance", place=66,
         missing="the source states none for the whole loan"),
    Fact("occupancy", "fraction", "Occupancy", worse="low", card="performance", place=20,
         missing="the source states none, or 0, for the whole loan"),
    Fact("underwritten_occupancy", "fraction", "Occupancy when underwritten", card="performance",
         place=25, exported=True, missing="the source states none, or 0, for the whole loan"),
    Fact("payment_status", "code", "Payment status", codes=PAYMENT_STATUSES,
         card="performance", place=130, missing=_NONE),
    # To which day payments were made, and what servicers have advanced since.
    Fact("paid_through", "date", "Paid through", card="performance", place=131),
    Fact("scheduled_balance", "dollars", "Scheduled balance", card="performance", place=132),
    Fact("payment_advances", "dollars", "Principal and interest advances", card="performance",
         place=133, zero="none"),
    Fact("tax_advances", "dollars", "Tax and insurance advances", card="performance",
         place=134, zero="none"),
    Fact("other_advances", "dollars", "Other advances", card="performance", place=135, zero="none"),
    Fact("workout", "code", "Workout strategy", codes=WORKOUTS, card="performance", place=140,
         missing="the loan is not in workout"),
    Fact("special_servicing_since", "date", "Transferred to special servicing", card="performance",
         place=142, missing="the loan was never in special servicing"),
    Fact("special_servicing_returned", "date", "Returned from special servicing",
         card="performance", place=143, missing="the loan never returned from special servicing"),
    Fact("modification", "code", "Modification", codes=MODIFICATIONS, card="performance",
         place=144, missing="the loan was not modified"),
    Fact("modified_on", "date", "Modified on", noun="date of the modification",
         card="performance", place=145, missing="the loan was not modified"),
    Fact("defeasance", "code", "Defeasance", codes=DEFEASANCES, card="performance", place=146,
         missing=_SILENT),
    # The servicer's watchlist; its comment stands in a panel of its own, with its date.
    Fact("watchlist_since", "date", "On the servicer's watchlist since",
         noun="date on the watchlist", card="performance", place=147, exported=True,
         missing="the loan is not on the watchlist, or the source does not say"),
    Fact("watchlist_triggers", "text", "Servicer's triggers", card="performance", place=148,
         exported=True, missing="the loan is not on the watchlist, or the source does not say"),
    Fact("watchlist_comment", "text", "Servicer's comment", exported=True,
         missing="the servicer wrote none, or the source does not carry it"),
    Fact("watchlist_as_of", "date", "Servicer's comment of", exported=True),
    # How the loan stands, or how it ended (disposition.py); the rest is of loans that ended.
    Fact("disposition", "text", "Disposition", card="performance", place=122,
         missing="the source states no balance"),
    Fact("disposition_date", "date", "Ended on", card="performance", place=123,
         missing="the loan has not ended, or the source does not date it"),
    Fact("realized_loss", "dollars", "Realized loss", card="performance", place=124, missing=_NONE),
    Fact("owed_before", "dollars", "Owed before it ended", card="performance", place=125,
         missing="the loan has not ended, or it did before this report"),
    Fact("loss_of_owed", "fraction", "Loss of what was owed", card="performance", place=126,
         worse="high", missing="no loss is stated, or not what was owed before"),
    Fact("loss_of_original", "fraction", "Loss of the original amount", card="performance",
         place=127, missing="no loss or no original amount is stated"),
    Fact("principal_received", "dollars", "Principal received at the end", card="performance",
         place=128, missing="the loan has not ended, or it did before this report"),
    # What an earlier filing says of a loan that ended, and the newest one no longer (D182).
    Fact("ending_as_of", "date", "Ending as filed for", card="performance", place=129,
         uncounted=True, missing="the newest filing says it itself, or no earlier one is kept"),
    Fact("last_value", "dollars", "Last appraisal before it ended", card="performance", place=13,
         uncounted=True, missing="the newest filing states it, or no earlier one is kept"),
    Fact("last_value_date", "date", "Last appraised on", card="performance", place=15,
         uncounted=True, missing="the newest filing states it, or no earlier one is kept"),
    Fact("structure", "code", "Loan structure", codes=STRUCTURES, card="terms", place=90,
         missing=_NONE),
    Fact("multi_state", "flag", "Properties in several states", card="terms", place=150),
    # Every other value that the source's rules name, as an object.
    Fact("further", "json", "Further fields"),
    # Scored as of the snapshot (services/signals).
    Fact("reference_series", "series", "Reference rate", "scored", card="performance", place=150),
    Fact("refi_rate", "percent", "Refi rate today", "scored", noun="refi rate", card="performance",
         place=160, missing="the property type is not known", at_refi_rate=True),
    Fact("spreads_of", "date", "Spreads of", "scored", card="performance", place=162),
    # Where they are more than 18 months from the as-of date.
    Fact("spreads_months_off", "months", "Spreads off the as-of date by", "scored",
         card="performance", place=163),
    Fact("rate_gap_bp", "basis points", "Gap to the coupon", "scored", card="performance",
         worse="high", place=170, at_refi_rate=True),
    Fact("effective_maturity", "date", "Matures", "scored", noun="effective maturity",
         card="terms", place=59, missing="the source states no maturity"),
    Fact("months_to_maturity", "exact months", "To effective maturity", "scored",
         card="performance", place=180, below_zero="past maturity"),
    Fact("exemption", "text", "Not refinanced", "scored", card="performance", place=182),
    Fact("special_servicing", "flag", "In special servicing", "scored", card="performance",
         place=141),
    # Codes of watch_triggers.py: those that hold, and those that what is filed cannot tell (D283).
    Fact("computed_triggers", "text", "Computed triggers", "scored", card="performance", place=149,
         exported=True, missing="none of the triggers that can be tested holds"),
    Fact("untested_triggers", "text", "Triggers not testable", "scored", exported=True),
    # Of a loan that has several records here, the number of the one that stands for it; and whether
    # that record's amounts are the sum of the others', so that they count in none (D151, D152).
    Fact("whole_loan", "text", "Record of the loan", "scored", card="terms", place=92,
         exported=True),
    Fact("sums_notes", "flag", "Sum of its notes", "scored", card="terms", place=94, exported=True),
    Fact("whole_loan_debt", "dollars", "Whole-loan debt", "scored", card="performance",
         bound="≥", place=100),
    Fact("whole_loan_basis", "text", "Whole-loan debt is", "scored", card="performance", place=110),
    # With mezzanine debt of the same maturity; what LTV and gap are of (D154).
    Fact("debt_due", "dollars", "Debt due with the loan", "scored", card="performance",
         bound="≥", place=112),
    # Scheduled balance and advances: what LTV is of where the loan is 30 days late or more, in
    # special servicing or REO; the next three are of such loans alone (D276).
    Fact("exposure", "dollars", "Exposure", "scored", card="performance", place=136,
         missing="the source does not say what was advanced"),
    Fact("months_unpaid", "months", "Unpaid for", "scored", worse="high", card="performance",
         place=137),
    Fact("computed_reduction", "dollars", "Computed reduction", "scored",
         worse="high", card="performance", place=138, zero="none"),
    Fact("expected_loss", "dollars", "Expected loss", "scored", worse="high",
         card="performance", place=139, zero="none"),
    # Then LTV and gap are "at least", coverage and debt yield "at most" (D153).
    Fact("debt_at_least", "flag", "More debt than is known", "scored", card="performance",
         place=114, exported=True),
    Fact("partial_note", "flag", "Note of a larger loan", "scored", card="performance", place=120),
    Fact("ltv", "fraction", "LTV", "scored", worse="high", card="performance", bound="≥", place=80,
         missing=f"the value or {_NO_DEBT}"),
    Fact("debt_yield", "percent", "Debt yield", "scored", card="performance", bound="≤", place=90,
         worse="low", missing=f"NOI or {_NO_DEBT}"),
    Fact("own_debt_service", "dollars", "Debt service by its terms, a year", "scored",
         card="performance", place=70, missing="coupon or amortisation is not known"),
    # Three of loans that owe, are not defeased in full and not REO (D285). The first is of the
    # property: of income in place, down to a DSCR of 1.00x.
    Fact("noi_room", "fraction", "Room for NOI to fall", "scored", worse="low", place=60,
         card="performance", below_zero="short of 1.00x",
         missing="NOI or DSCR in place is not known, or the income is imputed"),
    Fact("underwritten_markup", "fraction", "Underwriting mark-up", "scored", worse="high",
         card="performance", place=63, missing="the latest filed period ended after origination"),
    Fact("filed_over_implied", "times", "Filed over implied", "scored", place=74,
         card="performance", missing="debt service or debt is not known, or the rate floats"),
    Fact("balance_at_maturity", "dollars", "Balance at maturity", "scored", card="performance",
         place=184, missing="the schedule to maturity is not known"),
    Fact("refi_convention", "text", "Refinanced as", "scored", card="performance", place=186),
    Fact("refi_debt_service", "dollars", "Debt service at the refi rate, a year", "scored",
         card="performance", bound="≥", place=188, at_refi_rate=True),
    Fact("proforma_dscr", "times", "DSCR at the refi rate", "scored", card="performance",
         worse="low", bound="≤", place=190, missing=_NOT_SIZED, at_refi_rate=True),
    Fact("payment_shock", "fraction", "Payment shock", "scored", worse="high", card="performance",
         place=192, at_refi_rate=True),
    Fact("max_proceeds", "dollars", "New proceeds at most", "scored", card="performance", place=194,
         missing="nobody refinances it, or NOI or refi rate is not known", at_refi_rate=True),
    Fact("binding_constraint", "text", "Proceeds bound by", "scored", card="performance",
         place=195, at_refi_rate=True),
    Fact("refinance_gap", "fraction", "Refinance gap", "scored", worse="high", card="performance",
         bound="≥", place=196, missing=_NOT_SIZED, at_refi_rate=True),
    Fact("dollars_short", "dollars", "Short at refinance", "scored", card="performance", place=197,
         worse="high", bound="≥", exported=True, missing=_NOT_SIZED, at_refi_rate=True),
    # By rank: what is paid before the record is repaid first.
    Fact("own_dollars_short", "dollars", "Of which on this loan itself", "scored", place=198,
         noun="the loan's own share of what is short", card="performance", at_refi_rate=True),
    Fact("sponsor_share", "fraction", "Its sponsor's share of the book", "scored",
         card="performance", place=199),
    Fact("as_of", "date", "As of", "import", exported=True),
    Fact("source", "text", "Source", "import", exported=True),
    Fact("provenance", "text", "Provenance", "import", exported=True),
)  # fmt: skip


def by_name(*facts: Fact) -> Mapping[str, Fact]:
    """Facts by their names, in their order."""
    return {fact.name: fact for fact in facts}


FACT: Final = by_name(*FACTS)
#: Those that are bounds where more debt is due than is known.
BOUNDED: Final = frozenset(fact.name for fact in FACTS if fact.bound)


def on_card(card: Card) -> list[Fact]:
    """The facts of one card of the loan page, top to bottom."""
    return sorted((fact for fact in FACTS if fact.card == card), key=lambda fact: fact.place)
