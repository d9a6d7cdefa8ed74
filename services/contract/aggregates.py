"""What `Analytics` answers with: small frozen records, ready for a page."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal

from .maturities import Horizon, LeftOut
from .records import Record, Signal

#: US dollars of `book_value` by the worst signal of the loan, the worst first, then words of
#: UNGRADED for loans without one (D278); words without dollars are left out.
ByWorst = tuple[tuple[str, int], ...]


class Share(Record):
    """A part of the book."""

    loans: int
    book_value: int


class Disposed(Record):
    """The loans of one disposition (contract/disposition.py)."""

    #: None for those of which no balance is known.
    disposition: str | None
    loans: int
    book_value: int
    #: Realized losses, over the loans that have one.
    realized_loss: int
    loss_loans: int


class Totals(Record):
    """Headline figures of a whole book. Weighted figures weigh by book value."""

    as_of: date
    book: Share
    #: Records that its loans are held in: those that are no sum of others (D152).
    notes: int
    #: Percent figure; None when no loan has both coupon and book value.
    weighted_coupon: float | None
    #: Book-weighted refi rate of the same loans, percent figure.
    weighted_refi_rate: float | None
    #: By effective maturity, of the loans that must be refinanced (contract/maturities.py).
    matures_12_months: Share
    matures_24_months: Share
    #: At the date of their source.
    past_maturity: Share
    #: Fell due after the date of their source and before `as_of`: nobody says what became of them.
    fell_due: Share = Share(loans=0, book_value=0)
    no_maturity_date: Share
    #: Signals of severity critical.
    critical_signals: int
    #: The distinct loans behind them.
    critical: Share
    #: Of those, on a confirmed ownership chain.
    critical_confirmed: Share
    states: int
    outside_map: Share
    #: In order of DISPOSITIONS, those without a loan left out.
    dispositions: tuple[Disposed, ...]


class MaturityBucket(Record):
    """Book value that must be refinanced in one quarter of effective maturity, at one rate
    pressure.
    """

    #: First day of the quarter.
    quarter: date
    #: Severity word, or None for loans whose rate pressure is not testable.
    rate_pressure: str | None
    #: Before the date of its source.
    overdue: bool
    #: From that date on, and before that of the book.
    fell_due: bool = False
    loans: int
    book_value: int
    #: Dollars short at refinance, of these loans.
    dollars_short: int


class WorstSeverity(Record):
    """Loans by the worst of their signals."""

    #: A word of UNGRADED for loans without a signal.
    severity: str
    loans: int
    book_value: int
    #: Of these loans, dollars short at refinance.
    dollars_short: int
    #: By the tier of their ownership chain, the surest first, None where none is resolved.
    by_tier: tuple["Slice", ...]


class FigureClass(Record):
    """Loans of a result whose figure lies in one class: at least `low`, under `high`."""

    #: None for the first class, and for the loans without the figure.
    low: float | None
    #: None for the last class, and for the loans without the figure.
    high: float | None
    loans: int
    book_value: int
    dollars_short: int
    by_worst: ByWorst


def class_bounds(ends: Sequence[float]) -> list[tuple[float | None, float | None]]:
    """`low` and `high` of the classes between upper ends, the lowest first; the last is that of the
    loans without the figure.
    """
    return [*zip((None, *ends), (*ends, None), strict=True), (None, None)]


class Behind(Record):
    """The loans behind some signals, and the loans that they are a part of."""

    signals: int
    #: Distinct loans with at least one of the signals, and their book value.
    loans: int
    book_value: int
    #: Of these loans, dollars short at refinance.
    dollars_short: int
    #: All loans that meet the conditions on loans, with such signals or without.
    of_loans: int
    of_book_value: int


class StateSignals(Behind):
    """Signals on the loans of one state."""

    #: As the records carry it; None for loans without a state.
    state: str | None


class MatrixCell(Behind):
    """Signals of one state at one severity, or on one property type.

    By severity the loans are a part of those of the state, by type of those of state and type.
    """

    state: str | None
    #: Severity word or property type; None where the record has none.
    column: str | None


class SignalTotals(Behind):
    """Totals of a result of signals."""

    #: The loans behind them by the tier of their ownership chain, None where none is resolved; in
    #: order of the tiers, the surest first.
    by_tier: tuple["Slice", ...]


class FoundSignal(Record):
    """A signal of a result, and the columns of its loan that were asked for, raw."""

    signal: Signal
    values: Mapping[str, Any]


class Slice(Record):
    """A part of an entity's loans by one attribute."""

    word: str | None
    loans: int
    book_value: int


class Weighted(Record):
    """A mean weighed by book value, and how much of the book value it rests on."""

    #: In the unit of its column; None where no loan has both.
    mean: float | None
    #: Share of the book value of the result, 0 to 1; None without book value.
    coverage: float | None


class FoundTotals(Record):
    """Totals of a result of loans. A record that is the sum of others is in no amount (D152)."""

    #: Rows of the list; the different loans among them; those that are no sum of others.
    records: int
    loans: int
    notes: int
    book_value: int
    coupon: Weighted
    dscr: Weighted
    ltv: Weighted
    debt_yield: Weighted
    #: Dollars short at refinance, over the loans that are short.
    dollars_short: int
    short_loans: int
    #: That must be refinanced within so many months of the as-of date, by effective maturity.
    matures_12_months: Share
    matures_24_months: Share
    #: In order of DISPOSITIONS, those without a loan left out.
    dispositions: tuple[Disposed, ...]
    #: All loans that must be refinanced, by HORIZONS in their order, and SINCE where some are in
    #: it; they add up to `dollars_short`.
    by_horizon: tuple[Horizon, ...]
    #: Those that need not be, in order of EXEMPT.
    left_out: tuple[LeftOut, ...]


class Grouped(Record):
    """Figures of some loans of a result."""

    loans: int
    book_value: int
    #: Worst signal of these loans; None without any.
    worst: str | None
    dollars_short: int
    by_worst: ByWorst


class Group(Grouped):
    """The loans of a result that have one word in common."""

    #: None for the loans without one.
    word: str | None
    #: First and last day of a vintage, a quarter or a year; None of any other group.
    days: tuple[date, date] | None = None


class Ranking(Record):
    """A result in groups, the largest book value first, then most loans, then by word."""

    groups: tuple[Group, ...]
    #: How many groups there are, loans without a word not counted; `groups` may be the first of
    #: them.
    total: int
    #: Herfindahl-Hirschman index of the groups' book values, 0 to 10,000; None without book value.
    #: Loans without a word are left out.
    hhi: float | None
    #: How many groups of equal size would be as concentrated.
    effective: float | None


class Line(Group):
    """A row or a column of a pivot."""

    #: How many groups are summed up in it; 0 for one group.
    rest: int = 0


class PivotCell(Grouped):
    """The loans of a row and a column, by their places; those without a loan are left out."""

    row: int
    column: int


class Pivot(Record):
    """A result in groups by two attributes: periods in order, severities the worst first, other
    groups the largest first; then loans without a word, then the rest.
    """

    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    cells: tuple[PivotCell, ...]
    #: All of the result.
    whole: Grouped


class FoundLoan(Record):
    """A loan of a result with the columns that were asked for, raw; None where not known."""

    loan_number: str
    values: Mapping[str, Any]


class WatchedLoan(FoundLoan):
    """A loan as it is compared with what was last seen of it."""

    #: Severity of each of its signals, by type.
    signals: Mapping[str, str | None]


class Match(Record):
    """Something that a reader may mean by some letters."""

    kind: Literal["loan", "property", "party", "lender", "city"]
    #: The loan's number, the party's, lender's or city's name.
    name: str
    #: What tells it from its like: a property's name and place, a party's kind.
    detail: str


class PartyLink(Record):
    """One ownership link of an entity: to an owner above it, or to a holding below it."""

    entity_name: str
    kind: str
    #: Links away from the entity asked for, from 1.
    level: int
    #: The party at the other end, one level nearer to the entity asked for.
    of: str
    confidence: float
    #: Fraction owned, where known.
    share: float | None
    related_loan_count: int


class EntityDossier(Record):
    """One entity whole."""

    entity_name: str
    kind: str
    confidence: float
    confidence_tier: str
    book: Share
    by_state: tuple[Slice, ...]
    by_property_type: tuple[Slice, ...]
    by_lender: tuple[Slice, ...]
    #: Loans in roles that do not count as its own: servicer, originator, tenant (D201).
    loans_by_role: Mapping[str, int] = {}
    #: Worst signal of its loans; None without any.
    worst: str | None
    #: Signals on its loans, by severity word.
    signals_by_severity: Mapping[str, int]
    #: Owners above, level by level; holdings below, level by level, at most 200 of each.
    owners: tuple[PartyLink, ...]
    holdings: tuple[PartyLink, ...]
    holdings_total: int


class FillRate(Record):
    """How many loans have a field."""

    field: str
    filled: int
    loans: int


class Reject(Record):
    """A record of a source that was not loaded, and why."""

    source: str
    record: str
    reason: str


class Headlines(Record):
    """The figures of a book, or of the loans of a scope."""

    totals: Totals
    worst_severities: tuple[WorstSeverity, ...]
    maturity_wall: tuple[MaturityBucket, ...]


class Overview(Headlines):
    """What is asked of the whole book: answered once, when its snapshot is written."""

    fill_rates: tuple[FillRate, ...]
    unranked_words: Mapping[str, Mapping[str, int]]
