"""The United States, flat: equal areas, Alaska and Hawaii as insets. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians, sin, sqrt
from typing import Any, Final

Point = tuple[float, float]


def _conic(
    parallels: Point, middle: Point, *, scale: float = 1, moved: Point = (0, 0)
) -> Callable[[float, float], Point]:
    """Albers' equal-area projection around a place (longitude, latitude), in radii of the earth,
    y downwards.
    """
    first, second = map(radians, parallels)
    cone = (sin(first) + sin(second)) / 2
    area = cos(first) ** 2 + 2 * cone * sin(first)

    def radius(latitude: float) -> float:
        return sqrt(max(0.0, area - 2 * cone * sin(radians(latitude)))) / cone

    centre = radius(middle[1])

    def project(longitude: float, latitude: float) -> Point:
        # The Aleutians cross the date line.
        turn = cone * radians((longitude - middle[0] + 180) % 360 - 180)
        x = radius(latitude) * sin(turn)
        y = radius(latitude) * cos(turn) - centre
        return scale * x + moved[0], scale * y + moved[1]

    return project


_MAINLAND: Final = _conic((29.5, 45.5), (-96.6, 38.7))
_ALASKA: Final = _conic((55, 65), (-156, 58.5), scale=0.35, moved=(-0.285, 0.201))
_HAWAII: Final = _conic((8, 18), (-160, 19.9), moved=(-0.205, 0.212))


@dataclass(frozen=True, slots=True)
class Outline:
    """A state on a map, as an SVG path, and where its largest part has its middle."""

    path: str
    middle: Point
    #: Of its largest part.
    width: float
    height: float


def place(code: str, longitude: float, latitude: float, width: float) -> Point:
    """Where a place in a state is on a map of this width; the map's height is 0.6 of it."""
    project = {"AK": _ALASKA, "HI": _HAWAII}.get(code, _MAINLAND)
    x, y = project(longitude, latitude)
    # The mainland is 0.78 radii wide.
    scale = width / 0.8
    return width / 2 + scale * x, 0.3 * width + scale * y


def outline(code: str, shape: dict[str, Any], width: float) -> Outline:
    """A state's GeoJSON shape on a map of this width."""
    rings = [[place(code, *point[:2], width) for point in ring] for ring in rings_of(shape)]
    largest = max(rings, key=lambda ring: abs(_area(ring)))
    across, down = zip(*largest, strict=True)
    return Outline(
        "".join(map(_closed, rings)),
        _middle(largest),
        max(across) - min(across),
        max(down) - min(down),
    )


def middle_of(shape: dict[str, Any]) -> Point:
    """Where the largest part of a GeoJSON shape has its middle, in degrees."""
    rings = ([(x, y) for x, y, *_ in ring] for ring in rings_of(shape))
    return _middle(max(rings, key=lambda ring: abs(_area(ring))))


def rings_of(shape: dict[str, Any]) -> Iterator[list[Point]]:
    """The rings of a GeoJSON shape, holes among them."""
    polygons = shape["coordinates"]
    for polygon in polygons if shape["type"] == "MultiPolygon" else [polygons]:
        yield from polygon


def _closed(ring: list[Point]) -> str:
    """As SVG, in steps of a tenth from corner to corner: half the letters of places."""
    corners = [(round(10 * x), round(10 * y)) for x, y in ring]
    (x, y), *_ = corners
    steps = [(to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(corners)]
    written = " ".join(f"{x / 10:g},{y / 10:g}" for x, y in steps if (x, y) != (0, 0))
    return f"M{x / 10:g},{y / 10:g}l{written}z"


def _area(ring: list[Point]) -> float:
    """Its area, with the sign of its direction."""
    return sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairwise([*ring, ring[0]])) / 2


def _middle(ring: list[Point]) -> Point:
    """Where it would balance."""
    area, across, down = _area(ring), 0.0, 0.0
    for (x, y), (to_x, to_y) in pairwise([*ring, ring[0]]):
        part = (x * to_y - to_x * y) / (6 * area)
        across += (x + to_x) * part
        down += (y + to_y) * part
    return across, down
