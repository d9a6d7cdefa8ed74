"""How kinds of nodes and tiers of edges look in the capital graph, and their legend. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from components.graph import network as kinds
from services.contract.vocabulary import CONFIRMED_FROM, PROBABLE_FROM, tier_of

#: Text of the chart, and the ground around it, by theme: ECharts' own is too faint to read.
INK: Final = {False: "#18232f", True: "#e4ebf2"}
GROUND: Final = {False: "#ffffff", True: "#10171f"}
#: Ring around the node that is chosen.
CHOSEN: Final[dict[str, Any]] = {"borderColor": "#e69f00", "borderWidth": 4}


@dataclass(frozen=True, slots=True)
class Mark:
    """How a kind of node looks: shape and colour together, never colour alone."""

    symbol: str
    colour: str
    hollow: bool = False


#: Every colour has a contrast of at least 3.4 to the light ground and to the dark one.
MARKS: Final[dict[str, Mark]] = {
    kinds.LOAN: Mark("circle", "#2f7fc1"),
    kinds.BORROWER: Mark("roundRect", "#c77700"),
    kinds.OWNER: Mark("diamond", "#12866b"),
    kinds.OWNED: Mark("diamond", "#12866b", hollow=True),
    kinds.CAPITAL_SOURCE: Mark("rect", "#b0518f"),
    kinds.ORIGINATOR: Mark("triangle", "#8566d6"),
    kinds.SERVICER: Mark("path://M0,0L10,0L5,9Z", "#877800"),
    kinds.OTHER: Mark("circle", "#7d8894", hollow=True),
}
LINE: Final = "#7d8894"


@dataclass(frozen=True, slots=True)
class Stroke:
    """How an edge of a tier looks; `legend` is its picture as an SVG path."""

    label: str
    width: float
    dash: str
    legend: str


STROKES: Final[dict[str | None, Stroke]] = {
    "confirmed": Stroke(
        f"confirmed, {CONFIRMED_FROM:.2f} and over", 2.4, "solid", "path://M0,3h30v4h-30z"
    ),
    "probable": Stroke(
        f"probable, {PROBABLE_FROM:.2f} and over",
        1.6,
        "dashed",
        "path://M0,3.5h8v3h-8zM11,3.5h8v3h-8zM22,3.5h8v3h-8z",
    ),
    "inferred": Stroke(
        f"inferred, under {PROBABLE_FROM:.2f}",
        1.2,
        "dotted",
        "path://M0,4h3v2h-3zM7,4h3v2h-3zM14,4h3v2h-3zM21,4h3v2h-3zM27,4h3v2h-3z",
    ),
    None: Stroke("confidence not given", 0.6, "dotted", "path://M0,4.5h2v1h-2zM28,4.5h2v1h-2z"),
}


def stroke(confidence: float | None) -> Stroke:
    """The stroke of an edge's tier (D29)."""
    return STROKES[None if confidence is None else tier_of(confidence)]


def look(mark: Mark, size: float, *, marked: bool) -> dict[str, Any]:
    """Symbol and style of a node, as ECharts takes them."""
    style: dict[str, Any] = {"color": mark.colour}
    if mark.hollow:
        style = {"color": "transparent", "borderColor": mark.colour, "borderWidth": 2}
    if marked:
        style |= CHOSEN
    return {
        "symbol": mark.symbol,
        "symbolSize": round(size, 1),
        "itemStyle": style,
    }


def legend(shown: Sequence[str], keys: Sequence[Stroke], *, dark: bool) -> dict[str, Any]:
    """The legend of the kinds and strokes that occur; nothing to switch off by it."""
    marks = [
        {
            "name": kind,
            "icon": MARKS[kind].symbol,
            "itemStyle": look(MARKS[kind], 1, marked=False)["itemStyle"],
        }
        for kind in shown
    ]
    lines = [{"name": one.label, "icon": one.legend, "itemStyle": {"color": LINE}} for one in keys]
    return {
        "data": [*marks, *lines],
        "top": 0,
        "left": 0,
        "itemHeight": 11,
        "itemWidth": 18,
        "selectedMode": False,
        "textStyle": {"fontSize": 11, "color": INK[dark]},
    }
