"""A picture of properties as deck.gl draws it. Pure but for pydeck.

deck.gl evaluates text that begins with "@@": what a source says is sent behind a character of no
width, in the one text of a mark's card, which is set as text. No map provider is named: no other
host is asked.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import orjson
import pydeck
from pydeck.bindings.json_tools import default_serialize
from pydeck.types import String

from components.kit.formatting import count, loan_count, money, percent
from components.properties import base
from components.properties.classes import Class, bad_share
from components.properties.picture import LARGEST, Cells, Picture, Points, hexagon
from services.contract.properties import PropertyCell

#: Between two cells, on a light page and on a dark one.
_EDGE: Final = ([255, 255, 255], [17, 24, 32])
#: The edge of what is chosen, and arcs, on a light page and on a dark one.
_CHOSEN: Final = ([31, 95, 168], [143, 193, 255])
#: The characters that marks of a shape are.
_SHAPES: Final = {"hexagon": "⬢", "diamond": "◆", "triangle-up": "▲", "square": "■"}
#: Stands before what a source says.
_BEFORE: Final = "\u200b"


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
    layers = _cells(drawn, dark=dark) if isinstance(drawn, Cells) else _points(drawn, dark=dark)
    states, cities = base.names(drawn.fit.size, dark=dark)
    return Compact(
        layers=[base.land(dark=dark), states, *layers, cities],
        initial_view_state=drawn.fit.state(),
        map_provider=None,
        tooltip={"text": "{1}\n{2}\n{3}" if isinstance(drawn, Cells) else "{3}"},
    )


def layer_id(number: int) -> str:
    """How the layer of a class is called."""
    return f"class-{number}"


def _points(drawn: Points, *, dark: bool) -> list[pydeck.Layer]:
    across, up = np.array(drawn.places, float).reshape(-1, 2).round(3).T.tolist()
    cards = [f"{_BEFORE}{one}" for one in drawn.said]
    rows = [*zip(across, up, drawn.radii(), cards, strict=True)]
    return [
        *_arcs([rows[at][:2] for at in drawn.reached()], drawn.centre, dark=dark),
        *(
            _marks([rows[at] for at in of.members], of, layer_id(number))
            for number, of in enumerate(drawn.classes)
        ),
        _rings(drawn.chosen, "chosen", dark=dark),
    ]


def _marks(rows: Sequence[Sequence[Any]], of: Class, name: str) -> pydeck.Layer:
    """Points of a class in its shape."""
    colour = [*of.rgb, round(255 * of.strength)]
    shared = {"id": name, "get_position": "[this[0], this[1]]", "pickable": True}
    if shape := _SHAPES.get(of.shape):
        return pydeck.Layer(
            "TextLayer",
            rows,
            get_text=f"('{shape}')",  # without brackets pydeck takes the quotes off
            character_set=String(shape),
            get_size="this[2] * 2.6",
            get_color=colour,
            font_family=String("sans-serif"),
            **shared,
        )
    return pydeck.Layer(
        "ScatterplotLayer",
        rows,
        get_radius="this[2]",
        radius_units=String("pixels"),
        get_fill_color=colour,
        get_line_color=[*of.rgb, 200],
        stroked=True,
        line_width_min_pixels=1,
        line_width_max_pixels=1,
        **shared,
    )


def _arcs(
    places: Sequence[Sequence[float]], centre: base.Place | None, *, dark: bool
) -> list[pydeck.Layer]:
    """From the centre to each of some places."""
    if centre is None:
        return []
    colour = [*_CHOSEN[dark], 150]
    arcs = pydeck.Layer(
        "ArcLayer",
        places,
        id="arcs",
        get_source_position=[round(part, 3) for part in centre],
        get_target_position="this",
        get_source_color=colour,
        get_target_color=colour,
        get_width=1.4,
        get_height=0.35,
    )
    return [arcs, _rings([centre], "centre", dark=dark)]


def _cells(drawn: Cells, *, dark: bool) -> list[pydeck.Layer]:
    """Hexagons; those of few loans by their edges only."""
    layers = [
        pydeck.Layer(
            "PolygonLayer",
            [[hexagon(one.cell), *_said(one)] for one in map(drawn.cells.__getitem__, of.members)],
            id=layer_id(number),
            get_polygon="this[0]",
            get_fill_color=[*of.rgb, 36 if of.hollow else 235],
            get_line_color=[*of.rgb, 255] if of.hollow else [*_EDGE[dark], 255],
            stroked=True,
            line_width_min_pixels=1,
            line_width_max_pixels=1,
            pickable=True,
        )
        for number, of in enumerate(drawn.classes)
    ]
    edge = pydeck.Layer(
        "PathLayer",
        [drawn.edge()] if drawn.chosen else [],
        id="chosen",
        get_path="this",
        get_color=_CHOSEN[dark],
        width_min_pixels=3,
        width_max_pixels=3,
    )
    return [*layers, edge]


def _said(cell: PropertyCell) -> list[str]:
    """Lines of its tooltip."""
    return [
        money(cell.dollars),
        f"{count(cell.properties)} properties of {loan_count(cell.loans)}",
        f"{percent(bad_share(cell), 1)} severe or critical",
    ]


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
