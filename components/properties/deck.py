"""A picture of properties as deck.gl draws it. Pure but for pydeck.

deck.gl evaluates text that begins with "@@", so nothing of a source's words is sent: positions,
sizes, and our own words for the tooltip. No map provider is named: no other host is asked.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import orjson
import pydeck
from pydeck.bindings.json_tools import default_serialize
from pydeck.types import String

from components.kit.formatting import count, money, percent
from components.properties import base
from components.properties.classes import Class, bad_share
from components.properties.picture import LARGEST, MOST_ARCS, Cells, Picture, Points
from services.contract import cells as hexagons
from services.contract.properties import PropertyCell

#: The tallest cell, in parts of what the map spans; lower where it spans little.
_TALLEST: Final = 0.14
_METRES: Final = 111_000
#: The edge of what is chosen, and arcs, on a light page and on a dark one.
_CHOSEN: Final = ([31, 95, 168], [143, 193, 255])
_OPACITY: Final = 215
#: Dollars up to so many are shown in steps of these.
_STEPS: Final = ((999, 1), (999_499, 1_000), (999_949_999, 100_000))
_MATERIAL: Final = {"ambient": 0.75, "diffuse": 0.4, "shininess": 1, "specularColor": [20, 20, 20]}


class Compact(pydeck.Deck):  # type: ignore[misc]  # pydeck has no types
    """A deck as few bytes: pydeck indents every number, which makes three megabytes of one, and
    takes thirty times as long.
    """

    def to_json(self) -> str:
        """What is sent. The style stays what pydeck says where none is named: without the word for
        it Streamlit asks a host for tiles.
        """
        return orjson.dumps(self, default=default_serialize, option=orjson.OPT_SORT_KEYS).decode()


def deck(drawn: Picture, *, dark: bool) -> pydeck.Deck:
    """The picture; one layer a class, so that no mark carries its colour."""
    cells = isinstance(drawn, Cells)
    layers = _cells(drawn, dark=dark) if isinstance(drawn, Cells) else _points(drawn, dark=dark)
    return Compact(
        layers=[base.land(dark=dark), *layers],
        initial_view_state=drawn.fit.state(tilted=cells),
        map_provider=None,
        tooltip={"text": "{2}\n{3}\n{4}" if cells else "{3}\n{4}"},
    )


def layer_id(number: int) -> str:
    """How the layer of a class is called."""
    return f"class-{number}"


def _points(drawn: Points, *, dark: bool) -> list[pydeck.Layer]:
    across, up = np.array(drawn.places, float).reshape(-1, 2).round(3).T.tolist()
    dollars = _money(drawn.dollars)
    rows = [*zip(across, up, drawn.radii(), dollars, drawn.said, strict=True)]
    return [
        *_arcs(rows, drawn.centre, dark=dark),
        *(
            pydeck.Layer(
                "ScatterplotLayer",
                [rows[at] for at in of.members],
                id=layer_id(number),
                get_position="[this[0], this[1]]",
                get_radius="this[2]",
                radius_units=String("pixels"),
                get_fill_color=[*of.rgb, _OPACITY],
                get_line_color=[10, 16, 23, 150] if dark else [255, 255, 255, 150],
                stroked=True,
                line_width_min_pixels=0.6,
                line_width_max_pixels=0.6,
                pickable=True,
            )
            for number, of in enumerate(drawn.classes)
        ),
        _rings(drawn.chosen, "chosen", dark=dark),
    ]


def _arcs(
    rows: Sequence[Sequence[Any]], centre: base.Place | None, *, dark: bool
) -> list[pydeck.Layer]:
    """From the centre to the properties of most dollars."""
    if centre is None:
        return []
    colour = [*_CHOSEN[dark], 150]
    arcs = pydeck.Layer(
        "ArcLayer",
        [row[:2] for row in rows[:MOST_ARCS]],
        id="arcs",
        get_source_position=[round(part, 3) for part in centre],
        get_target_position="this",
        get_source_color=colour,
        get_target_color=colour,
        get_width=1.4,
        get_height=0.35,
    )
    return [arcs, _rings([centre], "centre", dark=dark)]


def _money(dollars: Sequence[int]) -> list[str]:
    """As `money` writes each. To the digits that it shows, twenty thousand amounts are some
    hundreds, which are written once.
    """
    amounts = np.array(dollars, np.int64)
    size = np.abs(amounts)
    step = np.select([size <= most for most, _ in _STEPS], [by for _, by in _STEPS], 10_000_000)
    shown = (2 * size + step) // (2 * step) * step * np.sign(amounts)
    return [*map(_written, shown.tolist())]


_written = lru_cache(maxsize=20_000)(money)


def _cells(drawn: Cells, *, dark: bool) -> list[pydeck.Layer]:
    """Cells as high as their dollars; those of few loans by their edges only."""
    height = _TALLEST * _METRES * drawn.fit.span / drawn.top
    made = _columns if drawn.slender else _prisms
    layers = [
        made([drawn.cells[at] for at in of.members], of, layer_id(number), height)
        for number, of in enumerate(drawn.classes)
    ]
    if drawn.chosen:
        corners = hexagons.corners(drawn.chosen)
        edge = pydeck.Layer(
            "PathLayer",
            [[*corners, corners[0]]],
            id="chosen",
            get_path="this",
            get_color=_CHOSEN[dark],
            width_min_pixels=3,
            width_max_pixels=3,
        )
        layers.append(edge)
    return layers


def _said(cell: PropertyCell) -> list[str]:
    """Lines of its tooltip."""
    return [
        money(cell.dollars),
        f"{count(cell.properties)} properties of {count(cell.loans)} loans",
        f"{percent(bad_share(cell), 1)} severe or critical",
    ]


def _solid(of: Class) -> dict[str, Any]:
    """How prisms and columns of a class look."""
    return {
        "get_elevation": "this[1]",
        "get_fill_color": [*of.rgb, 36 if of.hollow else 235],
        "get_line_color": [*of.rgb, 255],
        "wireframe": of.hollow,
        "extruded": True,
        "material": _MATERIAL,
        "pickable": True,
    }


def _prisms(found: Sequence[PropertyCell], of: Class, name: str, height: float) -> pydeck.Layer:
    rows = [
        [
            _outline(one.cell),
            round(one.dollars * height),
            *_said(one),
        ]
        for one in found
    ]
    return pydeck.Layer("PolygonLayer", rows, id=name, get_polygon="this[0]", **_solid(of))


@lru_cache(maxsize=6_000)
def _outline(cell: str) -> list[list[float]]:
    """Its corners; the same cells are drawn whatever the filters."""
    return [[round(x, 4), round(y, 4)] for x, y in hexagons.corners(cell)]


def _columns(found: Sequence[PropertyCell], of: Class, name: str, height: float) -> pydeck.Layer:
    rows = [
        [
            [round(one.longitude, 3), round(one.latitude, 3)],
            round(one.dollars * height),
            *_said(one),
        ]
        for one in found
    ]
    size = hexagons.SIZES[hexagons.parts(found[0].cell)[0]]
    return pydeck.Layer(
        "ColumnLayer",
        rows,
        id=name,
        get_position="this[0]",
        radius=round(size * _METRES * 0.3),
        disk_resolution=12,
        **_solid(of),
    )


def _rings(places: Sequence[base.Place], name: str, *, dark: bool) -> pydeck.Layer:
    """A ring around each of some points."""
    return pydeck.Layer(
        "ScatterplotLayer",
        [[round(x, 4), round(y, 4)] for x, y in places],
        id=name,
        get_position="this",
        get_radius=LARGEST + 4,
        radius_units=String("pixels"),
        filled=False,
        stroked=True,
        get_line_color=_CHOSEN[dark],
        line_width_min_pixels=3,
        line_width_max_pixels=3,
    )
