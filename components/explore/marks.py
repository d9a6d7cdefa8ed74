"""The marks of a plot: one a loan, with what its card says, and arrows at the ends of an axis."""

import math
from collections.abc import Sequence
from typing import Final

from components.explore.figures import label, written
from components.kit import chart, severity, text
from components.kit.formatting import MISSING, count, money, place, words
from components.kit.text import escaped
from services.contract.columns import COLUMN
from services.contract.distributions import ColourBy, Plot, Points, drawn_at
from services.contract.vocabulary import SEVERITIES, UNGRADED

Ends = tuple[float, float]
#: Where the loans lie, across and up.
Places = tuple[Sequence[float], Sequence[float]]

#: Characters of a property's name on a hover card.
_LONGEST: Final = 60
_HOVER: Final = (
    "<b>%{customdata[1]}</b><br>"
    + "<br>".join(f"%{{customdata[{at}]}}" for at in range(2, 7))
    + "<extra></extra>"
)
#: Pixels across of the smallest and the largest loan of a plot; its area goes by book value.
_SMALLEST, _LARGEST = 5.0, 17.0
#: How strong marks are: the worst most. Without a severity to tell them apart, all alike.
_OPACITY: Final = dict(zip((None, *SEVERITIES), (0.5, 0.55, 0.65, 0.75, 0.85, 0.95), strict=True))
_ALIKE: Final = 0.75
#: Of what a selection leaves out, beside what it holds.
_FAINT: Final = 0.62
#: Of the arrow beside a loan that lies beyond an axis.
_ARROW: Final = 7


def said(word: str | None, by: ColourBy) -> str:
    """A word of a colour as the legend has it."""
    if word is None:
        return "not known"
    return severity.label(word) if COLUMN[by].kind == "severity" else words(word)


def draw(
    figure: chart.Chart,
    points: Points,
    ends: tuple[Ends, Ends],
    plot: Plot,
    *,
    marked: str | None,
    dark: bool,
) -> Places:
    """A mark a loan, a ring around one `marked`; gives where they lie."""
    at = (
        [drawn_at(one, ends[0], log=plot.is_log("x")) for one in points.x],
        [drawn_at(one, ends[1], log=plot.is_log("y")) for one in points.y],
    )
    _points(figure, points, at, plot, dark=dark)
    _ring(figure, points, at, marked, dark=dark)
    return at


def _points(
    figure: chart.Chart,
    points: Points,
    at: Places,
    plot: Plot,
    *,
    dark: bool,
) -> None:
    """One trace a word, the mildest first, so that the worst lies on top."""
    largest = max((one or 0 for one in points.book_value), default=0) or 1
    there = set(points.word)
    known = {*UNGRADED, *SEVERITIES}
    odd = sorted(word for word in there if word and word not in known)
    listed = [None, *UNGRADED, *odd, *SEVERITIES]
    for order, word in enumerate(one for one in listed if one in there):
        rows = [row for row, one in enumerate(points.word) if one == word]
        strong = _OPACITY.get(None if word in UNGRADED else word, _ALIKE)
        figure.add_scatter(
            name=escaped(said(word, plot.colour)),
            x=[at[0][row] for row in rows],
            y=[at[1][row] for row in rows],
            mode="markers",
            marker={
                **chart.look(word, order, dark=dark),
                "size": [_size(points.book_value[row], largest) for row in rows],
                "opacity": strong,
                "line": {"color": chart.EDGE, "width": 0.6},
            },
            customdata=[_hover(points, row, plot) for row in rows],
            hovertemplate=_HOVER,
            selected={"marker": {"opacity": max(strong, _ALIKE)}},
            unselected={"marker": {"opacity": round(strong * _FAINT, 2)}},
        )


def _size(book_value: int | None, largest: int) -> float:
    part = math.sqrt(max(book_value or 0, 0) / largest)
    return round(_SMALLEST + (_LARGEST - _SMALLEST) * part, 1)


def _hover(points: Points, at: int, plot: Plot) -> list[str]:
    """The number as it is, then each on a line of its own, as a card has it: what the loan is
    called, its number and city, both figures, colour, book value.
    """
    number = points.loan_number[at]
    named = text.cut(text.line(points.property_name[at] or ""), _LONGEST)
    where = place(points.property_city[at], points.property_state[at])
    beside = [number] if named else []
    lines = (
        named or number,
        ", ".join([*beside, *([] if where == MISSING else [where])]) or MISSING,
        f"{label(plot.x)}: {written(plot.x, points.x[at])}",
        f"{label(plot.y)}: {written(plot.y, points.y[at])}",
        f"{COLUMN[plot.colour].label}: {said(points.word[at], plot.colour)}",
        f"{COLUMN['book_value'].label}: {money(points.book_value[at])}",
    )
    return [number, *(escaped(line) for line in lines)]


def _ring(
    figure: chart.Chart,
    points: Points,
    at: Places,
    marked: str | None,
    *,
    dark: bool,
) -> None:
    if marked not in points.loan_number:
        return
    x, y = (places[points.loan_number.index(marked)] for places in at)
    colour = chart.marked(dark=dark)
    figure.add_scatter(
        name=escaped(marked),
        x=[x],
        y=[y],
        mode="markers+text",
        text=[escaped(marked)],
        textposition="top center",
        textfont={"color": colour},
        marker={
            "symbol": "circle-open", "size": _LARGEST + 4,
            "line": {"color": colour, "width": 3}, "color": colour,
        },
        hoverinfo="skip",
    )  # fmt: skip


def arrows(
    figure: chart.Chart,
    points: Points,
    at: Places,
    ends: tuple[Ends, Ends],
    plot: Plot,
    *,
    dark: bool,
) -> None:
    """At the edge of the plot, beside each loan that lies beyond it: which way."""
    across = chart.padded(ends[0], log=plot.is_log("x"))
    up = chart.padded(ends[1], log=plot.is_log("y"))
    beyond, loans = [], 0
    for own_x, own_y, x, y in zip(points.x, points.y, *at, strict=True):
        # What has no figure lies on no end of the axis.
        far_x, far_y = x != own_x and x in ends[0], y != own_y and y in ends[1]
        loans += far_x or far_y
        if far_x:
            high = x == ends[0][1]
            beyond.append((across[high], y, f"triangle-{('left', 'right')[high]}"))
        if far_y:
            high = y == ends[1][1]
            beyond.append((x, up[high], f"triangle-{('down', 'up')[high]}"))
    figure.add_scatter(
        name=f"beyond an axis: {count(loans)}, at its end",
        x=[x for x, _, _ in beyond],
        y=[y for _, y, _ in beyond],
        mode="markers",
        marker={"symbol": [symbol for *_, symbol in beyond], "size": _ARROW,
                "color": chart.ink(dark=dark)},
        cliponaxis=False,
        hoverinfo="skip",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )  # fmt: skip
