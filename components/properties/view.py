"""The Map page: the map, what its colours mean, what was chosen on it, and all of it as tables."""

from dataclasses import replace
from functools import partial
from typing import Final, Literal

import streamlit as st

from components.frame import api_call, exports, links, session, states
from components.frame.routes import MAP
from components.kit import actions, text
from components.kit.card import card, opening
from components.kit.formatting import count, loan_count, money
from components.properties import filters, picture, screen, table, webgl
from components.properties.filters import MapView
from services.contract import endpoints
from services.contract.frame_call import frame_of
from services.contract.properties import Properties, PropertyCells, PropertyTotals, Sides
from services.contract.rounding import number_of

#: Session keys: how the map itself left what is chosen and which part shows; how often it was begun
#: again, and with which part.
_LEFT: Final = "map left"
_BEGUN: Final = "map begun"
_FIRST: Final = "map first"
#: How wide the map is beside the list, which is 1.
_MAP: Final = 1.9
#: Of the list beside the map, in pixels.
_HEIGHT: Final = 690


def page(view: MapView) -> None:
    """The whole page."""
    with states.panel(endpoints.LOANS):
        query = view.filter()
        sentence = filters.sentence(query)
        totals = session.ask(Properties.property_totals, query.everywhere())
        if not totals.properties:
            states.no_match(f"{sentence}: none.", MAP)
            return
        _head(view, sentence, totals)
        filters.look(view)
        if webgl.has_room():
            map_there, list_there = st.columns([_MAP, 1], gap="small")
        else:
            map_there, list_there = st.container(), st.container()
        with map_there:
            _map(view, sentence, totals)
        with list_there:
            _listed(view, sentence, totals)
        api_call.frames(frame_of("properties", view.filter()))


def _head(view: MapView, sentence: str, totals: PropertyTotals) -> None:
    shown = session.ask(Properties.property_totals, view.filter())
    found = f"{sentence}: {number_of(totals.properties, 'property', 'properties')}"
    of = f"of {loan_count(totals.loans)}, {money(totals.dollars)}"
    with actions.beside(found, of, key="list"):
        if shown.properties:
            taken = partial(table.export, view.filter(), _of_choice(view, sentence))
            exports.download(taken, shown.properties, "credit-atlas-properties")


def _of_choice(view: MapView, sentence: str) -> str:
    if view.loan:
        return f"{sentence}, properties of the loan {view.loan}"
    if view.cell:
        return f"{sentence}, around {table.around(view.cell)}"
    if view.view:
        west, south, east, north = view.view
        return f"{sentence}, {table.degrees(west, south)} to {table.degrees(east, north)}"
    return sentence


def _map(view: MapView, sentence: str, totals: PropertyTotals) -> None:
    if webgl.missing():
        screen.in_its_place(view.filter(), _of_choice(view, sentence))
    elif view.layer == "points" and (
        view.cell or totals.properties - totals.positions["none"] <= screen.MOST_POINTS
    ):
        _points(view, sentence, totals)
    else:
        _cells(view, sentence, totals)


def _points(view: MapView, sentence: str, totals: PropertyTotals) -> None:
    query = view.filter().model_copy(update={"loan": None, "view": None})
    found = session.ask_large(Properties.property_points, query, screen.MOST_POINTS).to_pydict()
    make = partial(picture.points, found, view.colour, session.today().year, view.loan)
    said = [screen.kinds(totals), "Properties of one ZIP or city stand around its middle"]
    if len(found["loan_number"]) == screen.MOST_POINTS:
        said.append(f"The {count(screen.MOST_POINTS)} worst are drawn")
    title = f"by property: {filters.COLOURS[view.colour].lower()}"
    where = _of_choice(view.model_copy(update={"loan": None, "view": None}), sentence)
    _draw(screen.Shown(make, where, title, tuple(said)), view, "loan")


def _cells(view: MapView, sentence: str, totals: PropertyTotals) -> None:
    query = view.filter().everywhere()
    found = session.ask_large(Properties.property_cells, query, view.size, screen.MOST_CELLS)
    make = partial(picture.cells, found.cells, view.cell)
    said = (*_beside_cells(view, found), screen.kinds(totals))
    _draw(
        screen.Shown(
            make, sentence, "in cells: share of dollars on severe or critical loans", said
        ),
        view,
        "cell",
    )
    opening("The same as a table", "cells_as_table", partial(table.of_cells, found.cells, view))


def _draw(shown: screen.Shown, view: MapView, what: Literal["cell", "loan"]) -> None:
    """Draws the map, on which a cell or a loan is chosen."""
    state, chosen = st.session_state, getattr(view, what)
    if state.get(_LEFT) != (view.layer, chosen, view.view):
        # Chosen, moved or forgotten elsewhere: what the browser holds is no longer so.
        state[_LEFT] = view.layer, chosen, view.view
        state[_BEGUN], state[_FIRST] = state.get(_BEGUN, 0) + 1, view.view

    def on_choice(clicked: str | None) -> None:
        state[_LEFT] = view.layer, clicked, view.view
        filters.choose(**{what: clicked})

    def on_moved(sides: Sides | None) -> None:
        # To show all again the map is begun again.
        state[_LEFT] = (view.layer, chosen, sides) if sides else None
        filters.move(sides)

    with card(f"{shown.sentence}, {shown.title}", level=2):
        make = partial(shown.make, view=state[_FIRST])
        key = f"map of {view.layer} {state[_BEGUN]}"
        screen.show(replace(shown, make=make, on_choice=on_choice, on_moved=on_moved), key)


def _beside_cells(view: MapView, found: PropertyCells) -> list[str]:
    said = []
    if view.layer == "points":
        said.append(
            f"More than {count(screen.MOST_POINTS)} properties: cells first, points within the one "
            "that is clicked"
        )
    if found.resolution != view.size:
        said.append(
            f"Cells are {found.resolution}, so that there are no more than "
            f"{count(screen.MOST_CELLS)}"
        )
    if found.total > len(found.cells):
        said.append(f"The {count(len(found.cells))} largest of {count(found.total)} are drawn")
    return said


def _listed(view: MapView, sentence: str, totals: PropertyTotals) -> None:
    """What is chosen or in view, and the properties of it or of all."""
    found = session.ask(Properties.properties_found, view.filter())
    if view.cell or view.loan or view.view:
        with st.container(horizontal=True, vertical_alignment="center"):
            if view.cell or view.loan:
                text.lead(f"{_of_choice(view, sentence)}: {count(found.total)}")
            else:
                text.lead(f"{count(found.total)} in view", f"of {count(totals.properties)}")
            links.link(MAP, "Show all", "close", view.everywhere().params())
    if states.has_rows(found, MAP, view, empty="No property of this result is there."):
        table.properties(found, height=_HEIGHT if webgl.has_room() else None)
