"""Signals: where stress is, by state and property type, and the signals behind every mark."""

from functools import partial

import streamlit as st

from components import (
    city_map,
    exports,
    paging,
    session,
    shell,
    signal_filters,
    signal_panels,
    states,
)
from components.formatting import count

PAGE = "pages/signals.py"
shell.inside(PAGE)
shell.title("Signals")
if view := signal_filters.signal_view(PAGE):
    query = view.query()
    everywhere = signal_filters.sentence(view, place=False)
    found = session.analyse("signal_states", query)
    left, right = st.columns([1.75, 1], gap="small")
    with left:
        if view.map == "states":
            signal_panels.by_state(found, view, everywhere)
        else:
            city_map.cities(session.analyse("signal_cities", query), signal_filters.sentence(view))
    with right:
        signal_panels.state_table(found)
    signal_panels.matrices(
        session.analyse("signal_matrix", query, "severity"),
        session.analyse("signal_matrix", query, "property_type"),
    )
    page = session.analyse("signal_loans", query, view.property_type)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{signal_filters.sentence(view)}: {count(page.total)}**")
        with st.container(horizontal=True, horizontal_alignment="right"):
            exports.download(
                f"CSV of all {count(page.total)}",
                partial(exports.signals_csv, view),
                "credit-atlas-signals.csv",
            )
    if page.items:
        today = session.analytics().snapshot().as_of
        signal_panels.listed(page.items, today, "signals")
        paging.bar(page)
    elif page.total:
        states.beyond_last(page.page, page.pages, PAGE, view.at(1).params())
    else:
        states.no_match(f"{signal_filters.sentence(view)}: none.", PAGE)
