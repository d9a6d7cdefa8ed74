"""A loan's rows as they can be drawn: stretches without a gap, income over its months. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from components.kit.gaps import gaps, usual
from services.contract.disposition import has_ended
from services.contract.history import HistoryRow
from services.contract.months import months_after

#: Days that a row speaks for where no other one follows: until a next filing would be due.
_A_MONTH: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Income:
    """A figure of a filed period: the months that it is of, and the rows that state it."""

    value: float
    #: The first day of its months and the last; None where the source does not say.
    start: date | None
    end: date | None
    #: The rows of the filings that have it, the first one first.
    rows: tuple[HistoryRow, ...]


def owing(rows: Sequence[HistoryRow]) -> list[HistoryRow]:
    """The rows until the loan ended, that one included: after it nothing is left to draw."""
    end = ended(rows)
    return [one for one in rows if end is None or one.as_of <= end.as_of]


def ended(rows: Sequence[HistoryRow]) -> HistoryRow | None:
    """The first row in which the loan no longer owes."""
    return next((one for one in rows if has_ended(one.disposition, one.balance)), None)


def until(rows: Sequence[HistoryRow]) -> list[date]:
    """Until when each row holds: the next filing, or the day on which one would have been due."""
    gap = {before for before, _ in gaps([one.as_of for one in rows])}
    due = _A_MONTH * usual([one.as_of for one in rows])
    follows: list[date | None] = [one.as_of for one in rows[1:]]
    return [
        one.as_of + due if later is None or one.as_of in gap else later
        for one, later in zip(rows, [*follows, None], strict=True)
    ]


def incomes(rows: Sequence[HistoryRow], name: str) -> Iterator[Income]:
    """A figure of filed periods ("dscr", "noi"), each period once: most filings repeat it."""
    stated: list[HistoryRow] = []
    for row in (one for one in rows if getattr(one, name) is not None):
        if stated and _filed(stated[-1], name) != _filed(row, name):
            yield _income(stated, name)
            stated = []
        stated.append(row)
    if stated:
        yield _income(stated, name)


def _filed(row: HistoryRow, name: str) -> tuple[object, ...]:
    return getattr(row, name), row.income_to, row.income_months, row.income_basis


def _income(rows: Sequence[HistoryRow], name: str) -> Income:
    first = rows[0]
    start = None
    if first.income_to and first.income_months:
        # From the first day of the month after: twelve months to 31 Dec begin on 1 Jan.
        day = timedelta(days=1)
        start = months_after(first.income_to + day, -first.income_months)
    end = first.income_to if start else None
    return Income(getattr(first, name), start, end, tuple(rows))


def rules_changed(rows: Sequence[HistoryRow]) -> list[HistoryRow]:
    """The rows that other rules, limits or spreads scored than the row before."""
    return [now for was, now in pairwise(rows) if now.rules_version != was.rules_version]
