"""What a reader has drawn around some loans of a plot: boxes and lassos, as areas of it."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from services.contract.distributions import Area

#: Areas at once, and corners of one: a lasso by hand has a hundred or two.
_MOST_AREAS: Final = 20
_MOST_CORNERS: Final = 500
_BOX_CORNERS: Final = 2
_LEAST_CORNERS: Final = 3


def areas(sent: object) -> tuple[Area, ...]:
    """The areas of a chart's selection. The browser is believed in nothing but finite figures:
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
