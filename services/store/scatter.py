"""Loans by two figures: as points, as cells where they are many, and those within an outline."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from services.contract.distributions import (
    CELLS,
    CLIPPED,
    FEWEST_CLIPPED,
    MOST_POINTS,
    Area,
    Cell,
    ColourBy,
    FigureName,
    Plot,
    Points,
    Scatter,
    Within,
    aside,
)
from services.contract.loan_filter import MOST_NUMBERS, LoanFilter

from . import columns, loan_results, notes
from .columns import Figures, Flags
from .database import Ids
from .filters import loan_ids
from .reader import Reader

#: Under every figure that has a place on an axis of powers of ten.
_NEXT_TO_NOTHING: Final = 1e-300
_LAST_DIGIT: Final = 1e-12
#: What a point says of its property.
_PLACE: Final = ("property_name", "property_city", "property_state")
#: Colours that go by a column of another name.
_COLOURED: Final[dict[ColourBy, str]] = {"worst_severity": columns.GRADE}
#: Into which the loans within the height of an outline are sorted.
_BANDS: Final = 256


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """The loans that are drawn in a plot, ascending, with their figures; where its axes end; how
    many match, and how many of these have no place by both figures.
    """

    plot: Plot
    ids: Ids
    x: Figures
    y: Figures
    x_ends: tuple[float, float] | None
    y_ends: tuple[float, float] | None
    loans: int
    missing: int
    not_positive: int

    @property
    def x_drawn(self) -> Figures:
        """Where each loan is drawn: beyond an end of the axis, on that end; else aside."""
        return _drawn(self.x, self.x_ends, log=self.plot.is_log("x"))

    @property
    def y_drawn(self) -> Figures:
        """As `x_drawn`."""
        return _drawn(self.y, self.y_ends, log=self.plot.is_log("y"))

    @property
    def nbytes(self) -> int:
        """Room that it takes."""
        return self.ids.nbytes + self.x.nbytes + self.y.nbytes


def figures(reader: Reader, name: FigureName) -> Figures:
    """A figure of all loans by loan_id; NaN where it is not known."""
    if name != "noi_change":
        return columns.figures(reader, name)
    return reader.column(("figure", name), lambda: _noi_change(reader))


def _noi_change(reader: Reader) -> Figures:
    noi, before = (columns.figures(reader, one) for one in ("noi", "underwritten_noi"))
    told = ~np.isnan(columns.figures(reader, "income_to")) & (before > 0)
    change = np.full(len(noi), np.nan)
    change[told] = noi[told] / before[told] - 1
    return change


def loan_scatter(reader: Reader, query: LoanFilter, plot: Plot) -> Scatter:
    """The loans that match by two figures."""
    asked = ("scatter", plot, MOST_POINTS, FEWEST_CLIPPED, *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: _scatter(reader, _placed(reader, query, plot), plot))


def loans_within(reader: Reader, query: LoanFilter, plot: Plot, areas: tuple[Area, ...]) -> Within:
    """The loans of a plot that lie in any of some areas of it."""
    of = _placed(reader, query, plot)
    x = _as_drawn(of.x_drawn, log=plot.is_log("x"))
    y = _as_drawn(of.y_drawn, log=plot.is_log("y"))
    chosen = np.zeros(len(of.ids), bool)
    for area in areas:
        chosen |= _inside(x, y, area, plot)
    ids = of.ids[chosen]
    numbers = tuple(reader.graph.names(ids[:MOST_NUMBERS].tolist()))
    return Within(numbers=numbers, totals=loan_results.totals_of(reader, ids))


def _placed(reader: Reader, query: LoanFilter, plot: Plot) -> _Placed:
    asked = ("placed", plot, MOST_POINTS, FEWEST_CLIPPED, *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: _place(reader, loan_ids(reader, query), plot))


def _place(reader: Reader, ids: Ids, plot: Plot) -> _Placed:
    x, y = figures(reader, plot.x)[ids], figures(reader, plot.y)[ids]
    on_x, on_y = _on_axis(x, log=plot.is_log("x")), _on_axis(y, log=plot.is_log("y"))
    loans, missing = len(ids), int((np.isnan(x) | np.isnan(y)).sum())
    shown = on_x & on_y
    not_positive = loans - missing - int(shown.sum())
    if loans <= MOST_POINTS and on_x.any() and on_y.any():
        shown[:] = True
    ids, x, y, on_x, on_y = ids[shown], x[shown], y[shown], on_x[shown], on_y[shown]
    x_ends, y_ends = (_ends(values, clip=plot.clip) for values in (x[on_x], y[on_y]))
    return _Placed(plot, ids, x, y, x_ends, y_ends, loans, missing, not_positive)


def _on_axis(values: Figures, *, log: bool) -> Flags:
    """Which loans have a place on an axis."""
    found: Flags = np.nan_to_num(values) > 0 if log else ~np.isnan(values)
    return found


def _drawn(values: Figures, ends: tuple[float, float] | None, *, log: bool) -> Figures:
    if ends is None:
        return values
    return np.where(_on_axis(values, log=log), np.clip(values, *ends), aside(ends, log=log))


def _ends(values: Figures, *, clip: bool) -> tuple[float, float] | None:
    """Where an axis ends; percentiles that are one figure leave no room for the others."""
    if not len(values):
        return None
    if clip and len(values) >= FEWEST_CLIPPED:
        low, high = np.percentile(values, CLIPPED)
        if low < high:
            # Of figures that differ in their last digit none is beyond the other.
            slack = _LAST_DIGIT * max(abs(low), abs(high))
            values = values[(values >= low - slack) & (values <= high + slack)]
    return float(values.min()), float(values.max())


def _beyond(values: Figures, ends: tuple[float, float], *, log: bool) -> Flags:
    return _on_axis(values, log=log) & ((values < ends[0]) | (values > ends[1]))


def _scatter(reader: Reader, of: _Placed, plot: Plot) -> Scatter:
    many = of.loans > MOST_POINTS and bool(len(of.ids))
    x_log, y_log = plot.is_log("x"), plot.is_log("y")
    beyond, x_edges, y_edges = 0, np.empty(0), np.empty(0)
    if of.x_ends and of.y_ends:
        across, up = _beyond(of.x, of.x_ends, log=x_log), _beyond(of.y, of.y_ends, log=y_log)
        beyond = int((across | up).sum())
        if many:
            x_edges = edges(np.array(of.x_ends), CELLS[0], log=x_log)
            y_edges = edges(np.array(of.y_ends), CELLS[1], log=y_log)
    return Scatter(
        loans=of.loans,
        drawn=of.loans - of.missing - of.not_positive,
        missing=of.missing,
        not_positive=of.not_positive,
        beyond=beyond,
        x_ends=of.x_ends,
        y_ends=of.y_ends,
        points=None if many else _points(reader, of, plot),
        cells=_cells(reader, of, x_edges, y_edges) if many else (),
        x_edges=tuple(x_edges.tolist()),
        y_edges=tuple(y_edges.tolist()),
    )


def _points(reader: Reader, of: _Placed, plot: Plot) -> Points:
    book = columns.figures(reader, "book_value")[of.ids]
    found = loan_results.table_of(reader, of.ids, _PLACE)
    return Points(
        loan_number=tuple(reader.graph.names(of.ids.tolist())),
        x=_known(of.x),
        y=_known(of.y),
        word=tuple(columns.values(reader, _COLOURED.get(plot.colour, plot.colour), of.ids)),
        book_value=tuple(None if np.isnan(one) else int(one) for one in book),
        **{name: tuple(found[name].to_pylist()) for name in _PLACE},
    )


def _known(values: Figures) -> tuple[float | None, ...]:
    return tuple(None if np.isnan(one) else one for one in values.tolist())


def _cells(reader: Reader, of: _Placed, x_edges: Figures, y_edges: Figures) -> tuple[Cell, ...]:
    rows = len(y_edges) - 1
    place = classes(of.x_drawn, x_edges) * rows + classes(of.y_drawn, y_edges)
    book = notes.dollars(reader, "book_value")[of.ids]
    loans = notes.count(reader, of.ids, place, 0)
    worth = np.bincount(place, weights=book)
    return tuple(
        Cell(column=at // rows, row=at % rows, loans=int(loans[at]), book_value=int(worth[at]))
        for at in np.flatnonzero(loans).tolist()
    )


def edges(values: Figures, count: int, *, log: bool = False) -> Figures:
    """Ends of so many classes from the lowest to the highest figure, of one width as drawn."""
    low, high = float(values.min()), float(values.max())
    if low == high:  # one class in the middle holds all
        low, high = (low / 2, high * 2) if log else (low - 0.5, high + 0.5)
    found: Figures = (
        np.geomspace(low, high, count + 1) if log else np.linspace(low, high, count + 1)
    )
    found[0], found[-1] = low, high
    return found


def classes(values: Figures, ends: Figures) -> npt.NDArray[np.int64]:
    """Class of each figure: it holds its lower end; the first and last all beyond them.

    Classes of one width are counted off, and set right by their ends, which is five times as fast
    as a search in them; those of powers of ten are searched.
    """
    last = len(ends) - 2
    width = (ends[-1] - ends[0]) / (last + 1)
    if not np.allclose(np.diff(ends), width, rtol=1e-6, atol=0):
        place: npt.NDArray[np.int64] = np.searchsorted(ends, values, side="right") - 1
        return np.clip(place, 0, last)
    place = np.clip((values - ends[0]) * (1 / width), 0, last).astype(np.int64)
    place -= (values < ends[place]) & (place > 0)
    place += (values >= ends[place + 1]) & (place < last)
    return place


def _as_drawn(values: Figures, *, log: bool) -> Figures:
    return np.log10(np.maximum(values, _NEXT_TO_NOTHING)) if log else values


def _inside(x: Figures, y: Figures, area: Area, plot: Plot) -> Flags:
    """Which loans lie in an area; within an outline, where a ray to the right crosses it an odd
    number of times.
    """
    left = _as_drawn(np.array(area.x), log=plot.is_log("x"))
    low = _as_drawn(np.array(area.y), log=plot.is_log("y"))
    inside: Flags = (x >= left.min()) & (x <= left.max()) & (y >= low.min()) & (y <= low.max())
    if area.is_box:
        return inside
    near = np.flatnonzero(inside)
    inside[near] = _within(x[near], y[near], left, low)
    return inside


def _within(x: Figures, y: Figures, left: Figures, low: Figures) -> Flags:
    # In bands from the bottom up, so that each edge meets only the loans beside it: sorting by so
    # few bands is quick.
    corner = _bands(low, low)
    band = _bands(y, low)
    order = np.argsort(band, kind="stable")
    starts = np.append(0, np.cumsum(np.bincount(band, minlength=_BANDS)))
    x, y = x[order], y[order]
    odd = np.zeros(len(x), bool)
    ends: list[Any] = list(zip(left.tolist(), low.tolist(), corner.tolist(), strict=True))
    for (x1, y1, band1), (x2, y2, band2) in zip(ends, [*ends[1:], ends[0]], strict=True):
        if y1 != y2:
            beside = slice(int(starts[min(band1, band2)]), int(starts[max(band1, band2) + 1]))
            up, across = y[beside], x[beside]
            crosses = across < (x2 - x1) * (up - y1) / (y2 - y1) + x1
            odd[beside] ^= ((y1 > up) != (y2 > up)) & crosses
    found = np.empty(len(x), bool)
    found[order] = odd
    return found


def _bands(y: Figures, low: Figures) -> npt.NDArray[np.uint8]:
    """Which band of an outline's height each figure lies in, from 0."""
    height = float(low.max() - low.min())
    part = (y - low.min()) / height if height else np.zeros(len(y))
    return np.clip(part * _BANDS, 0, _BANDS - 1).astype(np.uint8)
