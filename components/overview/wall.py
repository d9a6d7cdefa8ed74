"""The maturity wall: book value by quarter of effective maturity, as bars and as a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Final

from components.frame import bars
from components.frame import columns as shared
from components.frame.ledger import Column, ledger
from components.frame.routes import LOANS
from components.kit import severity, text, theme
from components.kit.card import card, opening
from components.kit.formatting import MISSING, count, loan_count, money, words
from services.contract.aggregates import MaturityBucket, Share, Totals
from services.contract.months import between, quarter_name, quarter_of
from services.contract.vocabulary import SEVERITIES

#: Six years: past the maturity of a five-year loan made today.
QUARTERS_SHOWN: Final = 24
#: Matured before the date of their source.
PAST_DUE: Final = "past due"
#: Fell due after it and before the date of the book: what became of them is not known.
FELL_DUE: Final = "not reported since due"
#: Everything after the quarters shown: in the table, not among the bars, which it would dwarf.
LATER: Final = "later"
#: What the untestable are called beside the severities.
NOT_TESTABLE: Final = "not testable"


@dataclass(frozen=True, slots=True)
class Period:
    """One bar of the maturity wall: a quarter, or everything before or after those shown."""

    label: str
    book_value: dict[str, int]
    loans: dict[str, int]
    dollars_short: int
    #: The filters that find its loans.
    params: dict[str, str]

    @property
    def total(self) -> int:
        """US dollars, over all severities."""
        return sum(self.book_value.values())


def panel(buckets: Sequence[MaturityBucket], totals: Totals) -> None:
    """The wall in its card, under what it shows; nothing where all matures in one quarter."""
    if in_one(buckets, totals):
        return
    with card("Book value by quarter of maturity, by rate pressure, and dollars short", level=2):
        _shown(buckets, totals)


def in_one(buckets: Sequence[MaturityBucket], totals: Totals) -> str:
    """That all loans mature in one quarter to come, in a sentence; blank where they do not."""
    loaded = {(one.quarter, one.overdue, one.fell_due) for one in buckets if one.loans}
    if len(loaded) != 1 or totals.no_maturity_date.loans:
        return ""
    (quarter, overdue, fell_due) = next(iter(loaded))
    if overdue or fell_due:
        return ""
    number = quarter.year * 4 + (quarter.month - 1) // 3
    return f"All loans mature in one quarter: {quarter_name(number)}."


def _shown(buckets: Sequence[MaturityBucket], totals: Totals) -> None:
    """The wall as bars that lead to their loans, what stands in none, the same as a table.

    Whom nobody refinances, the headline of the page says.
    """
    columns = wall_columns(buckets, totals.as_of)
    dark = theme.dark()
    bars.bars(
        bars_of(columns),
        looks_of(columns, dark=dark),
        line=bars.Look(theme.ACCENT[dark], "short at refinance"),
        key="maturity_wall",
        caption="Maturity wall: book value by quarter, stacked by rate pressure, and a line of "
        "dollars short at refinance; the same figures stand in the table below",
        height=280,
    )
    if beyond := outside(columns, totals.no_maturity_date):
        text.caption(beyond)
    opening("The same as a table", "wall_as_table", partial(table, columns))


def wall_columns(buckets: Sequence[MaturityBucket], today: date) -> list[Period]:
    """Buckets by quarter as the bars of the wall: past due, QUARTERS_SHOWN quarters, later.

    Quarters are of the calendar, whatever the dates of the sources.
    """
    first = today.year * 4 + (today.month - 1) // 3
    numbers = range(first, first + QUARTERS_SHOWN)
    labels = {number: quarter_name(number) for number in numbers}
    end = quarter_of(first + QUARTERS_SHOWN - 1)[1]
    windows = {
        PAST_DUE: {"due_before": today},
        FELL_DUE: {"due_before": today},
        **{label: between(*quarter_of(number)) for number, label in labels.items()},
        LATER: {"due_after": end},
    }
    # What of the present quarter is over is past due.
    windows[labels[first]] |= {"due_after": today - timedelta(days=1)}

    def label_of(bucket: MaturityBucket) -> str:
        number = bucket.quarter.year * 4 + (bucket.quarter.month - 1) // 3
        if bucket.overdue or bucket.fell_due:
            return PAST_DUE if bucket.overdue else FELL_DUE
        return labels.get(number, LATER)

    short: dict[str, int] = {}
    for bucket in buckets:
        short[label_of(bucket)] = short.get(label_of(bucket), 0) + bucket.dollars_short
    columns = {
        label: Period(
            label,
            {},
            {},
            short.get(label, 0),
            {name: day.isoformat() for name, day in window.items()},
        )
        for label, window in windows.items()
    }
    for bucket in buckets:
        word = bucket.rate_pressure or NOT_TESTABLE
        column = columns[label_of(bucket)]
        column.book_value[word] = column.book_value.get(word, 0) + bucket.book_value
        column.loans[word] = column.loans.get(word, 0) + bucket.loans
    for label in (PAST_DUE, FELL_DUE):
        if not columns[label].loans:
            del columns[label]
    return list(columns.values())


def words_of(columns: Sequence[Period]) -> list[str]:
    """The severities that occur, mildest first, the untestable at the bottom."""
    found = {word for column in columns for word in column.loans}
    known = [word for word in (NOT_TESTABLE, *SEVERITIES) if word in found]
    return [*known, *sorted(found - set(known))]


def bars_of(columns: Sequence[Period]) -> list[bars.Bar]:
    """The wall as bars of book value, worst on top, marked with the dollars short."""
    return [
        bars.Bar(
            column.label,
            {word: column.book_value.get(word, 0) for word in words_of(columns)},
            _said(column),
            (LOANS, column.params),
            column.dollars_short or None,
        )
        for column in columns
        if column.label != LATER
    ]


def _said(column: Period) -> list[str]:
    """What a bar holds, the worst first."""
    found = [
        f"{word}: {money(column.book_value[word])}, {loan_count(column.loans[word])}"
        for word in reversed(words_of([column]))
    ]
    if column.dollars_short:
        found.append(f"{money(column.dollars_short)} short at refinance")
    return found or ["no loans"]


def looks_of(columns: Sequence[Period], *, dark: bool) -> dict[str, bars.Look]:
    """How each severity looks that occurs."""
    return {
        word: bars.Look(
            severity.colour(word, dark=dark),
            severity.label(word) if word in SEVERITIES else word,
            hatched=word not in SEVERITIES,
        )
        for word in words_of(columns)
    }


def outside(columns: Sequence[Period], undated: Share) -> str:
    """What stands in no bar, in words: later maturities and loans without a date."""
    parts = [
        f"{money(column.total)} in {count(sum(column.loans.values()))} loans matures later"
        for column in columns
        if column.label == LATER and column.loans
    ]
    if undated.loans:
        parts.append(
            f"{money(undated.book_value)} in {count(undated.loans)} loans has no maturity date"
        )
    return f"Not among the bars: {', '.join(parts)}." if parts else ""


def table(columns: Sequence[Period]) -> None:
    """The wall as a table: one row a bar, which leads to its loans."""
    ledger(
        table_columns(columns),
        columns,
        opens=lambda column: (LOANS, column.params),
        caption="Maturity wall",
    )


def table_columns(columns: Sequence[Period]) -> tuple[Column[Period], ...]:
    """Quarter, book value by severity and in all, loans."""

    def amount(word: str) -> Callable[[Period], str]:
        return lambda column: (
            money(column.book_value[word]) if word in column.book_value else MISSING
        )

    return (
        Column("matures", "Matures", lambda column: column.label),
        *(Column(word, words(word), amount(word), figure=True) for word in words_of(columns)),
        shared.dollars_short("short"),
        Column("all", "All", lambda column: money(column.total), figure=True),
        Column("loans", "Loans", lambda column: count(sum(column.loans.values())), figure=True),
    )
