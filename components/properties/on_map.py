"""The properties of a family or of a loan on a map, once it is asked for: a panel of their pages.

deck.gl takes seconds to load, so nothing of it is on a page whose map is closed.
"""

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from components.frame import address, exports, links, session, states
from components.frame.routes import LOAN, MAP
from components.kit import text
from components.kit.card import card, opening
from components.kit.formatting import count, money
from components.loans import facts
from components.properties import filters, picture, screen, table, webgl
from services.contract import endpoints
from services.contract.properties import Properties, PropertyFilter
from services.contract.records import LoanDetail
from services.contract.rounding import number_of

#: Rows a page of the table.
_ROWS: Final = 25
_ARCS: Final = (
    "Arcs begin at the middle of its properties, weighted by book value: no record gives an "
    "address of its own"
)


def of_family(name: str, page: int) -> None:
    """Of a family: arcs from the middle of its properties lead to each (D133).

    `page` is that of the table.
    """
    query = PropertyFilter(family=name)
    with card("Where its properties are", part="properties"):
        _panel(query, filters.sentence(query), page, arcs=True)


def of_loan(loan: LoanDetail, page: int) -> None:
    """Of a loan, below what its record says of them."""
    number = loan.loan_number
    query = PropertyFilter(loan=number)
    listed = loan.extended.get("properties") or ()
    with card(f"Properties ({count(len(listed))})", part="properties"):
        facts.properties(loan)
        _panel(query, f"Properties of the loan {number}", page)


def _panel(query: PropertyFilter, sentence: str, page: int, *, arcs: bool = False) -> None:
    if not st.toggle("Show the map", **address.widget("on_map")):
        return
    with states.panel(endpoints.LOANS):
        _opened(query.at(page), sentence, arcs=arcs)


def _opened(query: PropertyFilter, sentence: str, *, arcs: bool) -> None:
    totals = session.ask(Properties.property_totals, query)
    if not totals.properties:
        states.nothing("No property is known.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        text.lead(number_of(totals.properties, "property", "properties"), money(totals.dollars))
        links.link(MAP, "On the Map page", "map", query.at(1).params())
        taken = partial(table.export, query.at(1), sentence)
        exports.download(taken, totals.properties, "credit-atlas-properties", alone=True)
    if totals.properties == totals.positions["none"]:
        states.nothing("None of them has a position: neither ZIP nor city is in the gazetteer.")
    elif webgl.missing():
        screen.in_its_place(query.at(1), sentence)
    else:
        _map(query, sentence, screen.kinds(totals), arcs=arcs)
    found = session.ask(Properties.properties_found, query.model_copy(update={"per_page": _ROWS}))
    opening(
        "The same as a table",
        "properties_as_table",
        partial(table.properties, found, "property_page", (_ROWS,)),
    )


def _map(query: PropertyFilter, sentence: str, kinds: str, *, arcs: bool) -> None:
    rows = session.ask_large(Properties.property_points, query, screen.MOST_POINTS).to_pydict()
    drawn = len(rows["loan_number"])
    said = [kinds]
    if drawn == screen.MOST_POINTS:
        said.append(f"The {count(drawn)} largest are drawn")
    make = partial(picture.points, rows, "severity", session.today().year)
    shown = screen.Shown(make, sentence, filters.COLOURS["severity"].lower(), tuple(said))
    if arcs:
        make = partial(make, centre=session.ask(Properties.property_middle, query))
        further = [_ARCS]
        if drawn > picture.MOST_ARCS:
            further.append(f"They lead to the {picture.MOST_ARCS} largest")
        shown = replace(shown, make=make, said=(*said, *further), on_choice=_open_loan)
    screen.show(shown, "map of properties")


def _open_loan(number: str | None) -> None:
    if number:
        links.open_record(LOAN, number)
