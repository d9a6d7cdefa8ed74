"""Loans by city as points on a map that is zoomed and moved: each is a link."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Final

from components.frame import columns, links
from components.frame.ledger import Column, ledger
from components.frame.routes import Route
from components.kit import text
from components.kit.card import card, opening
from components.kit.formatting import count, money, place
from components.kit.severity import label
from components.maps.places import Placed, placed
from components.maps.points import MOST, MapPoint, points
from components.maps.states import DRAWN
from services.contract.aggregates import CityShare
from services.contract.vocabulary import STATES

#: Rows of the table at most.
_LISTED: Final = 500


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
        points(
            marks(on_map[:MOST], route, params, chosen),
            key="city_map",
            caption=f"Map of {what} by city; the same figures stand in the table below",
        )
        text.caption(_beside_the_map(found, on_map))
        table = partial(_table, found, what, route, params)
        opening("The same as a table", "cities_as_table", table)


def marks(
    found: Sequence[Placed], route: Route, params: Mapping[str, str], chosen: Collection[str]
) -> list[MapPoint]:
    """The cities as points, in their order."""
    return [_point(at, route, params, chosen) for at in found]


def _point(
    at: Placed, route: Route, params: Mapping[str, str], chosen: Collection[str]
) -> MapPoint:
    city = at.city
    here = (city.city or "").casefold() in chosen
    return MapPoint(
        city.state or "",
        at.longitude,
        at.latitude,
        city.book_value,
        city.worst,
        city.city or "",
        (
            place(city.city, city.state),
            f"{money(city.book_value)}, {count(city.loans)} loans",
            f"worst signal: {label(city.worst) if city.worst else 'none'}",
        ),
        links.address(route, _everywhere(params) if here else _narrowed(params, city)),
        here,
    )


def _beside_the_map(found: Sequence[CityShare], on_map: Sequence[Placed]) -> str:
    """What its points mean, and which cities are not among them."""
    said = ["Area is book value, colour the worst signal; positions from GeoNames (CC BY 4.0)"]
    if len(on_map) > MOST:
        said.append(f"The {count(MOST)} largest of {count(len(on_map))} cities are drawn")
    missing = len(found) - len(on_map)
    if missing:
        loans = sum(city.loans for city in found) - sum(at.city.loans for at in on_map)
        said.append(f"{count(loans)} loans in {count(missing)} places are not on the map")
    return ". ".join(said) + "."


def _table(found: Sequence[CityShare], what: str, route: Route, params: Mapping[str, str]) -> None:
    ledger(
        (
            Column[CityShare]("city", "City", lambda city: place(city.city, city.state)),
            columns.loans(),
            columns.book_value(short=True),
            columns.worst(short=True),
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
