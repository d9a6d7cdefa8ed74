"""What lies under the points and cells of the map, and what a view of it shows first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import floor, log2
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pydeck
from pydeck.types import String

from components.maps.projection import middle_of, rings_of
from components.maps.states import outlines
from services.contract.cells import from_map, on_map
from services.contract.insets import INSETS, drawn, together
from services.contract.properties import Sides
from services.places import gazetteer

#: Longitude and latitude.
Place = tuple[float, float]
Flats = npt.NDArray[np.float64]
#: What a map is wide and high, in pixels: a view is chosen for it.
Size = tuple[int, int]
WIDE: Final = (800, 560)
NARROW: Final = (350, 300)
#: Pixels that the whole earth is wide before it is zoomed.
_TILE: Final = 512
#: Land and its lines, on a light page and on a dark one.
_LAND: Final = ([238, 241, 244], [29, 39, 49])
_LINE: Final = ([176, 187, 198], [74, 88, 102])
#: Letters of states and names of cities, on a light page and on a dark one.
_STATE: Final = ([118, 131, 143], [141, 155, 171])
_CITY: Final = ([55, 67, 79], [213, 221, 229])
#: Cities that are named: the largest, but for those within another's reach; on a narrow page only
#: the first of them.
_FIRST: Final = 10
_CITIES: Final = (
    ("New York", "NY"), ("Los Angeles", "CA"), ("Chicago", "IL"), ("Houston", "TX"),
    ("Seattle", "WA"), ("Denver", "CO"), ("Atlanta", "GA"), ("Miami", "FL"),
    ("Minneapolis", "MN"), ("San Francisco", "CA"),
    ("Phoenix", "AZ"), ("Philadelphia", "PA"), ("Spokane", "WA"), ("San Diego", "CA"),
    ("Dallas", "TX"), ("Jacksonville", "FL"), ("Austin", "TX"),
    ("Fargo", "ND"), ("Charlotte", "NC"), ("Indianapolis", "IN"),
    ("Washington", "DC"), ("Boston", "MA"), ("Nashville", "TN"),
    ("El Paso", "TX"), ("Detroit", "MI"), ("Oklahoma City", "OK"), ("Portland", "OR"),
    ("Las Vegas", "NV"), ("Memphis", "TN"), ("Billings", "MT"), ("Albuquerque", "NM"),
    ("Kansas City", "MO"), ("Omaha", "NE"),
    ("Raleigh", "NC"), ("New Orleans", "LA"), ("Tampa", "FL"),
    ("Cleveland", "OH"), ("St. Louis", "MO"), ("Salt Lake City", "UT"), ("Boise", "ID"),
)  # fmt: skip
#: The mainland: longitude, latitude, degrees from edge to edge; and what spans more shows it.
_MAINLAND: Final = (-96.6, 38.2, 60.0)
WIDEST: Final = 72.0
#: How far a map shows it, and how far it is zoomed by hand.
_CLOSEST: Final = 10.5
_LEAST_ZOOM, _MOST_ZOOM = 2, 14
#: What spans less is one place, and this is shown around it, degrees.
_ONE_PLACE, _AROUND_ONE = 0.02, 6.0
#: Of so many places one may be left out of a view, from so many on; none that is so near, degrees.
_ONE_IN, _FEWEST, _NEAR = 20, 3, 1.0


@cache
def _outlines() -> dict[str, Any]:
    """Shapes of the states and edges of the insets, and nothing else."""
    shapes = [{"type": "MultiPolygon", "coordinates": [[ring] for ring in rings()]}]
    edges = [{"type": "LineString", "coordinates": one.frame} for one in INSETS]
    return {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "properties": {}, "geometry": one} for one in (*shapes, *edges)
        ],
    }


@cache
def rings() -> list[list[Place]]:
    """The states' shapes where they are drawn."""
    found = []
    for one in outlines()["features"]:
        shape = one["geometry"]
        at = middle_of(shape)
        placed = (together(ring, at) for ring in rings_of(shape))
        found += [[(round(x, 3), round(y, 3)) for x, y in ring] for ring in placed]
    return found


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


@cache
def _names() -> tuple[list[list[Any]], list[list[Any]]]:
    """States by their letters, and large cities by name: longitude, latitude, text."""
    states = [
        [*(round(part, 2) for part in drawn(*middle_of(one["geometry"]))), one["id"]]
        for one in outlines()["features"]
    ]
    found = ((name, gazetteer.city(name, state)) for name, state in _CITIES)
    cities = [[round(at[1], 2), round(at[0], 2), name] for name, at in found if at]
    return states, cities


def names(size: Size, *, dark: bool) -> tuple[pydeck.Layer, pydeck.Layer]:
    """Letters of the states, for under the marks, and names of large cities, for over them."""
    states, cities = _names()
    if size == NARROW:
        cities = cities[:_FIRST]
    shared = {
        "get_position": "[this[0], this[1]]",
        "get_text": "this[2]",
        "font_family": String("sans-serif"),
        "pickable": False,
    }
    ground = [*_LAND[dark], 200]
    return (
        pydeck.Layer(
            "TextLayer", states, id="states", get_size=11, get_color=_STATE[dark], **shared
        ),
        pydeck.Layer(
            "TextLayer",
            cities,
            id="cities",
            get_size=11,
            get_color=_CITY[dark],
            get_text_anchor=String("start"),
            get_pixel_offset=[9, 0],
            background=True,
            get_background_color=ground,
            **shared,
        ),
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
    #: How many lie beyond it, where it was chosen for them.
    outside: int
    #: What it was chosen for.
    size: Size

    def state(self) -> pydeck.ViewState:
        """The same as deck.gl takes it."""
        return pydeck.ViewState(
            longitude=self.longitude,
            latitude=self.latitude,
            zoom=self.zoom,
            pitch=0,
            bearing=0,
            min_zoom=_LEAST_ZOOM,
            max_zoom=_MOST_ZOOM,
        )


def fit(
    longitude: Sequence[float],
    latitude: Sequence[float],
    weights: Sequence[int] | None = None,
    *,
    view: Sides | None = None,
    size: Size = WIDE,
) -> Fit:
    """What shows all of `view`. Without it what shows these places, but for the few that are far
    from all others: at most one in twenty, or one of up to twenty, and only what lies twice as far
    out as the rest. The mainland where they span more; a few degrees around a single place.

    `weights` are how many lie at each place; without them one each.
    """
    if view:
        return _showing(view, size)
    (width, height), x, y = size, np.array(longitude, float), _on_map(latitude)
    many = np.ones(len(x)) if weights is None else np.array(weights, float)
    bulk = _bulk(x, y, many)
    middle, span = (_MAINLAND[0], _MAINLAND[1]), _MAINLAND[2]
    if bulk.any():
        left, right, low, high = x[bulk].min(), x[bulk].max(), y[bulk].min(), y[bulk].max()
        spanned = 1.15 * max(right - left, (high - low) * width / height)
        if spanned <= WIDEST:
            middle = (left + right) / 2, from_map(float(low + high) / 2)
            span = spanned if spanned > _ONE_PLACE else _AROUND_ONE
    zoom = min(_CLOSEST, _zoom(span, width))
    half = width / scale(zoom) / 2
    seen = np.abs(x - middle[0]) <= half
    seen &= np.abs(y - on_map(middle[1])) <= half * height / width
    outside = int(many[~seen].sum())
    return Fit(round(float(middle[0]), 3), round(middle[1], 3), zoom, outside, size)


def _showing(view: Sides, size: Size) -> Fit:
    """What shows all of a part of the map."""
    west, south, east, north = view
    (width, height), low, high = size, on_map(south), on_map(north)
    zoom = min(_MOST_ZOOM, _zoom(max(east - west, (high - low) * width / height), width))
    return Fit(round((west + east) / 2, 3), round(from_map((low + high) / 2), 3), zoom, 0, size)


def _zoom(span: float, width: int) -> float:
    """The zoom at which so many degrees of longitude fit in a width."""
    return floor(100 * log2(360 * width / _TILE / span)) / 100


def _on_map(latitude: Sequence[float]) -> Flats:
    """`on_map` of many places."""
    north: Flats = np.degrees(np.arcsinh(np.tan(np.radians(np.array(latitude, float)))))
    return north


def _bulk(x: Flats, y: Flats, many: Flats) -> npt.NDArray[np.bool_]:
    """Which places are not far from all others, as `fit` says."""
    if not len(x):
        return np.zeros(0, bool)
    flat = WIDE[0] / WIDE[1]
    far = np.maximum(np.abs(x - _median(x, many)), flat * np.abs(y - _median(y, many)))
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
