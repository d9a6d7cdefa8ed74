"""Loans by city as points on a map that needs no network: state outlines below, cities above."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from pathlib import Path
from typing import Final

import streamlit as st

from components.kit import severity, tables, text
from components.kit.card import card
from components.kit.formatting import count, money, place
from components.kit.severity import label
from components.maps.states import outlines
from services.contract.aggregates import CityShare
from services.names.normalise import folded

CITIES: Final = Path(__file__).parents[1] / "assets" / "us_cities.csv"
#: Largest point, in pixels, and what every point has at least.
_LARGEST, _LEAST = 26.0, 3.0
#: Points over this radius have room for the glyph of their severity.
_MARKED = 7.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A city with its position, in degrees."""

    city: CityShare
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Places:
    """Cities found on the map, and those that were not: counted, never dropped."""

    placed: tuple[Placed, ...]
    missing: tuple[CityShare, ...]


@cache
def _positions() -> dict[tuple[str, str], tuple[float, float]]:
    with CITIES.open(encoding="utf-8", newline="") as lines:
        return {
            (row["state"], _key(row["city"])): (float(row["latitude"]), float(row["longitude"]))
            for row in csv.DictReader(lines)
        }


def _key(city: str) -> str:
    """As names are compared: without accents, case, punctuation and The; St. is Saint."""
    words = folded(city)
    words = words[1:] if words[:1] == ["the"] else words
    return " ".join("saint" if word == "st" else "fort" if word == "ft" else word for word in words)


def placed(found: Sequence[CityShare]) -> Places:
    """Cities with their positions, in the order given; those without one apart."""
    positions = _positions()
    known, missing = [], []
    for city in found:
        at = positions.get((city.state or "", _key(city.city or "")))
        if at:
            known.append(Placed(city, *at))
        else:
            missing.append(city)
    return Places(tuple(known), tuple(missing))


def cities(found: Sequence[CityShare], what: str) -> None:
    """Points by book value, coloured by the worst signal; those without a position are counted."""
    where = placed(found)
    with card(f"{what}, by city", level=2):
        _deck(where)
        missing = sum(city.loans for city in where.missing)
        parts = ["Area is book value, colour the worst signal; positions from GeoNames (CC BY 4.0)"]
        if missing:
            parts.append(
                f"{count(missing)} loans in {count(len(where.missing))} places are not on the map"
            )
        text.caption(". ".join(parts) + ".")
        with st.expander("The same as a table"):
            rows = [
                {
                    "City": place(city.city, city.state),
                    "Loans": count(city.loans),
                    "Book value": money(city.book_value),
                    "Worst signal": label(city.worst),
                }
                for city in found
            ]
            tables.plain(
                rows[:500], "city_table", what, figures=("Loans", "Book value"), height=360
            )
            if len(rows) > 500:  # noqa: PLR2004 - said in the line itself
                text.caption(f"The 500 largest of {count(len(rows))} cities.")


def _deck(where: Places) -> None:
    import pydeck

    dark = st.context.theme.type == "dark"
    top = max((at.city.book_value for at in where.placed), default=0) or 1
    points = [
        {
            "at": [at.longitude, at.latitude],
            "radius": _LEAST + (_LARGEST - _LEAST) * (at.city.book_value / top) ** 0.5,
            "colour": [*_rgb(severity.colour(at.city.worst)), 190],
            "glyph": severity.GLYPHS.get(at.city.worst or "", ""),
            # A value that begins with @@ would be an expression or a constant of deck.gl.
            "text": f" {place(at.city.city, at.city.state)}: {money(at.city.book_value)}, "
            f"{count(at.city.loans)} loans, worst signal {at.city.worst or 'none'}",
        }
        for at in where.placed
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
        data=points,
        get_position="at",
        get_radius="radius",
        radius_units=pydeck.types.String("pixels"),
        get_fill_color="colour",
        # In the dark the worst is the darkest fill: a light edge lifts it off the ground.
        get_line_color=[214, 222, 230] if dark else [60, 72, 84],
        line_width_min_pixels=0.8,
        stroked=True,
        pickable=True,
    )
    marks = pydeck.Layer(
        "TextLayer",
        data=[point for point in points if point["radius"] > _MARKED],
        get_position="at",
        get_text="glyph",
        get_size=11,
        get_color=[255, 255, 255],
        character_set=pydeck.types.String("auto"),
    )
    st.pydeck_chart(
        pydeck.Deck(
            # No style beside it: any brings requests to a tile host back.
            map_provider=None,
            layers=[land, dots, marks],
            initial_view_state=pydeck.ViewState(**_view(where.placed)),
            tooltip={"text": "{text}"},
        ),
        height=430,
    )


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
