"""Loans: search the coverage, open one, take all matches away."""

from functools import partial

import streamlit as st

from components.frame import api_call, exports, paging, routes, session, shell, states
from components.kit import text
from components.kit.formatting import count
from components.loans import filters, table
from components.maps import cities
from services.contract import endpoints
from services.contract.requests import request_for
from services.contract.source import Maps

shell.inside(routes.LOANS)
shell.title("Loans")
if view := filters.loan_view():
    query = view.filter()
    page = table.found(query)
    sentence = filters.sentence(query)
    if not page.total:
        states.no_match(f"{sentence}: none.", routes.LOANS)
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            text.lead(f"{sentence}: {count(page.total)}")
            with st.container(horizontal=True, horizontal_alignment="right"):
                filters.map_switch()
                exports.download(partial(table.export, query), page.total, "credit-atlas-loans")
        if view.map:
            with states.panel(endpoints.LOANS):
                cities.cities(session.ask(Maps.loan_cities, query), sentence)
        if page.items:
            table.loans(page.items, session.today(), "loans")
            paging.bar(page)
        else:
            states.beyond_last(page, routes.LOANS, view.at(1).params())
    api_call.popover(request_for(query.specified()), page)
