"""Loans by one figure: in groups, by vintage and type, and one loan's place among others."""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from services.contract.distributions import (
    CLASSES,
    CLIPPED,
    MOST_GROUPS,
    Distribution,
    FigureGroup,
    FigureName,
    SeverityCell,
    SplitBy,
    Standing,
)
from services.contract.loan_filter import LoanFilter

from . import columns, loan_groups, loans, notes
from .columns import Figures, Flags
from .database import Ids
from .filters import loan_ids
from .reader import Reader
from .scatter import classes, edges, figures

_PERCENTILES: Final = (5.0, 25.0, 50.0, 75.0, 95.0)
#: Severe and worse.


def loan_distribution(
    reader: Reader, query: LoanFilter, figure: FigureName, by: SplitBy
) -> Distribution:
    """The loans that match by one figure, all of them and split by a word."""
    asked = ("distribution", figure, by, *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: _distribution(reader, query, figure, by))


def _distribution(
    reader: Reader, query: LoanFilter, figure: FigureName, by: SplitBy
) -> Distribution:
    ids = _one_a_loan(reader, loan_ids(reader, query))
    values = figures(reader, figure)[ids]
    known = ~np.isnan(values)
    if not known.any():
        return Distribution(whole=None, groups=(), groups_left=0, loans_left=0, edges=())
    low, *percentiles, high = _percentiles(values[known], (CLIPPED[0], *_PERCENTILES, CLIPPED[1]))
    ends = edges(np.array([low, high]), CLASSES)
    code, word_of, _ = loan_groups.grouped(reader, ids, by)
    rank, listed, groups_of = _largest(code, known, word_of)
    # Rows by group, those without the figure last: sorting by so few words is quick.
    key = np.where(known, rank, np.uint8(MOST_GROUPS + 1)).astype(np.uint8)
    ordered = values[np.argsort(key, kind="stable")[: int(known.sum())]]
    loans_of = np.bincount(key, minlength=MOST_GROUPS + 2)
    missing = np.bincount(rank[~known], minlength=MOST_GROUPS + 1)
    starts = np.cumsum(loans_of[:MOST_GROUPS])[:-1]
    parts = np.split(ordered, np.append(starts, loans_of[:MOST_GROUPS].sum()))
    place = np.repeat(np.arange(MOST_GROUPS + 1), loans_of[:-1]) * CLASSES + classes(ordered, ends)
    counts = np.bincount(place, minlength=(MOST_GROUPS + 1) * CLASSES).reshape(-1, CLASSES)
    groups = [
        _group(word, counts[at], int(missing[at]), _percentiles(parts[at], _PERCENTILES))
        for at, word in enumerate(listed)
    ]
    return Distribution(
        whole=_group(None, counts.sum(axis=0), int((~known).sum()), percentiles),
        groups=tuple(groups),
        groups_left=groups_of - len(groups),
        loans_left=int(loans_of[MOST_GROUPS]),
        edges=tuple(ends.tolist()),
    )


def _largest(
    code: Ids, known: Flags, word_of: Callable[[int], str]
) -> tuple[npt.NDArray[np.uint8], list[str | None], int]:
    """The groups that are shown: place of each loan's group among them, MOST_GROUPS for any other;
    their words; how many groups there are.
    """
    loans_of = np.bincount(code[known] + 1)  # the first stands for null
    there = np.flatnonzero(loans_of)
    least = np.sort(loans_of[there])[-MOST_GROUPS:][0]
    near = there[loans_of[there] >= least].tolist()
    named = [(at, None if at == 0 else word_of(at - 1)) for at in near]
    named.sort(key=lambda one: (-loans_of[one[0]], one[1] is None, one[1] or ""))
    shown = named[:MOST_GROUPS]
    rank_of = np.full(int(code.max(initial=-1)) + 2, MOST_GROUPS, np.uint8)
    rank_of[[at for at, _ in shown]] = range(len(shown))
    return rank_of[code + 1], [word for _, word in shown], len(there)


def _percentiles(values: Figures, parts: tuple[float, ...]) -> list[float]:
    found: list[float] = np.percentile(values, parts).tolist()
    return found


def _group(
    word: str | None, counts: npt.NDArray[np.int64], missing: int, percentiles: list[float]
) -> FigureGroup:
    low, quarter, median, three, high = percentiles
    return FigureGroup(
        word=word,
        loans=int(counts.sum()),
        missing=missing,
        p5=low,
        p25=quarter,
        median=median,
        p75=three,
        p95=high,
        counts=tuple(counts.tolist()),
    )


def _one_a_loan(reader: Reader, ids: Ids) -> Ids:
    """One record a loan (D152)."""
    once: Ids = ids[notes.first(reader, ids, np.zeros(len(ids), np.int32))]
    return once


def _without_notes(reader: Reader, ids: Ids, number: int) -> Ids:
    """The same, of the notes of the loan in question its own record."""
    whole = columns.words(reader, "whole_loan").code
    sibling = (whole[ids] >= 0) & (whole[ids] == whole[number]) & (ids != number)
    return _one_a_loan(reader, ids[~sibling])


def severe_shares(reader: Reader, query: LoanFilter) -> list[SeverityCell]:
    """The loans that match by vintage and property type, and how many are severe or worse."""
    asked = ("severe shares", *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: _severe_shares(reader, query))


def _severe_shares(reader: Reader, query: LoanFilter) -> list[SeverityCell]:
    ids = loan_ids(reader, query)
    year, year_of, _ = loan_groups.grouped(reader, ids, "vintage")
    kind, kind_of, _ = loan_groups.grouped(reader, ids, "property_type")
    kinds = int(kind.max(initial=-1)) + 2  # the first stands for null
    place = (year.astype(np.int64) + 1) * kinds + kind + 1
    loans_of = notes.count(reader, ids, place, 0)
    ill = columns.distressed(reader)[ids]
    severe = notes.count(reader, ids[ill], place[ill], len(loans_of))
    worth = np.bincount(place, weights=notes.dollars(reader, "book_value")[ids])
    cells = [
        SeverityCell(
            vintage=int(year_of(at // kinds - 1)) if at >= kinds else None,
            property_type=kind_of(at % kinds - 1) if at % kinds else None,
            loans=int(loans_of[at]),
            severe=int(severe[at]),
            book_value=int(worth[at]),
        )
        for at in np.flatnonzero(loans_of).tolist()
    ]
    return sorted(
        cells,
        key=lambda one: (
            one.vintage is None, one.vintage, one.property_type is None, one.property_type or ""
        ),
    )  # fmt: skip


def standings(
    reader: Reader, query: LoanFilter, loan_number: str, names: tuple[FigureName, ...]
) -> list[Standing]:
    """Where one loan lies among those that match, by each of these figures. Raises NotFound."""
    number = loans.loan_id(reader, loan_number)
    ids = _without_notes(reader, loan_ids(reader, query), number)
    found = []
    for name in names:
        column = figures(reader, name)
        value, among = float(column[number]), column[ids]
        others = column[ids[ids != number]]
        others = others[~np.isnan(others)]
        known = among[~np.isnan(among)]
        told = not np.isnan(value)
        found.append(
            Standing(
                figure=name,
                value=value if told else None,
                percentile=100 * int((others < value).sum()) / len(others)
                if told and len(others)
                else None,
                loans=len(known),
                median=float(np.median(known)) if len(known) else None,
            )
        )
    return found
