"""Hexagons that a map is cut into: their names, middles and corners. Pure.

They are regular on the map as browsers draw it (Web Mercator), so sizes are degrees of longitude,
and their heights the same lengths on that map. A cell is named by its size and its place in rows
of hexagons that stand on a corner: "middle.-143.62".
"""

from collections.abc import Mapping
from math import asinh, atan, cos, degrees, pi, radians, sin, sinh, sqrt, tan
from typing import Final, Literal

Resolution = Literal["wide", "middle", "fine"]
#: From the middle of a cell to a corner, in degrees of longitude.
SIZES: Final[Mapping[Resolution, float]] = {"wide": 1.2, "middle": 0.6, "fine": 0.3}
#: How a cell is named.
PATTERN: Final = r"^(wide|middle|fine)\.-?\d{1,4}\.-?\d{1,4}$"
#: No place farther north or south has a cell.
FARTHEST: Final = 85.0
#: Longitude and latitude.
Place = tuple[float, float]


def name(resolution: Resolution, column: int, row: int) -> str:
    """The name of a cell."""
    return f"{resolution}.{column}.{row}"


def parts(cell: str) -> tuple[Resolution, int, int]:
    """Size, column and row of a cell by its name, which fits PATTERN."""
    word, column, row = cell.split(".")
    resolution = next(one for one in SIZES if one == word)
    return resolution, int(column), int(row)


def middle(cell: str) -> Place:
    """Where its middle is."""
    x, y = _middle(cell)
    return x, from_map(y)


def corners(cell: str) -> list[Place]:
    """Where its six corners are."""
    x, y = _middle(cell)
    size = SIZES[parts(cell)[0]]
    turns = (radians(60 * at + 30) for at in range(6))
    return [(x + size * cos(turn), from_map(y + size * sin(turn))) for turn in turns]


def on_map(latitude: float) -> float:
    """How far north a place is on the map, in degrees of longitude."""
    return degrees(asinh(tan(radians(latitude))))


def from_map(y: float) -> float:
    """The latitude of a place so far north on the map: the way back of `on_map`."""
    return degrees(atan(sinh(max(-pi, min(pi, radians(y))))))


def _middle(cell: str) -> Place:
    resolution, column, row = parts(cell)
    size = SIZES[resolution]
    return size * sqrt(3) * (column + row / 2), size * 1.5 * row
