"""What deck.gl is sent to draw: outlines of states, points or cells. Pure but for pydeck.

deck.gl evaluates text that begins with "@@", so nothing of a source's words is sent: positions,
sizes, and words of ours for the tooltip. No map provider is named: nothing is asked of anybody.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pydeck
from pydeck.types import String

from components.kit.formatting import count, money, percent
from components.properties import base
from components.properties.classes import Class, bad_share
from services.contract import cells as hexagons
from services.contract.properties import PropertyCell

HEIGHT: Final = 560
#: Radius of a point in pixels: of the largest, and what every point has at least.
_LARGEST, _LEAST = 14, 3
#: The tallest cell, in parts of what the map spans; lower where it spans little.
_TALLEST: Final = 0.14
_METRES: Final = 111_000
#: The edge of what is chosen, likewise.
_CHOSEN: Final = ([31, 95, 168], [143, 193, 255])
_OPACITY: Final = 215
_MATERIAL: Final = {"ambient": 0.75, "diffuse": 0.4, "shininess": 1, "specularColor": [20, 20, 20]}


@dataclass(frozen=True, slots=True)
class Point:
    """A property on the map; the words are ours."""

    place: base.Place
    dollars: int
    #: Words for the tooltip.
    said: str


class Compact(pydeck.Deck):  # type: ignore[misc]  # pydeck has no types
    """A deck as few bytes: pydeck indents every number, which makes three megabytes of one."""

    def to_json(self) -> str:
        """What is sent. The style stays what pydeck says where none is named: without the word for
        it Streamlit asks a host for tiles.
        """
        return json.dumps(json.loads(super().to_json()), separators=(",", ":"))


def points(
    found: Sequence[Point], classes: Sequence[Class], chosen: Sequence[base.Place], *, dark: bool
) -> pydeck.Deck:
    """Points by dollars; one layer a class, so that no point carries its colour."""
    top = max((one.dollars for one in found), default=0) or 1
    layers = [base.land(dark=dark)]
    for number, of in enumerate(classes):
        rows = [_row(found[at], top) for at in of.members]
        layers.append(
            pydeck.Layer(
                "ScatterplotLayer",
                rows,
                id=layer_id(number),
                get_position="[this[0], this[1]]",
                get_radius="this[2]",
                radius_units=String("pixels"),
                get_fill_color=[*of.rgb, _OPACITY],
                get_line_color=[255, 255, 255, 150] if not dark else [10, 16, 23, 150],
                stroked=True,
                line_width_min_pixels=0.6,
                line_width_max_pixels=0.6,
                pickable=True,
            )
        )
    layers.append(_rings(chosen, dark=dark))
    return _deck(layers, base.view([one.place for one in found]), "{3}\n{4}")


def cells(
    found: Sequence[PropertyCell],
    classes: Sequence[Class],
    chosen: str | None,
    *,
    slender: bool,
    dark: bool,
) -> pydeck.Deck:
    """Cells as high as their dollars: whole hexagons, or `slender` columns where their properties
    lie on average.
    """
    top = max((one.dollars for one in found), default=0) or 1
    corners = [corner for one in found for corner in hexagons.corners(one.cell)]
    view = base.view(corners, tilted=True)
    tallest = _TALLEST * _METRES * min(base.WIDEST, 360 * base.WIDTH / 512 / 2**view.zoom)
    layers = [base.land(dark=dark)]
    for number, of in enumerate(classes):
        members = [found[at] for at in of.members]
        layers.append(
            (_columns if slender else _prisms)(
                members, layer_id(number), of.rgb, tallest / top, found[0].cell
            )
        )
    if chosen:
        middle = [hexagons.corners(chosen)]
        layers.append(
            pydeck.Layer(
                "PathLayer",
                [[*middle[0], middle[0][0]]],
                id="chosen",
                get_path="this",
                get_color=_CHOSEN[dark],
                width_min_pixels=3,
                width_max_pixels=3,
            )
        )
    return _deck(layers, view, "{2}\n{3}\n{4}")


def layer_id(number: int) -> str:
    """How the layer of a class is called."""
    return f"class-{number}"


def _row(point: Point, top: int) -> list[float | str]:
    longitude, latitude = point.place
    radius = _LEAST + (_LARGEST - _LEAST) * (max(point.dollars, 0) / top) ** 0.5
    place = (round(longitude, 3), round(latitude, 3))
    return [*place, round(radius), money(point.dollars), point.said]


def _said(cell: PropertyCell) -> list[str]:
    """Lines of its tooltip."""
    return [
        money(cell.dollars),
        f"{count(cell.properties)} properties of {count(cell.loans)} loans",
        f"{percent(bad_share(cell), 1)} severe or critical",
    ]


def _prisms(
    found: Sequence[PropertyCell], name: str, rgb: list[int], scale: float, _any: str
) -> pydeck.Layer:
    rows = [
        [
            [[round(x, 4), round(y, 4)] for x, y in hexagons.corners(one.cell)],
            round(one.dollars * scale),
            *_said(one),
        ]
        for one in found
    ]
    return pydeck.Layer(
        "PolygonLayer",
        rows,
        id=name,
        get_polygon="this[0]",
        get_elevation="this[1]",
        get_fill_color=[*rgb, 235],
        extruded=True,
        material=_MATERIAL,
        pickable=True,
    )


def _columns(
    found: Sequence[PropertyCell], name: str, rgb: list[int], scale: float, any_cell: str
) -> pydeck.Layer:
    rows = [
        [
            [round(one.longitude, 3), round(one.latitude, 3)],
            round(one.dollars * scale),
            *_said(one),
        ]
        for one in found
    ]
    size = hexagons.SIZES[hexagons.parts(any_cell)[0]]
    return pydeck.Layer(
        "ColumnLayer",
        rows,
        id=name,
        get_position="this[0]",
        get_elevation="this[1]",
        radius=round(size * _METRES * 0.3),
        disk_resolution=12,
        get_fill_color=[*rgb, 235],
        extruded=True,
        material=_MATERIAL,
        pickable=True,
    )


def _rings(places: Sequence[base.Place], *, dark: bool) -> pydeck.Layer:
    """A ring around each chosen point."""
    return pydeck.Layer(
        "ScatterplotLayer",
        [[round(x, 4), round(y, 4)] for x, y in places],
        id="chosen",
        get_position="this",
        get_radius=_LARGEST + 4,
        radius_units=String("pixels"),
        filled=False,
        stroked=True,
        get_line_color=_CHOSEN[dark],
        line_width_min_pixels=3,
        line_width_max_pixels=3,
    )


def _deck(layers: list[pydeck.Layer], view: pydeck.ViewState, tooltip: str) -> pydeck.Deck:
    return Compact(
        layers=layers,
        initial_view_state=view,
        map_provider=None,
        tooltip={"text": tooltip},
    )
