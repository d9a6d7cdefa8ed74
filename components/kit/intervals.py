"""Figures between 0 and 1, each as a point on its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from components.kit import chart
from components.kit.chart import MARK
from components.kit.text import escaped

_ROW: Final = 46
#: Room for half of "100%", in pixels.
_LAST_TICK: Final = 22


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure, the ends of its interval, and what is said of it where it is pointed at."""

    name: str
    at: float
    low: float
    high: float
    said: str


def drawn(found: Sequence[Interval], title: str, tick_format: str = "") -> chart.Chart:
    """One row a figure, the first at the top; `title` is that of the axis."""
    figure = chart.empty()
    figure.add_scatter(
        x=[one.at for one in found],
        y=[escaped(one.name) for one in found],
        mode="markers",
        marker={"color": MARK, "size": 10},
        cliponaxis=False,
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [one.high - one.at for one in found],
            "arrayminus": [one.at - one.low for one in found],
            "color": MARK,
            "thickness": 2,
        },
        customdata=[escaped(one.said) for one in found],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
    )
    figure.update_layout(
        chart.layout(60 + _ROW * max(len(found), 1)),
        margin_r=_LAST_TICK,
        showlegend=False,
        xaxis={
            "range": [0, 1], "fixedrange": True, "dtick": 0.25, "title": title,
            "tickformat": tick_format,
        },
        yaxis={"autorange": "reversed", "fixedrange": True, "automargin": True},
    )  # fmt: skip
    return figure
