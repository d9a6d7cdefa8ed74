"""Loans by city as points on a map that is zoomed and moved: each is a link."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final

import streamlit as st

from components.frame import links
from components.frame.ledger import Column, ledger
from components.frame.linked_drawings import CSS, HTML, script
from components.frame.routes import Route
from components.kit import severity, text, theme
from components.kit.card import card, opening
from components.kit.formatting import count, money, place
from components.kit.severity import label
from components.maps import projection, states
from components.maps.places import Placed, placed
from components.maps.states import DRAWN, HEIGHT, WIDTH
from services.contract.aggregates import CityShare
from services.contract.vocabulary import NO_SIGNAL, STATES

#: Largest point, in pixels, and what every point has at least.
_LARGEST, _LEAST = 26.0, 3.0
#: Rows of the table at most, and points on the map: the largest.
_LISTED: Final = 500
_POINTS: Final = 1_000
#: No view of the map is narrower than this part of it.
_NARROWEST: Final = 0.08
#: Room around the points, in parts of what they span.
_AROUND: Final = 0.12
#: Letters on a point, by severity.
_INK: Final = ("#10171f",) * 4 + ("#ffffff",)
#: The edge of a chosen point, on a light page and on a dark one.
_CHOSEN: Final = ("#1f5fa8", "#8fc1ff")
_KEY: Final = "city_map"
JS: Final = script("viewing", "cities")
# In the page's own document, as the tables are.
_draw: Final = st.components.v2.component(
    "atlas_cities", html=HTML, css=CSS, js=JS, isolate_styles=False
)


def cities(
    found: Sequence[CityShare],
    what: str,
    route: Route,
    params: Mapping[str, str],
    *,
    chosen: Collection[str] = (),
) -> None:
    """Points by book value, coloured by the worst signal; those without a position are counted.

    `found` has the largest city first. Each leads to the page `route` with `params`, narrowed to
    it; one whose name is `chosen`, without capitals, has a thick edge and leads back to all.
    """
    where = placed(found)
    on_map = [at for at in where.placed if at.city.state in DRAWN]
    with card(f"{what}, by city", level=2):
        data = sent(on_map, what, route, params, chosen, dark=theme.dark())
        leads = {one["href"] for one in data["cities"]}
        _draw(
            key=_KEY,
            data=data,
            on_opened_change=links.following(_KEY, leads),
        )
        text.caption(_beside_the_map(found, on_map))
        table = partial(_table, found, what, route, params)
        opening("The same as a table", "cities_as_table", table)


def sent(
    found: Sequence[Placed],
    what: str,
    route: Route,
    params: Mapping[str, str],
    chosen: Collection[str],
    *,
    dark: bool,
) -> dict[str, Any]:
    """What the browser is sent: the largest `_POINTS` cities."""
    drawn = found[:_POINTS]
    top = max((at.city.book_value for at in drawn), default=0) or 1
    points = [_point(at, top, route, params, chosen, dark=dark) for at in drawn]
    words = sorted({at.city.worst for at in drawn}, key=_by_rank, reverse=True)
    return {
        "caption": text.line(f"Map of {what} by city; the same figures stand in the table below"),
        "width": WIDTH,
        "height": HEIGHT,
        "land": _land(),
        "view": _view([(one["x"], one["y"]) for one in points]),
        "edge": _CHOSEN[dark],
        "legend": [
            {
                "colour": severity.colour(word, dark=dark),
                "label": text.line(label(word or NO_SIGNAL)),
            }
            for word in words
        ],
        "cities": points,
    }


def _by_rank(word: str | None) -> tuple[int, str]:
    return severity.rank(word), word or ""


@cache
def _land() -> str:
    return "".join(one.path for one in states.outline_of().values())


def _point(
    at: Placed,
    top: int,
    route: Route,
    params: Mapping[str, str],
    chosen: Collection[str],
    *,
    dark: bool,
) -> dict[str, Any]:
    city = at.city
    here = (city.city or "").casefold() in chosen
    x, y = projection.place(city.state or "", at.longitude, at.latitude, WIDTH)
    worst = severity.rank(city.worst)
    return {
        "x": round(x, 2),
        "y": round(y, 2),
        "r": round(_LEAST + (_LARGEST - _LEAST) * (city.book_value / top) ** 0.5, 1),
        "colour": severity.colour(city.worst, dark=dark),
        "ink": _INK[worst],
        "glyph": severity.GLYPHS.get(city.worst or "", ""),
        "name": text.line(city.city or ""),
        "chosen": here,
        "href": links.address(route, _everywhere(params) if here else _narrowed(params, city)),
        "said": [
            text.line(place(city.city, city.state)),
            f"{money(city.book_value)}, {count(city.loans)} loans",
            text.line(f"worst signal: {label(city.worst) if city.worst else 'none'}"),
        ],
    }


def _view(points: Sequence[projection.Point]) -> tuple[float, float, float, float]:
    """Left, top, width and height that show every point."""
    if not points:
        return 0, 0, WIDTH, HEIGHT
    across, down = zip(*points, strict=True)
    middle = (min(across) + max(across)) / 2, (min(down) + max(down)) / 2
    width = (1 + 2 * _AROUND) * max(
        max(across) - min(across), (max(down) - min(down)) * WIDTH / HEIGHT
    )
    width = min(WIDTH, max(width, _NARROWEST * WIDTH))
    height = width * HEIGHT / WIDTH
    return (
        round(middle[0] - width / 2, 1),
        round(middle[1] - height / 2, 1),
        round(width, 1),
        round(height, 1),
    )


def _beside_the_map(found: Sequence[CityShare], on_map: Sequence[Placed]) -> str:
    """What its points mean, and which cities are not among them."""
    said = ["Area is book value, colour the worst signal; positions from GeoNames (CC BY 4.0)"]
    if len(on_map) > _POINTS:
        said.append(f"The {count(_POINTS)} largest of {count(len(on_map))} cities are drawn")
    missing = len(found) - len(on_map)
    if missing:
        loans = sum(city.loans for city in found) - sum(at.city.loans for at in on_map)
        said.append(f"{count(loans)} loans in {count(missing)} places are not on the map")
    return ". ".join(said) + "."


def _table(found: Sequence[CityShare], what: str, route: Route, params: Mapping[str, str]) -> None:
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


def _everywhere(params: Mapping[str, str]) -> dict[str, str]:
    """The same page about all cities."""
    return {name: value for name, value in params.items() if name != "city"}
