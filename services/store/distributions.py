"""Loans by one figure: in groups, by vintage and type, and one loan's place among others."""

from typing import Final

import numpy as np

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
from services.contract.vocabulary import SEVERE_OR_WORSE

from . import columns, loans, screens
from .columns import Figures, Flags
from .filters import loan_ids
from .reader import Reader
from .scatter import classes, edges, figures

_PERCENTILES: Final = (5, 25, 50, 75, 95)
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
    ids = loan_ids(reader, query)
    values = figures(reader, figure)[ids]
    known = ~np.isnan(values)
    if not known.any():
        return Distribution(whole=None, groups=(), groups_left=0, loans_left=0, edges=())
    ends = edges(np.clip(values[known], *np.percentile(values[known], CLIPPED)), CLASSES)
    code, word_of = screens.grouped(reader, ids, by)
    # Loans of one group lie together, and those without a word come first.
    order = np.argsort(code, kind="stable")
    starts = np.flatnonzero(np.diff(code[order], prepend=code[order][:1] - 1))
    groups = []
    for rows in np.split(order, starts[1:]):
        if known[rows].any():
            at = int(code[rows[0]])
            groups.append(_group(None if at < 0 else word_of(at), values[rows], ends))
    groups.sort(key=lambda one: (-one.loans, one.word is None, one.word or ""))
    left = groups[MOST_GROUPS:]
    return Distribution(
        whole=_group(None, values, ends),
        groups=tuple(groups[:MOST_GROUPS]),
        groups_left=len(left),
        loans_left=sum(one.loans for one in left),
        edges=tuple(ends.tolist()),
    )


def _group(word: str | None, values: Figures, ends: Figures) -> FigureGroup:
    known = values[~np.isnan(values)]
    low, quarter, median, three, high = np.percentile(known, _PERCENTILES).tolist()
    counts = np.bincount(classes(known, ends), minlength=len(ends) - 1)
    return FigureGroup(
        word=word,
        loans=len(known),
        missing=len(values) - len(known),
        p5=low,
        p25=quarter,
        median=median,
        p75=three,
        p95=high,
        counts=tuple(counts.tolist()),
    )


def severe_shares(reader: Reader, query: LoanFilter) -> list[SeverityCell]:
    """The loans that match by vintage and property type, and how many are severe or worse."""
    asked = ("severe shares", *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: _severe_shares(reader, query))


def _severe_shares(reader: Reader, query: LoanFilter) -> list[SeverityCell]:
    ids = loan_ids(reader, query)
    year, year_of = screens.grouped(reader, ids, "vintage")
    kind, kind_of = screens.grouped(reader, ids, "property_type")
    kinds = int(kind.max(initial=-1)) + 2  # the first stands for null
    place = (year.astype(np.int64) + 1) * kinds + kind + 1
    loans_of = np.bincount(place)
    severe = np.bincount(place, weights=_ill(reader)[ids])
    worth = np.bincount(place, weights=np.nan_to_num(columns.figures(reader, "book_value")[ids]))
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


def _ill(reader: Reader) -> Flags:
    worst = columns.words(reader, "worst_severity")
    codes = [at for at, word in enumerate(worst.words) if word in SEVERE_OR_WORSE]
    found: Flags = np.isin(worst.code, codes)
    return found


def standings(
    reader: Reader, query: LoanFilter, loan_number: str, names: tuple[FigureName, ...]
) -> list[Standing]:
    """Where one loan lies among those that match, by each of these figures. Raises NotFound."""
    number = loans.loan_id(reader, loan_number)
    ids = loan_ids(reader, query)
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
