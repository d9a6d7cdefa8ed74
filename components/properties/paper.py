"""A picture of properties on paper: flat, light, as the map on the page shows it first. Pure.

The SVG holds our numbers and no text; words come beside it and are set as text.
"""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin
from typing import Any, Final

from components.kit import asset
from components.kit.formatting import count
from components.properties import base
from components.properties.classes import Class
from components.properties.picture import Cells, Picture, Points, hexagon
from services.contract.cells import on_map
from services.contract.insets import INSETS

_LAND, _LINE, _CHOSEN = "#eef1f4", "#b0bbc6", "#1f5fa8"
#: Corners of a shape, and where the first one is; a circle has none.
_SHAPES: Final = {
    "circle": (0, 0.0),
    "square": (4, pi / 4),
    "triangle-up": (3, -pi / 2),
    "diamond": (4, 0.0),
    "hexagon": (6, pi / 6),
}


def svg(drawn: Picture) -> str:
    """The picture."""
    at = _Sheet(drawn.fit)
    marks = _hexagons(drawn, at) if isinstance(drawn, Cells) else _marks(drawn, at)
    land = (
        f'<path d="{at.path(ring)}" fill="{_LAND}" stroke="{_LINE}" stroke-width="0.7"/>'
        for ring in base.rings()
    )
    edges = (
        f'<path d="{at.path(one.frame)}" fill="none" stroke="{_LINE}" stroke-width="0.7"/>'
        for one in INSETS
    )
    return asset.svg(*drawn.fit.size, [*land, *edges, *marks])


def legend(drawn: Picture) -> list[dict[str, Any]]:
    """Each class with its mark and its words."""
    shape = "hexagon" if isinstance(drawn, Cells) else ""
    return [
        {
            "mark": asset.svg(20, 20, [_mark(10, 10, 8, of, shape)]),
            "label": f"{of.label} ({count(len(of.members))})",
        }
        for of in drawn.classes
    ]


class _Sheet:
    """Where places are on the sheet."""

    def __init__(self, fit: base.Fit) -> None:
        self._scale = base.scale(fit.zoom)
        width, height = fit.size
        self._left = fit.longitude * self._scale - width / 2
        self._top = on_map(fit.latitude) * self._scale + height / 2

    def place(self, longitude: float, latitude: float) -> base.Place:
        return (
            longitude * self._scale - self._left,
            self._top - on_map(latitude) * self._scale,
        )

    def path(self, ring: Sequence[Sequence[float]]) -> str:
        return _closed([self.place(*corner[:2]) for corner in ring])


def _marks(drawn: Points, at: _Sheet) -> Iterator[str]:
    places = [at.place(*one) for one in drawn.places]
    radii = drawn.radii()
    if drawn.centre:
        x, y = at.place(*drawn.centre)
        for to_x, to_y in (places[one] for one in drawn.reached()):
            bend = abs(to_x - x) * 0.2
            yield (
                f'<path d="M{x:.1f},{y:.1f}Q{(x + to_x) / 2:.1f},{(y + to_y) / 2 - bend:.1f} '
                f'{to_x:.1f},{to_y:.1f}" fill="none" stroke="{_CHOSEN}" stroke-width="0.8"'
                ' stroke-opacity="0.6"/>'
            )
    for of in drawn.classes:
        for member in of.members:
            yield _mark(*places[member], radii[member], of)
    for place in (*drawn.chosen, *([drawn.centre] if drawn.centre else ())):
        x, y = at.place(*place)
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="18" fill="none" stroke="{_CHOSEN}"'
            ' stroke-width="3"/>'
        )


def _hexagons(drawn: Cells, at: _Sheet) -> Iterator[str]:
    for of in drawn.classes:
        for member in of.members:
            yield f'<path d="{at.path(hexagon(drawn.cells[member].cell))}" {_look(of)}/>'
    if drawn.chosen:
        yield f'<path d="{at.path(drawn.edge())}" fill="none" stroke="{_CHOSEN}" stroke-width="3"/>'


def _mark(x: float, y: float, radius: float, of: Class, shape: str = "") -> str:
    corners, turn = _SHAPES[shape or of.shape]
    if not corners:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {_look(of)}/>'
    turns = [turn + 2 * pi * one / corners for one in range(corners)]
    around = [(x + 1.15 * radius * cos(one), y + 1.15 * radius * sin(one)) for one in turns]
    return f'<path d="{_closed(around)}" {_look(of)}/>'


def _closed(corners: Sequence[base.Place]) -> str:
    return f"M{'L'.join(f'{x:.1f},{y:.1f}' for x, y in corners)}z"


def _look(of: Class) -> str:
    if of.hollow:
        return f'fill="none" stroke="{of.colour}" stroke-width="1" stroke-dasharray="2 1.5"'
    return f'fill="{of.colour}" fill-opacity="{of.strength:g}" stroke="#5d6975" stroke-width="0.4"'
