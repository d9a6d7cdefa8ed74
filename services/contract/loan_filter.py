"""Loans by the specification's conditions and by those that only a snapshot can apply (D33)."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from .columns import ORDERS
from .queries import (
    Day,
    Dollars,
    Exact,
    LoanQuery,
    Lower,
    Number,
    Query,
    Several,
    State,
    Word,
    YesNo,
    as_specified,
    listed,
    only_specified,
)
from .scope import Scoped
from .vocabulary import SEVERITIES
from .watch_triggers import BETWEEN, Trigger

#: Loan numbers of one set, as many as fit in a spreadsheet column that somebody pastes.
MOST_NUMBERS: Final = 20_000
#: Letters of one of them.
LONGEST_NUMBER: Final = 200
_BOUND: Final = 10**9
#: Months that a loan may have until it matures, of those that can be asked for.
MOST_MONTHS: Final = 360


def _order(value: str) -> str:
    if value.removeprefix("-") not in ORDERS:
        raise ValueError("must be the name of a column, with - before it for the largest first")
    return value


Order = Annotated[str, Field(max_length=60), AfterValidator(_order)]
Figure = Annotated[Number, Field(ge=-_BOUND, le=_BOUND)]
_Trigger = Annotated[Trigger, BeforeValidator(lambda code: str(code).upper())]
_Number = Annotated[Exact, Field(max_length=LONGEST_NUMBER)]


class LoanFilter(Query):
    """Which loans, in which order. Null in a condition's column matches no bound.

    Figures are as a reader types them: percent for rates and parts of a whole, basis points for the
    gap, "x" for DSCR and the like. Bounds count in; dates do not (D8).
    """

    state: Several[State] | None = None
    city: Several[Lower] | None = None
    property_type: Several[Lower] | None = None
    #: Of any debt layer (D9).
    lender: Word | None = None
    #: Every word of it is in the name of the borrower, of the sponsor, or of the owner.
    party: Word | None = None
    #: The sponsor and the loan's own lender, by their exact names.
    sponsor: Exact | None = None
    lender_of_loan: Exact | None = None
    #: The records of one loan (D151), by the number of the one that stands for it.
    whole_loan: Exact | None = None
    #: The sponsor or owner at the head of a family of loans (D58), by its exact name.
    family: Exact | None = None
    #: A part of the loan number or of the name of the property.
    find: Word | None = None
    min_balance: Dollars | None = None
    max_balance: Dollars | None = None
    #: Of the legal maturity, as the API has it.
    maturity_after: Day | None = None
    maturity_before: Day | None = None
    #: Of the effective maturity, of loans that must be refinanced (contract/maturities.py).
    due_after: Day | None = None
    due_before: Day | None = None
    #: The same from the as-of date on, that many months later counting in (D98): it moves with
    #: the data.
    matures_within: Annotated[int, Field(ge=1, le=MOST_MONTHS)] | None = None
    #: A tenant with every word of it in the name (in quotes: of exactly this name), and a lease
    #: that ends from the as-of date on, up to so many months later. One lease has to meet both;
    #: loans that owe nothing have none (contract/tenants.py).
    tenant: Word | None = None
    leases_within: Annotated[int, Field(ge=1, le=MOST_MONTHS)] | None = None
    originated_after: Day | None = None
    originated_before: Day | None = None
    rate_pressure: Several[Lower] | None = None
    #: Of the loan's worst signal; a word of UNGRADED for loans without one (D278).
    severity: Several[Lower] | None = None
    #: That fired on the loan.
    rule: Several[Word] | None = None
    #: Watchlist triggers (watch_triggers.py) that hold, and that what is filed cannot tell.
    trigger: Several[_Trigger] | None = None
    untested_trigger: Several[_Trigger] | None = None
    confidence_tier: Several[Lower] | None = None
    payment_status: Several[Word] | None = None
    #: "No" is every loan that is not known to be.
    special_servicing: YesNo | None = None
    #: How it stands or ended, a word of DISPOSITIONS.
    disposition: Several[Lower] | None = None
    #: In full. "No" is every loan that is not known to be.
    defeased: YesNo | None = None
    min_coupon: Figure | None = None
    max_coupon: Figure | None = None
    min_gap: Figure | None = None
    max_gap: Figure | None = None
    min_dscr: Figure | None = None
    max_dscr: Figure | None = None
    min_ltv: Figure | None = None
    max_ltv: Figure | None = None
    min_debt_yield: Figure | None = None
    max_debt_yield: Figure | None = None
    min_occupancy: Figure | None = None
    max_occupancy: Figure | None = None
    #: How far NOI may fall, underwritten over trailing NOI, and debt service filed over implied.
    min_noi_room: Figure | None = None
    max_noi_room: Figure | None = None
    min_markup: Figure | None = None
    max_markup: Figure | None = None
    min_over_implied: Figure | None = None
    max_over_implied: Figure | None = None
    #: Dollars short at refinance.
    min_short: Dollars | None = None
    #: These loans and no others.
    numbers: (
        Annotated[tuple[_Number, ...], BeforeValidator(listed), Field(max_length=MOST_NUMBERS)]
        | None
    ) = None
    #: The loans that pages are about: a book of the reader's own, or a saved set.
    scope: Scoped | None = None
    #: A column of contract/columns.py, nulls last either way. Without it by the letters of the loan
    #: number, as the API has it; "loan_number" counts its digits as figures, 2 before 10.
    order: Order | None = None

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "order"})

    @property
    def within_specification(self) -> LoanQuery | None:
        """The same question to the API; None when it has what the API lacks."""
        return None if self.order else only_specified(self, LoanQuery)

    def specified(self) -> LoanQuery:
        """Its part that the specification knows."""
        return as_specified(self, LoanQuery)

    def without(self, *names: str) -> "LoanFilter":
        """The same without some of its conditions."""
        return self.model_copy(update=dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class Condition:
    """What a field of LoanFilter asks of one column."""

    column: str
    test: Literal["among", "at least", "at most", "after", "before"]
    #: What the column's figure is multiplied by to be as a reader types it.
    scale: float = 1
    #: Whether capital letters count in its words.
    exact: bool = True
    #: What the column's words are divided by where each is a list.
    between: str = ""

    def words(self, value: str) -> list[str]:
        """What a value of the column is compared by."""
        said = value if self.exact else value.casefold()
        return said.split(self.between) if self.between else [said]


#: Field -> condition, of those that ask one column.
CONDITIONS: Final = {
    "state": Condition("property_state", "among"),
    "city": Condition("property_city", "among", exact=False),
    "property_type": Condition("property_type", "among"),
    "rate_pressure": Condition("rate_pressure", "among"),
    "severity": Condition("grade", "among"),
    "confidence_tier": Condition("confidence_tier", "among"),
    "payment_status": Condition("payment_status", "among"),
    "disposition": Condition("disposition", "among"),
    "trigger": Condition("computed_triggers", "among", between=BETWEEN),
    "untested_trigger": Condition("untested_triggers", "among", between=BETWEEN),
    "min_balance": Condition("book_value", "at least"),
    "max_balance": Condition("book_value", "at most"),
    "maturity_after": Condition("maturity_date", "after"),
    "maturity_before": Condition("maturity_date", "before"),
    "originated_after": Condition("origination_date", "after"),
    "originated_before": Condition("origination_date", "before"),
    "min_coupon": Condition("interest_rate", "at least"),
    "max_coupon": Condition("interest_rate", "at most"),
    "min_gap": Condition("rate_gap_bp", "at least"),
    "max_gap": Condition("rate_gap_bp", "at most"),
    "min_dscr": Condition("dscr", "at least"),
    "max_dscr": Condition("dscr", "at most"),
    "min_ltv": Condition("ltv", "at least", 100),
    "max_ltv": Condition("ltv", "at most", 100),
    "min_debt_yield": Condition("debt_yield", "at least"),
    "max_debt_yield": Condition("debt_yield", "at most"),
    "min_occupancy": Condition("occupancy", "at least", 100),
    "max_occupancy": Condition("occupancy", "at most", 100),
    "min_noi_room": Condition("noi_room", "at least", 100),
    "max_noi_room": Condition("noi_room", "at most", 100),
    "min_markup": Condition("underwritten_markup", "at least", 100),
    "max_markup": Condition("underwritten_markup", "at most", 100),
    "min_over_implied": Condition("filed_over_implied", "at least"),
    "max_over_implied": Condition("filed_over_implied", "at most"),
    "min_short": Condition("dollars_short", "at least"),
}
#: Fields whose values have counts in a result: words of a column, and rules.
COUNTED: Final = (
    *(name for name, one in CONDITIONS.items() if one.test == "among"),
    "rule", "special_servicing", "defeased",
)  # fmt: skip


#: Loans with a signal, the worst first, then by dollars short, DSCR under the minimum, book value.
WITH_SIGNAL: Final = LoanFilter(severity=tuple(reversed(SEVERITIES)), order="-worst_severity")
