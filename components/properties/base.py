"""What lies under the points and cells of the map, and what a view of it shows first."""

from collections.abc import Sequence
from functools import cache
from math import log2
from typing import Any, Final

import pydeck

from components.maps.states import outlines

#: Longitude and latitude.
Place = tuple[float, float]
#: What the map is wide at least, in pixels: a view is chosen for it.
WIDTH: Final = 900
#: Land and its lines, on a light page and on a dark one.
_LAND: Final = ([238, 241, 244], [29, 39, 49])
_LINE: Final = ([176, 187, 198], [74, 88, 102])
#: The mainland: longitude, latitude, zoom; and what spans more than it shows it.
_MAINLAND: Final = (-96.6, 38.2, 3.4)
WIDEST: Final = 62.0
_CLOSEST: Final = 10.5
_TILTED: Final = 40


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


def view(places: Sequence[Place], *, tilted: bool = False) -> pydeck.ViewState:
    """What shows every place; the mainland where they span more."""
    longitude, latitude, zoom = _MAINLAND
    if places:
        across, down = zip(*places, strict=True)
        span = max(max(across) - min(across), 1.9 * (max(down) - min(down)), 0.05)
        if span <= WIDEST:
            longitude = (max(across) + min(across)) / 2
            latitude = (max(down) + min(down)) / 2
            zoom = min(_CLOSEST, log2(360 * WIDTH / 512 / (1.15 * span)))
    return pydeck.ViewState(
        longitude=round(longitude, 3),
        latitude=round(latitude, 3),
        zoom=round(zoom, 2),
        pitch=_TILTED if tilted else 0,
        bearing=0,
        min_zoom=2,
        max_zoom=14,
    )
