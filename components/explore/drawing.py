"""Two figures of each loan as a drawing. Pure: an answer in, a Plotly figure out."""

import math
from collections.abc import Sequence
from typing import Final

from components.explore import marks
from components.explore.figures import label, written
from components.explore.limits import Limit
from components.kit import chart
from components.kit.formatting import count, loan_count, money
from components.kit.text import escaped
from services.contract.distributions import FIGURES, Area, Plot, Scatter

HEIGHT: Final = 580
#: Of the middle of each cell, which the mouse points at and an outline selects.
_UNSEEN: Final = {"size": 8, "opacity": 0}


def drawn(
    found: Scatter,
    plot: Plot,
    limits: tuple[Sequence[Limit], Sequence[Limit]],
    *,
    marked: str | None = None,
    area: Area | None = None,
    dark: bool = False,
) -> chart.Chart:
    """Points, or cells where they are many, and the limits of either figure. A loan that is
    `marked` has a ring around it; what lies in an `area` is selected.
    """
    figure = chart.empty()
    if found.x_ends is None or found.y_ends is None:
        return figure
    ends, points = (found.x_ends, found.y_ends), found.points
    at: marks.Places = ends  # nothing lies aside of cells
    if points is None:
        _cells(figure, found, plot, dark=dark)
    else:
        at = marks.draw(figure, points, ends, plot, marked=marked, dark=dark)
    x, y = (
        chart.axis(FIGURES[name].kind, escaped(label(name)), of, log=log, least=min(places))
        for name, of, log, places in (
            (plot.x, ends[0], plot.is_log("x"), at[0]),
            (plot.y, ends[1], plot.is_log("y"), at[1]),
        )
    )
    figure.update_layout(
        chart.layout(HEIGHT, above=34, dragmode="select", selectdirection="any"), xaxis=x, yaxis=y
    )
    for axis, of, some in (("x", x, limits[0]), ("y", y, limits[1])):
        chart.lines(figure, axis, [(one.at, one.mark) for one in some], of)
    if points is not None and found.beyond:
        marks.arrows(figure, points, at, ends, plot, dark=dark)
    if area and area.is_box:
        figure.add_selection(x0=area.x[0], x1=area.x[1], y0=area.y[0], y1=area.y[1])
    elif area:
        corners = "L".join(f"{across},{up}" for across, up in zip(area.x, area.y, strict=True))
        figure.add_selection(type="path", path=f"M{corners}Z")
    # Under the plot: over it stands the bar of buttons, which covers a legend on a narrow page.
    figure.update_layout(legend={"yref": "container", "y": 0})
    return figure


def _cells(figure: chart.Chart, found: Scatter, plot: Plot, *, dark: bool) -> None:
    """A colour a cell by how many loans it holds, in powers of ten; empty ones stay blank."""
    columns, rows = len(found.x_edges) - 1, len(found.y_edges) - 1
    grid: list[list[float | None]] = [[None] * columns for _ in range(rows)]
    for one in found.cells:
        grid[one.row][one.column] = math.log10(one.loans)
    most = max(one.loans for one in found.cells)
    ticks = [10**power for power in range(len(str(most)))]
    figure.add_heatmap(
        x=found.x_edges,
        y=found.y_edges,
        z=grid,
        zmin=0,
        zmax=max(math.log10(most), 0.5),
        colorscale=chart.scale(dark=dark),
        colorbar={
            "title": {"text": "Loans"}, "thickness": 12, "len": 0.6,
            "tickvals": [math.log10(tick) for tick in ticks],
            "ticktext": [count(tick) for tick in ticks],
        },
        hoverinfo="skip",
    )  # fmt: skip
    middles = [
        (_middle(found.x_edges, one.column, log=plot.is_log("x")),
         _middle(found.y_edges, one.row, log=plot.is_log("y")))
        for one in found.cells
    ]  # fmt: skip
    figure.add_scatter(
        x=[x for x, _ in middles],
        y=[y for _, y in middles],
        mode="markers",
        marker=_UNSEEN,
        showlegend=False,
        customdata=[
            [
                escaped(f"{loan_count(one.loans)}, {money(one.book_value)}"),
                escaped(between(plot, found, one.column, one.row)),
            ]
            for one in found.cells
        ],
        hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]}<extra></extra>",
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
    )


def between(plot: Plot, found: Scatter, column: int, row: int) -> str:
    """Between which figures a cell lies."""
    x, y = found.x_edges, found.y_edges
    return (
        f"{label(plot.x)} {written(plot.x, x[column])} to {written(plot.x, x[column + 1])}, "
        f"{label(plot.y)} {written(plot.y, y[row])} to {written(plot.y, y[row + 1])}"
    )


def _middle(edges: Sequence[float], at: int, *, log: bool) -> float:
    low, high = edges[at], edges[at + 1]
    return math.sqrt(low * high) if log else (low + high) / 2
