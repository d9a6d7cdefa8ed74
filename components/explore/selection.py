"""What a reader has drawn around some loans of a plot: boxes and lassos, as areas of it.

One box or one lasso stands in the address, so that a link shows it again: a lasso by as many of its
corners as show.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Annotated, Any, Final

import streamlit as st
from pydantic import AfterValidator, BeforeValidator

from services.contract.distributions import Area
from services.contract.queries import Number, four

#: Areas at once, and corners of one: a lasso by hand has a hundred or two.
_MOST_AREAS: Final = 20
_MOST_CORNERS: Final = 500
_BOX_CORNERS: Final = 2
_LEAST_CORNERS: Final = 3
#: Digits of each figure of a box that stand in an address.
_DIGITS: Final = 6
#: Corners of a lasso in an address; one is left out where the line without it passes so near, in
#: parts of the lasso's size.
_MOST_KEPT: Final = 60
_NEAR: Final = 0.002
#: Session key of the outline that is held.
_HELD: Final = "plot outline"


def _ordered(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x, y = sorted(box[:2]), sorted(box[2:])
    return x[0], x[1], y[0], y[1]


#: From and to across, from and to up, in the units of the figures.
Box = Annotated[
    tuple[Number, Number, Number, Number],
    BeforeValidator(four("numbers: from and to across, from and to up")),
    AfterValidator(_ordered),
]


def _corners(value: object) -> object:
    parts = value.split(",") if isinstance(value, str) else value
    least, most = 2 * _LEAST_CORNERS, 2 * _MOST_KEPT
    if isinstance(parts, Sequence) and least <= len(parts) <= most and len(parts) % 2 == 0:
        return tuple(parts)
    raise ValueError(f"must be {_LEAST_CORNERS} to {_MOST_KEPT} corners: across and up of each")


#: Across and up of each corner, in the units of the figures.
Lasso = Annotated[tuple[Number, ...], BeforeValidator(_corners)]


@dataclass(frozen=True, slots=True)
class Outline:
    """What is drawn in the chart on screen."""

    #: The plot, whatever is drawn in it, and which of its axes are of powers of ten.
    plot: str
    log: str
    #: In the address now, and when the chart came.
    area: Area | None
    first: Area | None
    #: How often a chart of this plot had to come again, because the area was changed elsewhere.
    begun: int = 0

    @property
    def key(self) -> str:
        """Key of the chart: the same as long as the reader alone draws in it."""
        return f"{self.plot} {self.begun}" if self.begun else self.plot

    def drawn(self) -> None:
        """For `on_select`: the area goes to the address, where one is all that is drawn."""
        area = kept(areas(st.session_state[self.key]), self.log)
        st.session_state["box"], st.session_state["lasso"] = _parameters(area)
        st.session_state[_HELD] = replace(self, area=area)


def forget() -> None:
    """For `on_click`: removes what is drawn. A double click in the chart does that too, but
    Streamlit tells of it only where it was drawn by hand.
    """
    st.session_state["box"] = st.session_state["lasso"] = None


def area_of(box: Box | None, lasso: Lasso | None) -> Area | None:
    """What an address says is drawn; a box, where it says both."""
    if box is not None:
        return Area(box[:2], box[2:])
    return Area(lasso[::2], lasso[1::2]) if lasso else None


def _parameters(area: Area | None) -> tuple[Box | None, Lasso | None]:
    if area is None:
        return None, None
    if area.is_box:
        return (area.x[0], area.x[1], area.y[0], area.y[1]), None
    return None, tuple(chain.from_iterable(zip(area.x, area.y, strict=True)))


def outline(plot: str, log: str, area: Area | None) -> Outline:
    """The outline of a plot for an area in the address: the one on screen where the reader drew
    that area in it, else one that begins with it.
    """
    held: Outline | None = st.session_state.get(_HELD)
    if held is None or held.plot != plot:
        held = Outline(plot, log, area, area)
    elif held.area != area:
        held = Outline(plot, log, area, area, held.begun + 1)
    st.session_state[_HELD] = held
    return held


def chosen(sent: object, area: Area | None) -> tuple[Area, ...]:
    """The areas that are drawn: that of the address, or more than it can hold."""
    found = areas(sent)
    return found if area is None or len(found) > 1 else (area,)


def kept(found: Sequence[Area], log: str = "") -> Area | None:
    """The one area that is all that is drawn, with as many corners and digits as an address has."""
    if len(found) != 1:
        return None
    (area,) = found
    if area.is_box:
        x, y = (tuple(sorted(_rounded(values))) for values in (area.x, area.y))
        return Area(x, y)
    shown = _shown([complex(*corner) for corner in zip(*_scaled(area, log), strict=True)])
    return Area(_rounded(area.x[at] for at in shown), _rounded(area.y[at] for at in shown))


def _scaled(area: Area, log: str) -> Iterator[list[float]]:
    """Across and up of its corners as drawn, in parts of its size."""
    for axis, values in (("x", area.x), ("y", area.y)):
        at = [math.log10(one) if axis in log and one > 0 else one for one in values]
        yield [(one - min(at)) / ((max(at) - min(at)) or 1.0) for one in at]


def _shown(corners: Sequence[complex]) -> list[int]:
    """The corners without which an outline would look another, by Douglas and Peucker."""
    near, last = _NEAR, len(corners) - 1
    while True:
        shown, parts = {0, last // 2, last}, [(0, last // 2), (last // 2, last)]
        while parts:
            start, end = parts.pop()
            between = range(start + 1, end)
            off = [_off(corners[at], corners[start], corners[end]) for at in between]
            if max(off, default=0.0) > near:
                far = between[off.index(max(off))]
                shown.add(far)
                parts += [(start, far), (far, end)]
        if len(shown) <= _MOST_KEPT:
            return sorted(shown)
        near *= 2


def _off(corner: complex, start: complex, end: complex) -> float:
    """How far a corner lies from the line between two others."""
    along = end - start
    if not along:
        return abs(corner - start)
    part = ((corner - start) * along.conjugate()).real / abs(along) ** 2
    return abs(corner - start - min(max(part, 0.0), 1.0) * along)


def _rounded(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(float(f"{one:.{_DIGITS}g}") for one in values)


def areas(sent: object) -> tuple[Area, ...]:
    """The areas of a chart's selection. The browser is trusted with nothing but finite figures:
    which loans lie within them the store looks up itself. On an axis of
    powers of ten it sends the figures themselves.
    """
    selection = sent.get("selection") if isinstance(sent, Mapping) else None
    if not isinstance(selection, Mapping):
        return ()
    found = []
    for kind in ("box", "lasso"):
        listed = selection.get(kind)
        for one in listed if isinstance(listed, Sequence) else ():
            area = _area(one, box=kind == "box")
            if area:
                found.append(area)
    return tuple(found[:_MOST_AREAS])


def _area(one: Any, *, box: bool) -> Area | None:  # noqa: ANN401 - from a browser
    if not isinstance(one, Mapping):
        return None
    x, y = (_figures(one.get(axis)) for axis in ("x", "y"))
    least = _BOX_CORNERS if box else _LEAST_CORNERS
    most = _BOX_CORNERS if box else math.inf
    if len(x) != len(y) or not least <= len(x) <= most:
        return None
    every = -(-len(x) // _MOST_CORNERS)
    return Area(x[::every], y[::every])


def _figures(sent: Any) -> tuple[float, ...]:  # noqa: ANN401 - from a browser
    if not isinstance(sent, Sequence) or isinstance(sent, str):
        return ()
    if not all(isinstance(one, int | float) and math.isfinite(one) for one in sent):
        return ()
    return tuple(float(one) for one in sent)
