"""The ten largest loans of a pool, beside a map of its properties."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

import streamlit as st

from components.frame import links, loan_names, scope, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN, LOANS, MAP
from components.kit import severity, text
from components.kit.card import card
from components.kit.formatting import MISSING, count, money, place, share, spelled
from components.loans import columns
from components.maps.points import MapPoint, points
from components.maps.states import DRAWN
from services.contract.loan_filter import LoanFilter
from services.contract.properties import Properties, PropertyFilter
from services.contract.source import Screens

_TEN: Final = 10
_NAMES: Final = ("loan_number", "property_type", "worst_severity", "book_value", "dscr", "ltv")
#: Degrees around a place of several loans, as the Map page opens on it.
_AROUND: Final = 0.2
#: Loans that a place on the map names.
_NAMED: Final = 5
Property = dict[str, Any]


def panel(today: date) -> None:
    """Both cards, which end together."""
    left, right = st.columns([1, 1.15], gap="small")
    with left:
        _map()
    with right:
        _largest(today)


def _largest(today: date) -> None:
    within = LoanFilter(scope=scope.chosen())
    asked = within.model_copy(update={"order": "-book_value", "per_page": _TEN})
    found = session.ask(Screens.loans_found, asked, columns.opened(_NAMES))
    whole = session.ask(Screens.loan_totals, within).book_value
    held = sum(one.values["book_value"] or 0 for one in found.items)
    number = spelled(len(found.items)).capitalize()
    with card(f"{number} largest: {money(held)}, {share(held, whole)}", level=2):
        first, *rest = columns.columns(_NAMES, today, order=False)
        ledger(
            [first, *(_barred(one) for one in rest)],
            [one.values for one in found.items],
            opens=lambda values: (LOAN, values["loan_number"]),
            caption="Largest loans",
        )
        if found.total > _TEN:
            params = {"order": "-book_value"}
            links.link(LOANS, f"All {count(found.total)} by book value", "arrow_forward", params)


def _barred(one: Column[columns.Values]) -> Column[columns.Values]:
    """The column, a bar behind book values."""
    if one.name != "book_value":
        return one
    return replace(one, bar=lambda values: values["book_value"])


def _map() -> None:
    query = PropertyFilter(scope=scope.chosen())
    found = [
        row
        for batch in session.ask_large(Properties.property_batches, query)
        for row in batch.to_pylist()
    ]
    shown = [one for one in found if one["longitude"] is not None and one["state"] in DRAWN]
    states = len({one["state"] for one in shown})
    among = f" in {count(states)} states" if states > 1 else ""
    with card(f"{count(len(found))} properties{among}", level=2):
        points(
            marks(shown),
            key="pool_map",
            caption="Map of the properties by place; the Map page lists them",
        )
        text.caption(_beside(len(found), found, shown))
        links.link(MAP, "On the Map page", "map")


def marks(found: Sequence[Property]) -> list[MapPoint]:
    """One point a place, the largest first: its properties' parts of book value, by the worst
    signal of their loans.
    """
    numbers = {one["loan_number"] for one in found}
    names = loan_names.of(numbers)
    at: dict[tuple[str, float, float], list[Property]] = defaultdict(list)
    for one in found:
        at[one["state"], one["longitude"], one["latitude"]].append(one)
    drawn = [_mark(where, of, names) for where, of in at.items()]
    return sorted(drawn, key=lambda one: -one.dollars)


def _mark(
    where: tuple[str, float, float], of: list[Property], names: Mapping[str, str]
) -> MapPoint:
    state, longitude, latitude = where
    of = sorted(of, key=lambda one: (-severity.rank(one["worst"]), -(one["dollars"] or 0)))
    first, loans = of[0], {one["loan_number"]: one["worst"] for one in of}
    dollars = sum(one["dollars"] or 0 for one in of)
    called = [loan_names.beside(number, names) for number in loans]
    graded = [
        f"{name}: {severity.label(worst)}" if worst else name
        for name, worst in zip(called, loans.values(), strict=True)
    ]
    more = [f"and {count(len(graded) - _NAMED)} more"] if len(graded) > _NAMED else []
    href = links.address(LOAN, first["loan_number"]) if len(loans) == 1 else _around(where)
    bad = severity.rank(first["worst"]) >= severity.rank("elevated")
    return MapPoint(
        state,
        longitude,
        latitude,
        dollars,
        first["worst"],
        names.get(first["loan_number"], "") if bad else first["city"] or "",
        (f"{place(first['city'], state)}, {money(dollars)}", *graded[:_NAMED], *more),
        href,
        first=bad,
    )


def _around(where: tuple[str, float, float]) -> str:
    """The Map page on this place; insets have no view of their own."""
    state, longitude, latitude = where
    if state in {"AK", "HI"}:
        return links.address(MAP, {"state": state})
    sides = (longitude - _AROUND, latitude - _AROUND, longitude + _AROUND, latitude + _AROUND)
    return links.address(MAP, PropertyFilter(view=sides).params())


def _beside(every: int, found: Sequence[Property], shown: Sequence[Property]) -> str:
    """What points mean, and which properties are not among them."""
    said = "Area is book value divided among the properties of a loan, colour the worst signal."
    if every == len(shown):
        return said
    drawn = {id(one) for one in shown}
    lacking = [one for one in found if id(one) not in drawn]
    places = sorted({place(one["city"], one["state"]) for one in lacking} - {MISSING})
    more = f" and {count(len(places) - _NAMED)} more places" if len(places) > _NAMED else ""
    where = f": {'; '.join(places[:_NAMED])}{more}" if places else ""
    return f"{said} {count(len(lacking))} not drawn{where}."
