"""What lies under the points and cells of the map, and what a view of it shows first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pydeck

from components.maps.states import outlines
from services.contract.cells import from_map, on_map

#: Longitude and latitude.
Place = tuple[float, float]
Flats = npt.NDArray[np.float64]
#: What the map is high and wide, in pixels: a view is chosen for it.
WIDTH, HEIGHT = 900, 560
#: Pixels that the whole earth is wide before it is zoomed.
_TILE: Final = 512
#: Land and its lines, on a light page and on a dark one.
_LAND: Final = ([238, 241, 244], [29, 39, 49])
_LINE: Final = ([176, 187, 198], [74, 88, 102])
#: The mainland: longitude, latitude, degrees from edge to edge; and what spans more shows it.
_MAINLAND: Final = (-96.6, 38.2, 60.0)
WIDEST: Final = 72.0
_CLOSEST: Final = 10.5
_TILTED: Final = 40
#: What spans less is one place, and this is shown around it, degrees.
_ONE_PLACE, _AROUND_ONE = 0.02, 6.0
#: Of so many places one may be left out of a view, from so many on; none that is so near, degrees.
_ONE_IN, _FEWEST, _NEAR = 20, 3, 1.0


@cache
def _outlines() -> dict[str, Any]:
    """Shapes of the states and nothing else."""
    shapes = [
        {"type": "Feature", "properties": {}, "geometry": one["geometry"]}
        for one in outlines()["features"]
    ]
    return {"type": "FeatureCollection", "features": shapes}


def land(*, dark: bool) -> pydeck.Layer:
    """The states, under everything else."""
    return pydeck.Layer(
        "GeoJsonLayer",
        _outlines(),
        id="land",
        get_fill_color=_LAND[dark],
        get_line_color=_LINE[dark],
        line_width_min_pixels=1,
        line_width_max_pixels=1,
        stroked=True,
        filled=True,
        pickable=False,
    )


def scale(zoom: float) -> float:
    """Pixels of a degree of longitude."""
    return _TILE * 2**zoom / 360


@dataclass(frozen=True, slots=True)
class Fit:
    """What a map shows first: the bulk of what lies on it."""

    longitude: float
    latitude: float
    zoom: float
    #: How many lie beyond it.
    outside: int
    #: Pixels that it was chosen for.
    width: int

    def state(self, *, tilted: bool = False) -> pydeck.ViewState:
        """The same as deck.gl takes it."""
        return pydeck.ViewState(
            longitude=self.longitude,
            latitude=self.latitude,
            zoom=self.zoom,
            pitch=_TILTED if tilted else 0,
            bearing=0,
            min_zoom=2,
            max_zoom=14,
        )

    @property
    def span(self) -> float:
        """Degrees of longitude from edge to edge."""
        return min(WIDEST, self.width / scale(self.zoom))


def fit(
    longitude: Sequence[float],
    latitude: Sequence[float],
    weights: Sequence[int] | None = None,
    *,
    width: int = WIDTH,
) -> Fit:
    """What shows these places, but for the few that are far from all others: at most one in
    twenty, or one of up to twenty, and only what lies twice as far out as the rest. The mainland
    where they span more; a few degrees around a single place.

    `weights` are how many lie at each place; without them one each.
    """
    x, y = np.array(longitude, float), _on_map(latitude)
    many = np.ones(len(x)) if weights is None else np.array(weights, float)
    bulk = _bulk(x, y, many)
    middle, span = (_MAINLAND[0], _MAINLAND[1]), _MAINLAND[2]
    if bulk.any():
        left, right, low, high = x[bulk].min(), x[bulk].max(), y[bulk].min(), y[bulk].max()
        spanned = 1.15 * max(right - left, (high - low) * width / HEIGHT)
        if spanned <= WIDEST:
            middle = (left + right) / 2, from_map(float(low + high) / 2)
            span = spanned if spanned > _ONE_PLACE else _AROUND_ONE
    zoom = min(_CLOSEST, log2(360 * width / _TILE / span))
    half = width / scale(zoom) / 2
    seen = np.abs(x - middle[0]) <= half
    seen &= np.abs(y - on_map(middle[1])) <= half * HEIGHT / width
    outside = int(many[~seen].sum())
    return Fit(round(float(middle[0]), 3), round(middle[1], 3), round(zoom, 2), outside, width)


def _on_map(latitude: Sequence[float]) -> Flats:
    """`on_map` of many places."""
    north: Flats = np.degrees(np.arcsinh(np.tan(np.radians(np.array(latitude, float)))))
    return north


def _bulk(x: Flats, y: Flats, many: Flats) -> npt.NDArray[np.bool_]:
    """Which places are not far from all others, as `fit` says."""
    if not len(x):
        return np.zeros(0, bool)
    far = np.maximum(np.abs(x - _median(x, many)), np.abs(y - _median(y, many)) * WIDTH / HEIGHT)
    order = np.argsort(far, kind="stable")
    running = np.cumsum(many[order])
    few = max(1.0, running[-1] // _ONE_IN) if running[-1] > _FEWEST else 0.0
    edge = far[order][np.searchsorted(running, running[-1] - few)]
    near: npt.NDArray[np.bool_] = far <= max(2 * edge, _NEAR)
    return near


def _median(values: Flats, many: Flats) -> float:
    order = np.argsort(values, kind="stable")
    running = np.cumsum(many[order])
    return float(values[order][np.searchsorted(running, running[-1] / 2)])
