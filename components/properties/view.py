"""The Map page: the map, what its colours mean, what was chosen on it, and all of it as tables."""

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.frame import api_call, exports, links, session, states
from components.frame.routes import MAP
from components.kit import text, theme
from components.kit.card import card, opening
from components.kit.formatting import count, money
from components.maps import cities
from components.properties import classes, deck, filters, legend, table, webgl
from components.properties.filters import MapView
from components.properties.table import POSITIONS
from services.contract import endpoints
from services.contract.frame_call import frame_of
from services.contract.properties import Properties, PropertyCells, PropertyTotals
from services.contract.source import Maps
from services.contract.vocabulary import SEVERITIES

if TYPE_CHECKING:
    import pydeck

#: Points that are sent to a browser at most, and cells.
MOST_POINTS: Final = 20_000
MOST_CELLS: Final = 3_000
#: Session keys: what a click on the map chose last, and how often the map was begun anew.
_CLICKED: Final = "map clicked"
_BEGUN: Final = "map begun"


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
        _map(view, sentence, totals)
        _listed(view, sentence)
        api_call.frames(frame_of("properties", view.filter()))


def _head(view: MapView, sentence: str, totals: PropertyTotals) -> None:
    shown = session.ask(Properties.property_totals, view.filter())
    with st.container(horizontal=True, vertical_alignment="center"):
        text.lead(
            f"{sentence}: {count(totals.properties)} properties",
            f"of {count(totals.loans)} loans, {money(totals.dollars)}",
        )
        with st.container(horizontal=True, horizontal_alignment="right"):
            if shown.properties:
                taken = partial(table.export, view.filter(), _of_choice(view, sentence))
                exports.download(taken, shown.properties, "credit-atlas-properties")


def _of_choice(view: MapView, sentence: str) -> str:
    if view.loan:
        return f"{sentence}, properties of the loan {view.loan}"
    return f"{sentence}, around {table.around(view.cell)}" if view.cell else sentence


def _map(view: MapView, sentence: str, totals: PropertyTotals) -> None:
    if view.layer == "cities" or webgl.missing():
        if view.layer != "cities":
            text.notice(
                "info",
                "This browser has no WebGL, which the map of properties is drawn with; the map of "
                "cities stands in its place.",
                "map",
            )
        found = session.ask(Maps.loan_cities, view.filter().of_loans())
        here = view.everywhere().params()
        cities.cities(found, sentence, MAP, here, chosen=view.city or ())
        return
    placed = totals.properties - totals.positions["none"]
    if view.layer == "points" and (view.cell or placed <= MOST_POINTS):
        _points(view, sentence, totals)
    else:
        _cells(view, sentence, totals)
    webgl.check()


def _points(view: MapView, sentence: str, totals: PropertyTotals) -> None:
    query = view.filter().model_copy(update={"loan": None})
    rows = session.ask(Properties.property_points, query, MOST_POINTS).to_pydict()
    dark = theme.dark()
    of = {
        "severity": lambda: classes.by_severity(rows["worst"], dark=dark),
        "type": lambda: classes.by_type(rows["property_type"], dark=dark),
        "maturity": lambda: classes.by_maturity(
            rows["maturity_year"], session.today().year, dark=dark
        ),
    }[view.colour]()
    places = list(zip(rows["longitude"], rows["latitude"], strict=True))
    said = [
        f"{_word(worst)}, {POSITIONS[position]}"
        for worst, position in zip(rows["worst"], rows["position"], strict=True)
    ]
    found = [deck.Point(*one) for one in zip(places, rows["dollars"], said, strict=True)]
    numbers = rows["loan_number"]
    chosen = [place for place, one in zip(places, numbers, strict=True) if one == view.loan]
    with card(f"{sentence}, by property: {filters.COLOURS[view.colour].lower()}", level=2):
        legend.legend(of)
        drawn = deck.points(found, of, chosen, dark=dark)
        offered = [[numbers[at] for at in one.members] for one in of]
        _draw(drawn, view, "loan", offered, f"Map of {count(len(found))} properties")
        text.caption(_beside(totals, len(found)))


def _word(worst: str | None) -> str:
    """A word of ours for a severity, whatever a source says."""
    if worst is None:
        return "no signal"
    return worst if worst in SEVERITIES else "unranked"


def _cells(view: MapView, sentence: str, totals: PropertyTotals) -> None:
    found = session.ask(
        Properties.property_cells, view.filter().everywhere(), view.size, MOST_CELLS
    )
    dark = theme.dark()
    of = classes.of_cells(found.cells, dark=dark)
    with card(f"{sentence}, in cells: height is book value", level=2):
        legend.legend(of)
        drawn = deck.cells(found.cells, of, view.cell, slender=view.layer == "columns", dark=dark)
        offered = [[found.cells[at].cell for at in one.members] for one in of]
        _draw(drawn, view, "cell", offered, f"Map of {count(len(found.cells))} cells")
        text.caption(_beside_cells(view, found, totals))
        opening("The same as a table", "cells_as_table", partial(table.of_cells, found.cells, view))


def _draw(
    drawn: "pydeck.Deck", view: MapView, what: str, offered: list[list[str]], alt: str
) -> None:
    """Draws the map. `offered` are what a click on the parts of each layer chooses: a browser is
    believed in nothing else.
    """
    chosen = getattr(view, what)
    if st.session_state.get(_CLICKED) != chosen:
        # Chosen or forgotten elsewhere: what the browser holds as clicked is no longer so.
        st.session_state[_CLICKED] = chosen
        st.session_state[_BEGUN] = st.session_state.get(_BEGUN, 0) + 1
    key = f"map of {view.layer} {st.session_state.get(_BEGUN, 0)}"

    def on_click() -> None:
        clicked = _clicked(st.session_state[key], offered)
        st.session_state[_CLICKED] = clicked
        filters.choose(**{what: clicked})

    st.pydeck_chart(
        drawn,
        height=deck.HEIGHT,
        on_select=on_click,
        selection_mode="single-object",
        key=key,
        alt=f"{alt}; the same stands in the table below",
    )


def _clicked(state: Any, offered: list[list[str]]) -> str | None:  # noqa: ANN401 - of a browser
    """What was clicked, if it is something that is drawn."""
    indices = state["selection"]["indices"]
    for number, names in enumerate(offered):
        for at in indices.get(deck.layer_id(number), ()):
            if isinstance(at, int) and 0 <= at < len(names):
                return names[at]
    return None


def _beside(totals: PropertyTotals, drawn: int) -> str:
    said = [f"Area is book value. {_kinds(totals)}"]
    said.append("Properties of one ZIP or city stand around its middle")
    if drawn == MOST_POINTS:
        said.append(f"The {count(drawn)} largest are drawn")
    return f"{'. '.join(said)}. {_SOURCE}"


_SOURCE: Final = "Positions from GeoNames (CC BY 4.0), outlines from the US Census."


def _beside_cells(view: MapView, found: PropertyCells, totals: PropertyTotals) -> str:
    said = []
    if view.layer == "points":
        said.append(
            f"More than {count(MOST_POINTS)} properties: cells first, points within the one that "
            "is clicked"
        )
    if found.resolution != view.size:
        said.append(
            f"Cells are {found.resolution}, so that there are no more than {count(MOST_CELLS)}"
        )
    if found.total > len(found.cells):
        said.append(f"The {count(len(found.cells))} largest of {count(found.total)} are drawn")
    said.append(_kinds(totals))
    return f"{'. '.join(said)}. {_SOURCE}"


def _kinds(totals: PropertyTotals) -> str:
    """12 by ZIP, 3 without a position."""
    known = [
        f"{count(number)} {POSITIONS[kind]}" for kind, number in totals.positions.items() if number
    ]
    return f"Properties: {', '.join(known)}"


def _listed(view: MapView, sentence: str) -> None:
    """What is chosen, and the properties of it or of all."""
    found = session.ask(Properties.properties_found, view.filter())
    if view.cell or view.loan:
        with st.container(horizontal=True, vertical_alignment="center"):
            text.lead(f"{_of_choice(view, sentence)}: {count(found.total)}")
            links.link(MAP, "Show all", "close", view.everywhere().params())
    if found.items:
        table.properties(found)
    elif found.total:
        states.beyond_last(found, MAP, view.at(1).params())
    else:
        states.nothing("No property of this result is there.")
