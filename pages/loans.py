"""Loans: search the coverage, open one, take all matches away."""

from functools import partial

import streamlit as st

from components import api_call, city_map, exports, filters, paging, session, shell, states, tables
from components.formatting import count
from services.sources import request_for

PAGE = "pages/loans.py"
shell.inside(PAGE)
shell.title("Loans")
if view := filters.loan_view(PAGE):
    query = view.query()
    page = session.read("loans", query)
    sentence = filters.sentence(query)
    if not page.total:
        states.no_match(f"{sentence}: none.", PAGE)
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{sentence}: {count(page.total)}**")
            with st.container(horizontal=True, horizontal_alignment="right"):
                filters.map_switch()
                exports.download(
                    f"CSV of all {count(page.total)}",
                    partial(exports.loans_csv, query),
                    "credit-atlas-loans.csv",
                )
        if view.map:
            with states.panel("loans"):
                city_map.cities(session.analyse("loan_cities", query), sentence)
        if page.items:
            tables.loans(page.items, session.today(), "loans")
            paging.bar(page)
        else:
            states.beyond_last(page.page, page.pages, PAGE, view.at(1).params())
    api_call.popover(request_for(query), page)
