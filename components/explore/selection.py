"""What a reader has drawn around some loans of a plot: boxes and lassos, as areas of it.

One box stands in the address, so that a link shows it again; a lasso has too many corners.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

import streamlit as st
from pydantic import AfterValidator, BeforeValidator

from services.contract.distributions import Area
from services.contract.queries import Number

#: Areas at once, and corners of one: a lasso by hand has a hundred or two.
_MOST_AREAS: Final = 20
_MOST_CORNERS: Final = 500
_BOX_CORNERS: Final = 2
_LEAST_CORNERS: Final = 3
#: Figures of a box, and digits of each that stand in an address.
_ENDS: Final = 4
_DIGITS: Final = 6
#: Session key of the outline that is held.
_HELD: Final = "plot outline"


def _four(value: object) -> object:
    parts = value.split(",") if isinstance(value, str) else value
    if isinstance(parts, Sequence) and len(parts) == _ENDS:
        return tuple(parts)
    raise ValueError("must be four numbers: from and to across, from and to up")


def _ordered(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x, y = sorted(box[:2]), sorted(box[2:])
    return x[0], x[1], y[0], y[1]


#: From and to across, from and to up, in the units of the figures.
Box = Annotated[
    tuple[Number, Number, Number, Number], BeforeValidator(_four), AfterValidator(_ordered)
]


@dataclass(frozen=True, slots=True)
class Outline:
    """What is drawn in the chart on screen."""

    #: The plot, whatever is drawn in it.
    plot: str
    #: In the address now, and when the chart came.
    box: Box | None
    first: Box | None
    #: How often a chart of this plot had to come again, because the box was changed elsewhere.
    begun: int = 0

    @property
    def key(self) -> str:
        """Key of the chart: the same as long as the reader alone draws in it."""
        return f"{self.plot} {self.begun}" if self.begun else self.plot

    def drawn(self) -> None:
        """For `on_select`: the box goes to the address, where one box is all that is drawn."""
        box = box_of(areas(st.session_state[self.key]))
        st.session_state["box"] = box
        st.session_state[_HELD] = replace(self, box=box)


def forget() -> None:
    """For `on_click`: takes the box away. A double click in the chart does that too, but Streamlit
    tells of it only where the box was drawn by hand.
    """
    st.session_state["box"] = None


def outline(plot: str, box: Box | None) -> Outline:
    """The outline of a plot for a box in the address: the one on screen where the reader drew that
    box in it, else one that begins with it.
    """
    held: Outline | None = st.session_state.get(_HELD)
    if held is None or held.plot != plot:
        held = Outline(plot, box, box)
    elif held.box != box:
        held = Outline(plot, box, box, held.begun + 1)
    st.session_state[_HELD] = held
    return held


def chosen(sent: object, box: Box | None) -> tuple[Area, ...]:
    """The areas that are drawn: the box of the address, or more than it can hold."""
    found = areas(sent)
    if box is None or (found and box_of(found) is None):
        return found
    return (Area(box[:2], box[2:]),)


def box_of(found: Sequence[Area]) -> Box | None:
    """The one box that is all that is drawn, with as many digits as an address has."""
    if len(found) != 1 or not found[0].is_box:
        return None
    left, right, low, high = (float(f"{one:.{_DIGITS}g}") for one in (*found[0].x, *found[0].y))
    return _ordered((left, right, low, high))


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
