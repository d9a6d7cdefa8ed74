"""How Plotly's charts look, light and dark: buttons, lines, colours, axes that read as ours.

Pure; plotly itself is imported by the pages that draw with it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from components.kit import severity
from components.kit.formatting import axis_money, fixed
from components.kit.text import escaped
from services.contract.facts import Kind
from services.contract.rounding import rounded
from services.contract.vocabulary import NO_SIGNAL, SEVERITIES, UNGRADED

if TYPE_CHECKING:  # plotly is imported by the pages that draw with it
    import plotly.graph_objects as go

#: A chart of Plotly.
Chart: TypeAlias = "go.Figure"
#: Edges of marks, lines of limits.
EDGE: Final = "#7d8894"
#: A chart's one colour, and what is marked on it.
MARK: Final = "#2f6fa7"
MARKED: Final = "#c2185b"
MARKED_ON_DARK: Final = "#ff7eb6"
#: Shape of a mark by severity, as its glyph is shaped; open without a signal.
SHAPES: Final[Mapping[str, str]] = dict(zip((*UNGRADED, *SEVERITIES), (
    "x-thin-open", "square-open", "circle-open", "circle", "square", "triangle-up", "diamond",
    "hexagon"), strict=True))  # fmt: skip
#: Told apart by all kinds of eyes (Okabe and Ito), with a shape each.
_COLOURS: Final = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c6d31")
_FORMS: Final = ("circle", "square", "diamond", "triangle-up", "cross", "star", "hexagon", "x")
#: From few to many: what stands out is dark on a light page, light on a dark one.
_SCALE: Final = ("#dfe9f4", "#7fadd6", "#2f6fa7", "#0b3561")
_SCALE_ON_DARK: Final = ("#22384d", "#3d6f9e", "#6fb0e6", "#d3ecff")
#: By whether the page is dark: its words, and its ground, through which a line is just seen.
_INK: Final = {
    False: ("#31404f", "rgba(255, 255, 255, 0.8)"),
    True: ("#d5dde5", "rgba(16, 24, 32, 0.8)"),
}
#: Lines that an axis has at most, and the steps between them.
_LINES: Final = 7
_STEPS: Final = (1, 2, 2.5, 5, 10)
_DECADES: Final = 4
#: In pixels, of the names of limits: from a line to its name, from one name to the next, room for
#: names beside the plot, about how tall a plot is; and rows of names over it.
_LEADER, _LINE, _BESIDE, _TALL, _ROWS = 10, 15, 88, 450, 3


def empty() -> Chart:
    """A chart with nothing on it yet."""
    import plotly.graph_objects as go

    return go.Figure()


def config(name: str, *, draws: bool) -> dict[str, Any]:
    """The bar of a chart: the camera, under whose pictures `name` stands; where a reader `draws`
    around marks, what selects and zooms, always in sight.
    """
    camera = {"format": "png", "scale": 2, "filename": name}
    shared = {"displaylogo": False, "toImageButtonOptions": camera}
    if not draws:
        return {**shared, "displayModeBar": "hover", "modeBarButtons": [["toImage"]]}
    left_out = ["autoScale2d", "zoomIn2d", "zoomOut2d"]
    return {**shared, "displayModeBar": True, "modeBarButtonsToRemove": left_out}


def layout(height: int, *, above: int = 8, **further: Any) -> dict[str, Any]:  # noqa: ANN401 - of Plotly
    """What the layouts of all charts share: how tall, hover cards, legend; `above` is the room over
    the plot, where the legend stands.
    """
    return {
        "height": height,
        "margin": {"l": 0, "r": 8, "t": above, "b": 0},
        "hovermode": "closest",
        "hoverlabel": {"align": "left", "namelength": -1},
        "legend": {
            "orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "itemsizing": "constant",
        },
        **further,
    }  # fmt: skip


def inked(figure: Chart, *, dark: bool) -> None:
    """Words of a chart in the page's own colour, not in Streamlit's faded one; what stands within
    the plot on a ground that covers lines behind it.
    """
    ink, ground = _INK[dark]
    words = {"color": ink}
    figure.update_layout(legend_font=words, hoverlabel_font=words, font=words)
    for update in (figure.update_xaxes, figure.update_yaxes):
        update(tickfont=words, title_font=words)
    figure.update_annotations(bgcolor=ground, font=words)


def ink(*, dark: bool) -> str:
    """The colour of a chart's words."""
    return _INK[dark][0]


def scale(*, dark: bool) -> list[tuple[float, str]]:
    """Colours from few to many."""
    chosen = _SCALE_ON_DARK if dark else _SCALE
    return [(at / (len(chosen) - 1), colour) for at, colour in enumerate(chosen)]


def marked(*, dark: bool) -> str:
    """What one marked loan is drawn in."""
    return MARKED_ON_DARK if dark else MARKED


def look(word: str | None, place: int, *, dark: bool) -> dict[str, Any]:
    """Colour and shape of the marks of a word: a severity's own, else those of its place."""
    if word is None or word in UNGRADED:
        return {"color": EDGE, "symbol": SHAPES[word or NO_SIGNAL]}
    if word in SEVERITIES:
        return {"color": severity.colour(word, dark=dark), "symbol": SHAPES[word]}
    return {"color": _COLOURS[place % len(_COLOURS)], "symbol": _FORMS[place % len(_FORMS)]}


def colour(place: int) -> str:
    """A colour of its own for each of a few words."""
    return _COLOURS[place % len(_COLOURS)]


def axis(
    kind: Kind,
    label: str,
    ends: tuple[float, float],
    *,
    log: bool,
    most: int = _LINES,
    least: float = math.inf,
) -> dict[str, Any]:
    """An axis between two figures with a little room beside them, its lines written as its unit
    asks, at most `most` on one that is not of powers of ten; what lies at `least` has no figure.
    """
    low, high = padded(ends, log=log)
    ticks = _decades(low, high) if log else _round(low, high, most)
    apart = least < ends[0]
    if apart:
        low, _ = padded((least, ends[1]), log=log)
        ticks = [tick for tick in ticks if tick >= ends[0]]
    written = list(map(_write(kind, ticks), ticks))
    return {
        "type": "log" if log else "linear",
        "range": [math.log10(low), math.log10(high)] if log else [low, high],
        "title": {"text": label, "standoff": 8},
        "tickvals": [*[least] * apart, *ticks],
        "ticktext": [*["none"] * apart, *written],
        "tickangle": 0,
        "automargin": True,
        "zeroline": False,
    }


def lines(
    figure: Chart, across: str, limits: Sequence[tuple[float, str]], of: dict[str, Any]
) -> None:
    """A line for each limit that lies on an axis ("x" or "y"), with its name outside the plot: over
    the line, or right of it, where names lie a line apart. Before all else that sets margins.
    """
    log = of["type"] == "log"
    low, high = of["range"]
    places = [(math.log10(at) if log else at, at, name) for at, name in limits if at > 0 or not log]
    there = sorted(one for one in places if low < one[0] < high)
    if not there:
        return
    if across == "x":
        away = [(0, -_LEADER - _LINE * (at % _ROWS)) for at in range(len(there))]
        room = _LEADER + _LINE * min(len(there), _ROWS)
        figure.update_layout(margin_t=(figure.layout.margin.t or 0) + room)
        beside = {"y": 1, "yref": "paper", "yanchor": "bottom"}
        along = {"y0": 0, "y1": 1, "yref": "paper"}
    else:
        pixels = [_TALL * (place - low) / (high - low) for place, *_ in there]
        away = [
            (_LEADER, round(own - apart)) for own, apart in zip(pixels, _apart(pixels), strict=True)
        ]
        figure.update_layout(margin_r=_BESIDE)
        beside = {"x": 1, "xref": "paper", "xanchor": "left"}
        along = {"x0": 0, "x1": 1, "xref": "paper"}
    dashed = {"color": EDGE, "width": 1, "dash": "dash"}
    for (place, limit, name), (ax, ay) in zip(there, away, strict=True):
        ends = {f"{across}0": limit, f"{across}1": limit}
        figure.add_shape(type="line", line=dashed, **ends, **along)
        figure.add_annotation(
            text=escaped(name), font={"size": 11}, ax=ax, ay=ay, arrowhead=0, arrowwidth=1,
            arrowcolor=EDGE, **{across: place}, **beside,
        )  # fmt: skip


def _apart(pixels: Sequence[float]) -> list[float]:
    """Where names stand, from the lowest up: each at its own line, or over the name below it."""
    found: list[float] = []
    for own in pixels:
        found.append(max(own, found[-1] + _LINE) if found else own)
    return found


def line(figure: Chart, at: float, colour: str) -> None:
    """The line of one marked loan."""
    figure.add_shape(
        type="line", x0=at, x1=at, y0=0, y1=1, yref="paper", line={"color": colour, "width": 2.5}
    )


def padded(ends: tuple[float, float], *, log: bool) -> tuple[float, float]:
    """The ends of an axis: a twenty-fifth of it further than the figures on it."""
    low, high = ends
    if log:
        room = (high / low) ** 0.04 if high > low else 2.0
        return low / room, high * room
    room = 0.04 * (high - low) or abs(high) / 10 or 1.0
    return low - room, high + room


def _round(low: float, high: float, most: int) -> list[float]:
    """Round figures between two, at most so many of them."""
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(power * one for one in (*_STEPS, 20) if (high - low) / (power * one) <= most)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [round(at * step, 12) for at in range(first, last + 1)]


def _decades(low: float, high: float) -> list[float]:
    """Powers of ten between two figures; with 2 and 5 times each where they are few."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    times = (1, 2, 5) if last - first <= _DECADES else (1,)
    listed = [one * 10.0**power for power in range(first, last + 1) for one in times]
    return [float(f"{one:.12g}") for one in listed if low <= one <= high]


def _write(kind: Kind, ticks: list[float]) -> Callable[[float], str]:
    """How figures of a kind read on an axis, with as many digits as tell its lines apart."""
    factor = 100 if kind == "fraction" else 1
    digits = max((_digits(tick * factor) for tick in ticks), default=0)
    unit = {"percent": "%", "fraction": "%", "times": "x", "basis points": " bp"}.get(kind, "")
    if kind == "dollars":
        return axis_money
    return lambda value: f"{fixed(value * factor, digits)}{unit}"


def _digits(value: float) -> int:
    """Digits after the point, at most four."""
    _, digits, exponent = rounded(value, 4).normalize().as_tuple()
    return max(0, -int(exponent)) if any(digits) else 0
