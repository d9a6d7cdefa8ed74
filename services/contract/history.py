"""Time: the periods of a store, one loan through them, and what changed between two dates.

A period is what one source said as of one date, scored at the rates of that date. Of several
filings of one source and date the one that was imported last counts; the others are listed.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal, Protocol, Self, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from .aggregates import StateSignals
from .compared import DealSpan, MonthDeals
from .events import KIND, Event, stage_of
from .family_history import FamilyHistory
from .happened import Happened
from .loan_filter import MOST_NUMBERS
from .queries import Day, Dollars, Exact, Lower, Query, Question, Several, State, YesNo, listed
from .records import Page, Record
from .scope import Scope, Scoped, own_sources
from .snapshot_info import Snapshot
from .vocabulary import GRADED, IS_DEFEASED, NO_SIGNAL, SEVERITIES, UNGRADED

if TYPE_CHECKING:
    import pyarrow as pa

#: What the matrix of moves calls a loan that one of the two dates does not have.
NOT_IN_FILE: Final = "not in the file"
#: Words of the two sides of the matrix, mildest first.
SIDES: Final = (NOT_IN_FILE, *UNGRADED, *SEVERITIES)
#: Those by which a TrendPoint counts the loans that owe.
COUNTED_BY: Final = (IS_DEFEASED, NO_SIGNAL, *GRADED)


class Period(Record):
    """One filing of one source, as it was scored."""

    #: Key and title of the source.
    source: str
    title: str
    as_of: date
    provenance: str
    #: A loan and its notes count once, and so does each US dollar, as far as this filing tells.
    loans: int
    balance: int
    #: Names of the files that it was read from.
    files: tuple[str, ...]
    #: Rules, limits and spreads that scored it: the same words, the same scoring but for rates.
    rules_version: str
    #: Name of the period within the store; another one for other rates too.
    name: str
    #: False where a later filing of the same source and date counts.
    counts: bool


class HistoryRow(Record):
    """One loan in one period. None where not known (D18)."""

    as_of: date
    #: Name of the source's file.
    file: str | None
    rules_version: str
    #: US dollars; whole.
    balance: int | None
    #: Percent figure, and the code of Schedule AL that says whether it may change.
    interest_rate: float | None
    rate_type: str | None
    maturity_date: date | None
    #: The anticipated repayment date where there is one, else maturity.
    effective_maturity: date | None
    amortization_months: int | None
    #: Codes of Schedule AL (schedule_al.py).
    payment_status: str | None
    workout: str | None
    modification: str | None
    modified_on: date | None
    defeasance: str | None
    special_servicing: bool | None
    #: How the loan ended; None while it runs, or where the source does not say.
    disposition: str | None
    #: US dollars lost when it ended.
    realized_loss: int | None
    #: "x". `income_basis` says of what; its filed period is `income_months` long and ends on
    #: `income_to`.
    dscr: float | None
    income_basis: str | None
    income_months: int | None
    income_to: date | None
    #: US dollars of a year.
    noi: int | None
    ncf: int | None
    underwritten_dscr: float | None
    underwritten_noi: int | None
    #: Fractions: 0.92 is 92 %.
    occupancy: float | None
    ltv: float | None
    value: int | None
    value_date: date | None
    #: Percent figure.
    debt_yield: float | None
    #: US dollars short at refinance.
    dollars_short: int | None
    #: None unless the query asks for sponsors.
    sponsor: str | None
    #: The tenant with the most area, and when its lease ends.
    tenant: str | None
    tenant_expires: date | None
    #: Worst severity of its signals, and the severity by type of signal.
    worst: str | None
    signals: Mapping[str, str]
    #: Ids of the rules that fired, in order.
    rules: tuple[str, ...]

    @property
    def stage(self) -> str | None:
        """Its stage of delinquency, a word of events.STAGES; None where that is not known."""
        return stage_of(self.balance, self.workout, self.payment_status)


class LoanHistory(Record):
    """One loan through all periods that have it."""

    loan_number: str
    property_name: str | None
    #: Key and title of its source.
    source: str
    title: str
    #: By date; one for each date that counts.
    rows: tuple[HistoryRow, ...]
    #: From each row to the next, by date, then by importance.
    events: tuple[Event, ...]
    #: Dates of its source that lack the loan, between its first row and the last period.
    missing: tuple[date, ...]


def _kind(value: str) -> str:
    if value not in KIND:
        raise ValueError(f"must be one of {', '.join(KIND)}")
    return value


def _side(value: str) -> str:
    if value not in SIDES:
        raise ValueError(f"must be one of {', '.join(SIDES)}")
    return value


Dated = TypeVar("Dated", "HistoryQuery", "ChangeQuery")


def _in_order(query: Dated) -> Dated:
    if query.since and query.until and query.since > query.until:
        raise ValueError("'since' must not be after 'until'")
    return query


_Number = Annotated[Exact, Field(max_length=200)]
Side = Annotated[Lower, AfterValidator(_side)]
ChangeOrder = Literal["importance", "-dollars", "loan_number"]


class HistoryQuery(Question):
    """Which part of a loan's line. It comes whole: a row for each date that is kept."""

    #: Both dates included.
    since: Day | None = None
    until: Day | None = None
    #: Whether sponsors and their changes are shown: a question about parties (D141).
    sponsors: YesNo | None = None

    _dates = model_validator(mode="after")(_in_order)


class OverTime(Query):
    """Conditions that hold of loans in every period, by what that period says of them."""

    state: Several[State] | None = None
    property_type: Several[Lower] | None = None
    #: Key of a source.
    deal: Several[Exact] | None = None


class ChangeQuery(OverTime):
    """What changed from one date to a later one."""

    #: The book as of a date is the newest period of each source not after it. None: the newest
    #: date of all, and `compared.date_before` that.
    since: Day | None = None
    until: Day | None = None
    #: Loans with an event of one of these kinds.
    kind: Several[Annotated[Lower, AfterValidator(_kind)]] | None = None
    #: The loan's own lender, exactly.
    lender: Exact | None = None
    #: What is at stake, in US dollars, bounds included; the legal maturity, bounds left out (D8).
    min_balance: Dollars | None = None
    max_balance: Dollars | None = None
    maturity_before: Day | None = None
    maturity_after: Day | None = None
    #: These loans and no others: those that somebody watches, a book of their own.
    numbers: (
        Annotated[tuple[_Number, ...], BeforeValidator(listed), Field(max_length=MOST_NUMBERS)]
        | None
    ) = None
    #: Cells of the matrix, by words of SIDES. Without `kind` all of their loans are listed, those
    #: to which nothing happened last (D173).
    severity_before: Several[Side] | None = None
    severity_after: Several[Side] | None = None
    #: "importance": by the most important event, then dollars, then loan number.
    order: ChangeOrder = "importance"
    #: As in HistoryQuery.
    sponsors: YesNo | None = None

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "order"})

    _dates = model_validator(mode="after")(_in_order)

    def within(self, scope: Scope | None, snapshot: Snapshot) -> Self:
        """The same of the loans of a scope: by deal or by number, which an API understands too."""
        if scope is None:
            return self
        if scope.numbers is not None:
            among = scope.numbers if self.numbers is None else {*scope.numbers} & {*self.numbers}
            return self.model_copy(update={"numbers": tuple(sorted(among))})
        own = own_sources(snapshot)
        deals = tuple(one for one in own if self.deal is None or one in self.deal)
        return self.model_copy(update={"deal": deals} if deals else {"numbers": ()})


class SeenQuery(Query):
    """Loans, each with the day as of which it was last seen."""

    seen: Annotated[tuple[tuple[_Number, Day], ...], Field(max_length=MOST_NUMBERS)]
    #: As in HistoryQuery.
    sponsors: YesNo | None = None


class ChangedLoan(Record):
    """A record of a loan to which something happened, or of a cell of the matrix. Facts are those
    of the later date, else of the earlier.
    """

    loan_number: str
    property_name: str | None
    property_type: str | None
    city: str | None
    state: str | None
    lender: str | None
    #: Title of its source.
    deal: str
    #: US dollars; what it was where nothing is owed any more.
    dollars: int | None
    #: Words of the matrix, as ChangeQuery has them.
    severity_before: str
    severity_after: str
    #: The most important first; none where nothing happened.
    events: tuple[Event, ...]


#: Named at the level of the module, where pydantic makes it known to pickle.
ChangedLoans = Page[ChangedLoan]


class Move(Record):
    """Loans that went from one worst severity to another, or stayed."""

    before: str
    after: str
    loans: int
    #: As in happened.ChangeCount.
    dollars: int


class Changes(Happened):
    """What changed from one date to a later one; `counts`, `worse` and `better` are of all loans
    that meet the conditions on loans, whatever is listed.
    """

    #: The loans that meet all conditions and to which something happened, or those of whole cells.
    found: ChangedLoans
    #: How many loans these records are, in how many notes, and their dollars, each once (D181).
    loans: int
    notes: int
    dollars: int
    #: The matrix of the same loans, by the order of its words. Its cells sum to `compared`, but for
    #: loans whose notes are in different cells: these count in each.
    moves: tuple[Move, ...]
    compared: int
    #: Titles of sources that have no period at or before `since`, so that nothing is compared.
    not_compared: tuple[str, ...]
    #: And of those that filed nothing after it, with their newest date; dates of the others.
    silent: tuple[tuple[str, date], ...]
    spans: tuple[DealSpan, ...]
    #: Whether different rules, limits or spreads scored the two dates: signals may differ by that.
    rules_changed: bool


class TrendQuery(OverTime):
    """How a book fared, month by month."""

    scope: Scoped | None = None

    by: Literal["all", "property_type", "vintage"] = "all"

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "by"})


class TrendPoint(Record):
    """The loans of one month and group that owe something. Of each source its last period of the
    month counts; a source without one is left out of that month. A loan of several notes in a
    source counts once, by the worst of them, and so does each dollar (D181).
    """

    #: First day of the month.
    month: date
    #: Property type, or vintage as a year; None where not known, and of all loans.
    word: str | None
    loans: int
    balance: int
    #: 30 days late or later, in default included.
    delinquent_loans: int
    delinquent_balance: int
    #: Of these 60 days late or later, and 90.
    late_60_loans: int
    late_60_balance: int
    late_90_loans: int
    late_90_balance: int
    special_loans: int
    special_balance: int
    #: By words of COUNTED_BY: loans and dollars.
    severity_loans: Mapping[str, int]
    severity_balance: Mapping[str, int]
    #: Weighted by balance over the loans that have one, and how many these are.
    dscr: float | None
    dscr_loans: int
    occupancy: float | None
    occupancy_loans: int


class Roll(Record):
    """Loans of one stage of delinquency and what became of them by the next period of their source,
    of all that met the conditions, whatever `by` is. Dollars are those of the earlier period.
    """

    #: First day of the month of the later period.
    month: date
    #: Words of events.STAGES.
    before: str
    after: str
    loans: int
    balance: int
    #: Of these loans, those that went into special servicing between the two.
    special_loans: int
    special_balance: int


class Trends(Record):
    """How a book fared, month by month."""

    #: By month, then word; None last.
    points: tuple[TrendPoint, ...]
    #: By month, then stages in their order.
    rolls: tuple[Roll, ...]
    #: By month.
    deals: tuple[MonthDeals, ...]
    #: The first month of each version of rules, limits and spreads, by month.
    rules_versions: tuple[tuple[date, str], ...]


class HeatQuery(OverTime):
    """The map month by month."""

    scope: Scoped | None = None

    #: Loans whose worst signal is that severe or worse.
    at_least: Literal["moderate", "elevated", "severe", "critical"] = "severe"

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "at_least"})


class HeatPoint(StateSignals):
    """One state in one month, as the map of signals has it. As in TrendPoint, of each source its
    last period of the month. `signals` and `loans` are those at least that severe.
    """

    #: First day.
    month: date


class HeatOverTime(Record):
    """States month by month."""

    months: tuple[date, ...]
    #: By month, then state; None last. A month without loans in a state has none of it.
    points: tuple[HeatPoint, ...]


class Histories(Protocol):
    """What is known of earlier dates. Every read raises NoHistory where no period is kept."""

    def periods(self) -> list[Period]:
        """Every period, by date, then source, the one that counts first."""
        ...

    def history(self, loan_number: str, query: HistoryQuery) -> LoanHistory:
        """One loan through its periods. Raises NotFound for one that none of them has."""
        ...

    def family_history(self, entity_name: str) -> FamilyHistory:
        """The loans of a sponsor or owner month by month (D170). Raises NotFound."""
        ...

    def changes(self, query: ChangeQuery) -> Changes:
        """What changed between two dates: counts, matrix and a page of loans in one answer.

        Raises InvalidRequest for a `since` before the first period.
        """
        ...

    def newest_changes(self) -> Happened:
        """The same figures from the date before the newest to the newest, sponsors aside: written
        with the snapshot. Where the book is known as of one date, both dates are that one.
        """
        ...

    def change_batches(self, query: ChangeQuery) -> Iterator["pa.RecordBatch"]:
        """Every loan of `changes`, in its order; its events as kinds and as sentences, in words.

        At least one batch. Raises as `changes` does.
        """
        ...

    def events_since(self, query: SeenQuery) -> Mapping[str, tuple[Event, ...]]:
        """What happened to each loan from the book of its day to the newest, by loan number.

        Left out are loans of which no two periods can be compared: none of the source is as old as
        the day, or none is newer than that one, or neither has the loan.
        """
        ...

    def trends(self, query: TrendQuery) -> Trends:
        """How the loans that match fared, month by month, and their roll rates."""
        ...

    def heat_over_time(self, query: HeatQuery) -> HeatOverTime:
        """Shares of states month by month."""
        ...
