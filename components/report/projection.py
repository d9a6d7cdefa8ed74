"""The United States on paper: equal areas, Alaska and Hawaii as insets. Pure."""

from collections.abc import Callable, Iterator
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
_ALASKA: Final = _conic((55, 65), (-156, 58.5), scale=0.35, moved=(-0.307, 0.201))
_HAWAII: Final = _conic((8, 18), (-160, 19.9), moved=(-0.205, 0.212))


def outline(code: str, shape: dict[str, Any], width: float) -> str:
    """A state's GeoJSON shape as an SVG path on a map of this width; its height is 0.6 of it."""
    project = {"AK": _ALASKA, "HI": _HAWAII}.get(code, _MAINLAND)
    return "".join(_closed(ring, project, width) for ring in _rings(shape))


def _rings(shape: dict[str, Any]) -> Iterator[list[Point]]:
    polygons = shape["coordinates"]
    for polygon in polygons if shape["type"] == "MultiPolygon" else [polygons]:
        yield from polygon


def _closed(ring: list[Point], project: Callable[[float, float], Point], width: float) -> str:
    # The mainland is 0.78 radii wide.
    scale = width / 0.8
    points = [project(*point[:2]) for point in ring]
    placed = [f"{width / 2 + scale * x:.1f},{0.3 * width + scale * y:.1f}" for x, y in points]
    return f"M{'L'.join(placed)}Z"
