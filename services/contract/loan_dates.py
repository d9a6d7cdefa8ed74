"""Dates of loans that somebody has to watch: maturities, ends of terms, leases, what grows old."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated, Final, Literal, Protocol

from pydantic import AfterValidator, Field

from .facts import FACT
from .loan_filter import LoanFilter
from .queries import Day, Lower, Several
from .records import Page, Record

if TYPE_CHECKING:  # pages import this module; only exports need pyarrow
    import pyarrow as pa

#: Months after which an appraisal is stale, and income.
VALUE_STALE_MONTHS: Final = 24
INCOME_STALE_MONTHS: Final = 12


@dataclass(frozen=True, slots=True)
class DateKind:
    """One kind of date."""

    word: str
    #: As a column of a calendar says it.
    label: str
    #: What the date is and where it comes from, as a sentence without its stop.
    help: str
    #: Whether the loan is repaid then: such dates are of loans that must be refinanced alone.
    repays: bool = False


#: In the order in which those of one day are listed.
DATE_KINDS: Final = (
    DateKind("maturity", "Maturity",
             "Effective maturity, of loans that must be refinanced", repays=True),
    DateKind("anticipated repayment", "Anticipated repayment",
             "Anticipated repayment date: from then on cash flow is swept and the rate is higher",
             repays=True),
    DateKind("legal maturity", FACT["maturity_date"].label,
             "Maturity as filed, where the loan is expected to be repaid on another day",
             repays=True),
    DateKind("interest only ends", "Interest-only ends",
             "First payment with principal: the first payment date and the interest-only period"),
    DateKind("lock-out ends", "Lock-out ends", "Last day of the prepayment lock-out, as filed"),
    DateKind("yield maintenance ends", "Yield maintenance ends",
             "Last day of yield maintenance, as filed"),
    DateKind("prepayment premium ends", "Prepayment premium ends",
             "Last day of prepayment premiums, as filed"),
    DateKind("defeasance begins", "Defeasance begins",
             "First day on which the loan may be defeased, as filed"),
    DateKind("rate changes", "Rate changes", "Next change of the interest rate, as filed"),
    DateKind("lease expires", "Lease expires", "A lease of one of the largest tenants, as filed"),
    DateKind("appraisal stale", "Appraisal stale",
             f"The appraisal is {VALUE_STALE_MONTHS} months old"),
    DateKind("income stale", "Income stale",
             f"The income ended {INCOME_STALE_MONTHS} months before, and no later is filed"),
)  # fmt: skip
DATE_KIND: Final = {kind.word: kind for kind in DATE_KINDS}


def _kind(value: str) -> str:
    if value not in DATE_KIND:
        raise ValueError(f"must be one of {', '.join(DATE_KIND)}")
    return value


def _no_order(_: str) -> str:
    raise ValueError("dates have one order: the earliest first")


class DateFilter(LoanFilter):
    """The dates of which loans, of which kinds, between which days (both left out, D8).

    The order is always the same: by day, then in order of DATE_KINDS, then by loan_number, then
    by tenant.
    """

    order: Annotated[str, Field(max_length=60), AfterValidator(_no_order)] | None = None
    kind: Several[Annotated[Lower, AfterValidator(_kind)]] | None = None
    date_after: Day | None = None
    date_before: Day | None = None

    def of_loans(self) -> LoanFilter:
        """Its conditions on loans."""
        return self.part(LoanFilter).without("order").at(1)


class LoanDate(Record):
    """One date of a loan. A loan of several records has it once, of the first that matches."""

    day: date
    kind: str
    loan_number: str
    property_name: str | None
    #: Whose lease expires, and its area; of other kinds None.
    tenant: str | None
    square_feet: int | None
    #: Book value of the loan's records that match, each dollar once.
    dollars: int
    property_type: str | None
    city: str | None
    state: str | None
    lender: str | None
    worst: str | None


class KindOfDates(Record):
    """Dates of one kind."""

    kind: str
    dates: int
    loans: int
    #: Book value of these loans, each once.
    dollars: int


class DaysOfDates(Record):
    """Dates of one day, or of one quarter, by its first day."""

    start: date
    dates: int
    loans: int
    dollars: int
    #: Of these loans, those that are repaid then.
    repaid_loans: int
    repaid_dollars: int


class DateTotals(Record):
    """All dates of a result."""

    dates: int
    loans: int
    dollars: int
    #: Kinds that occur, in the order of DATE_KINDS; their own condition is left out.
    kinds: tuple[KindOfDates, ...]


#: Columns of `LoanDates.date_batches`.
DATE_EXPORT: Final = tuple(LoanDate.model_fields)


class LoanDates(Protocol):
    """What falls due when. A loan that owes nothing, or is defeased in full, has no dates; one that
    nobody refinances has none of repayment (contract/maturities.py).
    """

    def date_totals(self, query: DateFilter) -> DateTotals:
        """How many dates match, of how many loans, and of which kinds."""
        ...

    def date_counts(self, query: DateFilter, by: Literal["day", "quarter"]) -> list[DaysOfDates]:
        """The dates that match by day or by quarter, in order, those without any left out."""
        ...

    def dates_found(self, query: DateFilter) -> Page[LoanDate]:
        """Page of the dates that match."""
        ...

    def date_batches(self, query: DateFilter) -> Iterator["pa.RecordBatch"]:
        """Every date that matches, in order: DATE_EXPORT, some thousands at a time."""
        ...
