"""Explore: any two figures of the loans against each other, one figure by group, vintages."""

import streamlit as st

from components.desk import drawer, saving, writing
from components.explore import distribution, plot, vintages
from components.explore.view import explore_view, known
from components.frame import api_call, links, routes, session, shell, states
from components.loans import bulk, filters
from services.contract import endpoints
from services.contract.aggregates import FoundLoan
from services.contract.frame_call import frame_of
from services.contract.requests import request_for

shell.inside(routes.EXPLORE)
shell.title("Explore")
writing.outcome()
view = explore_view()
if view and view.set and bulk.numbers_of(view.set) is None:
    bulk.unknown_set(view.set)
elif view:
    query = view.filter()
    sentence = filters.sentence(query)
    listed: tuple[FoundLoan, ...] = ()
    with states.panel(endpoints.LOANS):
        if view.show == "plot":
            listed = plot.panel(view, sentence, saving.as_set, drawer.beside(view.loan))
        else:
            panels = {"vintages": vintages.panel}
            panels.get(view.show, distribution.panel)(view, sentence)
    drawer.drawn(known(view), listed, session.today())
    with st.container(horizontal=True, vertical_alignment="center"):
        links.link(routes.LOANS, "List these loans", "table_rows", view.as_result())
        api_call.popover(
            request_for(query.specified()),
            None,
            "The API has no figures over many loans: this is the list that they are made of.",
            frame_of("loans", query, columns=view.columns) if view.columns else None,
        )
