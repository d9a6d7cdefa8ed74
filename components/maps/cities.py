"""Loans by city as points on a map that needs no network: state outlines below, cities above."""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import log2
from typing import Any, Final

import streamlit as st

from components.frame.ledger import Column, ledger
from components.frame.routes import Route
from components.kit import severity, text, theme
from components.kit.card import card
from components.kit.formatting import count, money, place
from components.kit.severity import label
from components.maps.places import Placed, Places, placed
from components.maps.states import outlines
from services.contract.aggregates import CityShare
from services.contract.vocabulary import STATES

#: Largest point, in pixels, and what every point has at least.
_LARGEST, _LEAST = 26.0, 3.0
#: Rows of the table at most.
_LISTED: Final = 500
#: How many of the largest cities bear their names.
_NAMED: Final = 12
#: Degrees that a name takes, over the whole country.
_LINE, _WORD = 1.4, 5.0
_KEY, _POINTS = "city_map", "cities"
#: Points over this radius have room for the glyph of their severity.
_MARKED = 7.0


def cities(
    found: Sequence[CityShare],
    what: str,
    route: Route,
    params: Mapping[str, str],
    *,
    chosen: Collection[str] = (),
    on_choice: Callable[[CityShare | None], None] | None = None,
) -> None:
    """Points by book value, coloured by the worst signal; those without a position are counted.

    In the table each city leads to the page `route` with `params`, narrowed to it. A click on the
    map calls `on_choice` with the city, or None where it leaves one; cities whose names are
    `chosen`, without capitals, have a thick edge.
    """
    where = placed(found)
    with card(f"{what}, by city", level=2):
        _deck(where, chosen, on_choice)
        missing = sum(city.loans for city in where.missing)
        parts = ["Area is book value, colour the worst signal; positions from GeoNames (CC BY 4.0)"]
        if missing:
            parts.append(
                f"{count(missing)} loans in {count(len(where.missing))} places are not on the map"
            )
        text.caption(". ".join(parts) + ".")
        with st.expander("The same as a table"):
            ledger(
                (
                    Column("city", "City", lambda city: place(city.city, city.state)),
                    Column("loans", "Loans", lambda city: count(city.loans), figure=True),
                    Column(
                        "book_value",
                        "Book value",
                        lambda city: money(city.book_value),
                        figure=True,
                        short=True,
                    ),
                    Column("worst", "Worst signal", lambda city: label(city.worst), short=True),
                ),
                found[:_LISTED],
                opens=lambda city: (route, _narrowed(params, city)),
                key="city_table",
                caption=what,
                height=360,
            )
            if len(found) > _LISTED:
                text.caption(f"The {_LISTED} largest of {count(len(found))} cities.")


def _narrowed(params: Mapping[str, str], city: CityShare) -> dict[str, str]:
    """The same page about one city; about all where its name or state is not known."""
    if not city.city or city.state not in STATES:
        return dict(params)
    return {**params, "state": city.state, "city": city.city.casefold()}


def _deck(
    where: Places, chosen: Collection[str], on_choice: Callable[[CityShare | None], None] | None
) -> None:
    import pydeck

    dark = theme.dark()
    top = max((at.city.book_value for at in where.placed), default=0) or 1
    points = [
        {
            "place": number,
            "edge": 3.0 if (at.city.city or "").casefold() in chosen else 0.8,
            "at": [at.longitude, at.latitude],
            "radius": _LEAST + (_LARGEST - _LEAST) * (at.city.book_value / top) ** 0.5,
            "colour": [*_rgb(severity.colour(at.city.worst, dark=dark)), 190],
            "glyph": severity.GLYPHS.get(at.city.worst or "", ""),
            # A value that begins with @@ would be an expression or a constant of deck.gl.
            "text": f" {place(at.city.city, at.city.state)}: {money(at.city.book_value)}, "
            f"{count(at.city.loans)} loans, worst signal {at.city.worst or 'none'}",
        }
        for number, at in enumerate(where.placed)
    ]
    land = pydeck.Layer(
        "GeoJsonLayer",
        data=outlines(),
        filled=True,
        stroked=True,
        get_fill_color=[35, 48, 61] if dark else [240, 243, 246],
        get_line_color=[70, 86, 102] if dark else [176, 187, 198],
        line_width_min_pixels=0.7,
        pickable=False,
    )
    dots = pydeck.Layer(
        "ScatterplotLayer",
        id=_POINTS,
        data=points,
        get_position="at",
        get_radius="radius",
        radius_units=pydeck.types.String("pixels"),
        get_fill_color="colour",
        get_line_color=[214, 222, 230] if dark else [60, 72, 84],
        get_line_width="edge",
        line_width_units=pydeck.types.String("pixels"),
        stroked=True,
        pickable=True,
    )
    names = pydeck.Layer(
        "TextLayer",
        data=[
            {"at": point["at"], "name": f" {at.city.city}", "below": [0, point["radius"] + 8]}
            for point, at in _apart(points, where.placed)
        ],
        get_position="at",
        get_text="name",
        get_size=11,
        get_pixel_offset="below",
        get_color=[222, 230, 238] if dark else [40, 52, 64],
        character_set=pydeck.types.String("auto"),
        pickable=False,
    )
    marks = pydeck.Layer(
        "TextLayer",
        data=[point for point in points if point["radius"] > _MARKED],
        get_position="at",
        get_text="glyph",
        get_size=11,
        get_color=[24, 35, 47] if dark else [255, 255, 255],
        character_set=pydeck.types.String("auto"),
    )

    def follow() -> None:
        picked = st.session_state[_KEY]["selection"]["objects"].get(_POINTS) or [{}]
        at = picked[0].get("place")
        known = isinstance(at, int) and 0 <= at < len(where.placed)
        if on_choice:
            on_choice(where.placed[int(at)].city if known else None)

    st.pydeck_chart(
        pydeck.Deck(
            # No style beside it: any brings requests to a tile host back.
            map_provider=None,
            layers=[land, dots, marks, names],
            initial_view_state=pydeck.ViewState(**_view(where.placed)),
            tooltip={"text": "{text}"},
        ),
        height=430,
        key=_KEY,
        on_select=follow if on_choice else "ignore",
        selection_mode="single-object",
    )


def _apart(
    points: Sequence[dict[str, Any]], places: Sequence[Placed]
) -> list[tuple[dict[str, Any], Placed]]:
    """The largest cities that are so far apart that their names do not meet."""
    named: list[tuple[dict[str, Any], Placed]] = []
    for point, at in zip(points, places, strict=True):
        near = (
            abs(at.latitude - one.latitude) < _LINE and abs(at.longitude - one.longitude) < _WORD
            for _, one in named
        )
        if len(named) < _NAMED and not any(near):
            named.append((point, at))
    return named


def _view(placed: Sequence[Placed]) -> dict[str, float]:
    """Middle and zoom that show every point of the mainland, at least as large as a state."""
    mainland = [at for at in placed if -126 < at.longitude < -66]  # noqa: PLR2004 - its ends
    if not mainland:
        return {"latitude": 38.6, "longitude": -96.5, "zoom": 3.35}
    east, west = max(at.longitude for at in mainland), min(at.longitude for at in mainland)
    north, south = max(at.latitude for at in mainland), min(at.latitude for at in mainland)
    span = max((east - west) / 2.2, north - south, 1.5)
    return {
        "latitude": (north + south) / 2,
        "longitude": (east + west) / 2,
        "zoom": min(7.5, 7.8 - log2(span)),
    }


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
