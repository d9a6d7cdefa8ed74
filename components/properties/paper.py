"""A picture of properties on paper: flat, light, as the map on the page shows it first. Pure.

The SVG holds numbers of ours and no text; words come beside it and are set as text.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from math import cos, pi, sin
from string import Template
from typing import Any, Final

from components.kit.asset import asset
from components.kit.formatting import count
from components.maps.states import outlines
from components.properties import base
from components.properties.base import HEIGHT, WIDTH
from components.properties.classes import Class
from components.properties.picture import MOST_ARCS, Cells, Picture, Points
from services.contract import cells as hexagons

_PICTURE: Final = Template(asset("report.svg"))
_LAND, _LINE, _CHOSEN = "#eef1f4", "#b0bbc6", "#1f5fa8"
#: A class is told by its shape too: corners, and turns by which they begin; the first is a circle.
_SHAPES: Final = (
    (0, 0.0),
    (4, pi / 4),
    (3, -pi / 2),
    (4, 0.0),
    (6, 0.0),
    (5, -pi / 2),
    (3, pi / 2),
)
#: The smallest hexagon, in parts of its cell's edge.
_SMALLEST: Final = 0.25


def svg(drawn: Picture) -> str:
    """The picture."""
    at = _Sheet(drawn.fit)
    marks = _hexagons(drawn, at) if isinstance(drawn, Cells) else _marks(drawn, at)
    land = (
        f'<path d="{at.path(ring)}" fill="{_LAND}" stroke="{_LINE}" stroke-width="0.7"/>'
        for ring in _rings()
    )
    return _svg(WIDTH, HEIGHT, [*land, *marks])


def legend(drawn: Picture) -> list[dict[str, Any]]:
    """Each class with its mark and its words."""
    return [
        {
            "mark": _svg(20, 20, [_mark(10, 10, 8, number, of, cell=isinstance(drawn, Cells))]),
            "label": f"{of.label} ({count(len(of.members))})",
        }
        for number, of in enumerate(drawn.classes)
    ]


class _Sheet:
    """Where places are on the sheet."""

    def __init__(self, fit: base.Fit) -> None:
        self._scale = WIDTH / (360 * WIDTH / 512 / 2**fit.zoom)
        self._left = fit.longitude * self._scale - WIDTH / 2
        self._top = hexagons.on_map(fit.latitude) * self._scale + HEIGHT / 2

    def place(self, longitude: float, latitude: float) -> base.Place:
        return (
            longitude * self._scale - self._left,
            self._top - hexagons.on_map(latitude) * self._scale,
        )

    def path(self, ring: Sequence[Sequence[float]]) -> str:
        corners = (self.place(*corner[:2]) for corner in ring)
        return f"M{'L'.join(f'{x:.1f},{y:.1f}' for x, y in corners)}z"


@cache
def _rings() -> list[Sequence[Sequence[float]]]:
    """Of all states."""
    shapes = [one["geometry"] for one in outlines()["features"]]
    return [
        ring
        for shape in shapes
        for polygon in (
            shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
        )
        for ring in polygon
    ]


def _marks(drawn: Points, at: _Sheet) -> Iterator[str]:
    places = [at.place(*one) for one in drawn.places]
    radii = drawn.radii()
    if drawn.centre:
        x, y = at.place(*drawn.centre)
        for to_x, to_y in places[:MOST_ARCS]:
            bend = abs(to_x - x) * 0.2
            yield (
                f'<path d="M{x:.1f},{y:.1f}Q{(x + to_x) / 2:.1f},{(y + to_y) / 2 - bend:.1f} '
                f'{to_x:.1f},{to_y:.1f}" fill="none" stroke="{_CHOSEN}" stroke-width="0.8"'
                ' stroke-opacity="0.6"/>'
            )
    for number, of in enumerate(drawn.classes):
        for member in of.members:
            yield _mark(*places[member], radii[member], number, of)
    for place in (*drawn.chosen, *([drawn.centre] if drawn.centre else ())):
        x, y = at.place(*place)
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="18" fill="none" stroke="{_CHOSEN}"'
            ' stroke-width="3"/>'
        )


def _hexagons(drawn: Cells, at: _Sheet) -> Iterator[str]:
    """As wide as their dollars ask: their areas are the cells' dollars."""
    for of in drawn.classes:
        for member in of.members:
            cell = drawn.cells[member]
            part = max(_SMALLEST, (max(cell.dollars, 0) / drawn.top) ** 0.5)
            middle = at.place(*hexagons.middle(cell.cell))
            corners = (at.place(*corner) for corner in hexagons.corners(cell.cell))
            near = [
                (middle[0] + part * (x - middle[0]), middle[1] + part * (y - middle[1]))
                for x, y in corners
            ]
            yield f'<path d="{_closed(near)}" {_look(of)}/>'
    if drawn.chosen:
        edge = at.path(hexagons.corners(drawn.chosen))
        yield f'<path d="{edge}" fill="none" stroke="{_CHOSEN}" stroke-width="3"/>'


def _mark(  # a place, a size and a look
    x: float, y: float, radius: float, number: int, of: Class, *, cell: bool = False
) -> str:
    corners, turn = (6, pi / 6) if cell else _SHAPES[number % len(_SHAPES)]
    if not corners:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {_look(of)}/>'
    turns = [turn + 2 * pi * one / corners for one in range(corners)]
    around = [(x + 1.15 * radius * cos(one), y + 1.15 * radius * sin(one)) for one in turns]
    return f'<path d="{_closed(around)}" {_look(of)}/>'


def _closed(corners: Sequence[base.Place]) -> str:
    return f"M{'L'.join(f'{x:.1f},{y:.1f}' for x, y in corners)}z"


def _look(of: Class) -> str:
    if of.hollow:
        return f'fill="none" stroke="{of.colour}" stroke-width="1" stroke-dasharray="2 1.5"'
    return f'fill="{of.colour}" fill-opacity="0.85" stroke="#5d6975" stroke-width="0.4"'


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return _PICTURE.substitute(box=f"0 0 {width:g} {height:g}", parts="".join(parts))
