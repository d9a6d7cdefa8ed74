"""Results of loans in groups: rankings by one attribute, pivots by two."""

from collections.abc import Callable
from datetime import date
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from services.contract.aggregates import Group, Grouped, Line, Pivot, PivotCell, Ranking
from services.contract.loan_filter import LoanFilter
from services.contract.months import quarter_name, quarter_of, year_of
from services.contract.source import GroupBy, RankedBy

from . import columns, due, notes
from .database import Ids
from .filters import each_word, loan_ids
from .reader import Reader

_KEY: Final = {
    "lender": "lender_normalized",
    "sponsor": "sponsor",
    "state": "property_state",
    "city": "property_city",
    "property_type": "property_type",
    "vintage": "origination_date",
    "quarter": "effective_maturity",
    "year": "effective_maturity",
    "severity": columns.GRADE,
}
_PERIODS: Final = ("vintage", "quarter", "year")
_HHI_WHOLE: Final = 10_000
Counts = npt.NDArray[Any]


# Groups by any attribute


def grouped(
    reader: Reader, ids: Ids, by: GroupBy
) -> tuple[Ids, Callable[[int], str], Callable[[int], tuple[date, date] | None]]:
    """Code of each loan's group, -1 without one; what gives the word of a code; and what gives its
    first and last day, for a period. Codes are in order of the periods, of the severities and of
    the names.
    """
    name = _KEY[by]
    if columns.is_name(name):
        code = columns.name_ids(reader, name)[ids]
        return code, lambda at: columns.name_of(reader, name, at), _no_days
    if not columns.is_figure(name):
        column = columns.words(reader, name)
        return column.code[ids], column.words.__getitem__, _no_days
    days = (columns.figures(reader, name) if by == "vintage" else due.days(reader))[ids]
    known = ~np.isnan(days)
    months = days[known].astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    period = np.full(len(ids), -1, np.int64)
    period[known] = (months + 12 * 1970) // (3 if by == "quarter" else 12)
    # Periods lie within a few hundred years: counted, they need not be sorted.
    first = int(period[known].min()) if known.any() else 0
    listed = np.flatnonzero(np.bincount(period[known] - first)) + first
    places = np.zeros(int(listed[-1]) - first + 1 if len(listed) else 0, np.int32)
    places[listed - first] = np.arange(len(listed), dtype=np.int32)
    codes = np.full(len(ids), -1, np.int32)
    codes[known] = places[period[known] - first]
    days_of = quarter_of if by == "quarter" else year_of
    word_of = quarter_name if by == "quarter" else str
    return codes, lambda at: word_of(int(listed[at])), lambda at: days_of(int(listed[at]))


def _in_each(
    reader: Reader, ids: Ids, by: RankedBy
) -> tuple[Ids, Ids, Callable[[int], str], Callable[[int], tuple[date, date] | None]]:
    """The loans, each as often as it is in a group; the rest as of `grouped`."""
    if by != "trigger":
        return ids, *grouped(reader, ids, by)
    ids, code, listed = each_word(reader, ids, by)
    return ids, code, listed.__getitem__, _no_days


def _no_days(_: int) -> None:
    """The days of a group that is no period."""


class _Sums:
    """Figures of loans by code, from 0 to size - 1."""

    def __init__(self, reader: Reader, ids: Ids, code: Counts, size: int) -> None:
        self.loans = notes.count(reader, ids, code, size)
        book, short = (notes.dollars(reader, name)[ids] for name in ("book_value", "dollars_short"))
        self.book_value = np.bincount(code, weights=book, minlength=size).astype(np.float64)
        self._short = np.bincount(code, weights=short, minlength=size)
        self._worst = columns.words(reader, "worst_severity")
        self._ill = np.full(size, -1, np.int32)
        np.maximum.at(self._ill, code, self._worst.code[ids])
        self._by_worst = notes.by_worst(reader, ids, code, size)

    def of(self, at: int) -> dict[str, Any]:
        """The figures of one code, by their names in Grouped."""
        ill = self._ill[at]
        return {
            "loans": int(self.loans[at]),
            "book_value": int(self.book_value[at]),
            "worst": self._worst.words[ill] if ill >= 0 else None,
            "dollars_short": int(self._short[at]),
            "by_worst": self._by_worst(at),
        }


# Rankings


def loan_ranking(reader: Reader, query: LoanFilter, by: RankedBy, limit: int) -> Ranking:
    """The loans that match in groups, the largest book value first."""
    asked = ("ranking", by, limit, *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: _ranking(reader, loan_ids(reader, query), by, limit))


def _ranking(reader: Reader, ids: Ids, by: RankedBy, limit: int) -> Ranking:
    ids, code, words, days_of = _in_each(reader, ids, by)
    size = int(code.max(initial=-1)) + 2  # the last stands for null
    sums = _Sums(reader, ids, np.where(code < 0, size - 1, code).astype(np.int32), size)
    loans, worth = sums.loans, sums.book_value
    named = [
        (None if at == size - 1 else words(int(at)), int(at))
        for at in _largest(np.flatnonzero(loans), worth, loans, limit)
    ]
    groups = [
        Group(word=word, days=None if word is None else days_of(at), **sums.of(at))
        for word, at in named
    ]
    groups.sort(key=lambda one: (-one.book_value, -one.loans, one.word is None, one.word or ""))
    parts = worth[:-1].sum() if by != "trigger" else 0  # what overlaps is no part of a whole
    shares = worth[:-1] / parts if parts else np.empty(0)
    squares = float(np.square(shares).sum())
    return Ranking(
        groups=tuple(groups[:limit]),
        total=int((loans[:-1] > 0).sum()),
        hhi=_HHI_WHOLE * squares if squares else None,
        effective=1 / squares if squares else None,
    )


def _largest(there: Counts, worth: columns.Figures, loans: Counts, limit: int) -> Counts:
    """Groups among which the `limit` largest are, those that are level with the last included."""
    order = there[np.lexsort((-loans[there], -worth[there]))]
    if len(order) <= limit:
        return order
    last = order[limit - 1]
    level = (worth[order] == worth[last]) & (loans[order] == loans[last])
    return order[: max(limit, int(np.flatnonzero(level)[-1]) + 1)]


# Pivots


def loan_pivot(
    reader: Reader, query: LoanFilter, by: tuple[GroupBy, GroupBy], limits: tuple[int, int]
) -> Pivot:
    """The loans that match in groups by two attributes."""
    asked = ("pivot", by, limits, *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: _pivot(reader, loan_ids(reader, query), by, limits))


def _pivot(reader: Reader, ids: Ids, by: tuple[GroupBy, GroupBy], limits: tuple[int, int]) -> Pivot:
    (row, rows), (column, across) = (
        _lines(reader, ids, one, limit) for one, limit in zip(by, limits, strict=True)
    )
    size = len(rows) * len(across)
    sums = _Sums(reader, ids, row * len(across) + column, size)
    cells = tuple(
        PivotCell(row=at // len(across), column=at % len(across), **sums.of(at))
        for at in np.flatnonzero(sums.loans).tolist()
    )
    whole = _Sums(reader, ids, np.zeros(len(ids), np.int32), 1).of(0)
    return Pivot(rows=rows, columns=across, cells=cells, whole=Grouped(**whole))


def _lines(reader: Reader, ids: Ids, by: GroupBy, limit: int) -> tuple[Ids, tuple[Line, ...]]:
    """Place of each loan's line, and the lines."""
    code, words, days_of = grouped(reader, ids, by)
    null = int(code.max(initial=-1)) + 1
    code = np.where(code < 0, null, code)
    loans = notes.count(reader, ids, code, null + 1)
    worth = np.bincount(code, notes.dollars(reader, "book_value")[ids], null + 1)
    named = np.flatnonzero(loans[:null])
    largest = named[np.lexsort((named, -loans[named], -worth[named]))]
    chosen = largest[:limit]
    if by in _PERIODS:
        chosen = np.sort(chosen)
    elif by == "severity":
        chosen = np.sort(chosen)[::-1]
    listed = [*chosen.tolist(), *([null] if loans[null] else [])]
    place = np.full(null + 1, len(listed), np.int32)
    place[listed] = np.arange(len(listed), dtype=np.int32)
    rest = len(named) - len(chosen)
    sums = _Sums(reader, ids, place[code], len(listed) + (rest > 0))
    lines = [
        Line(word=None, **sums.of(at))
        if one == null
        else Line(word=words(one), days=days_of(one), **sums.of(at))
        for at, one in enumerate(listed)
    ]
    if rest:
        lines.append(Line(word=None, rest=rest, **sums.of(len(listed))))
    return place[code], tuple(lines)
