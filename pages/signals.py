"""Signals: where stress is, by state and property type, and the signals behind every mark."""

from functools import partial

import streamlit as st

from components import (
    api_call,
    exports,
    paging,
    session,
    shell,
    signal_filters,
    signal_panels,
    states,
)
from components.formatting import count
from services.sources import request_for

PAGE = "pages/signals.py"
shell.inside(PAGE)
shell.title("Signals")
if view := signal_filters.signal_view(PAGE):
    query = view.query()
    with states.panel("signals"):
        signal_panels.everywhere(view)
    page = signal_panels.found(view)
    if page.total:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{signal_filters.sentence(view)}: {count(page.total)}**")
            with st.container(horizontal=True, horizontal_alignment="right"):
                exports.download(
                    f"CSV of all {count(page.total)}",
                    partial(exports.signals_csv, view),
                    "credit-atlas-signals.csv",
                )
    if page.items:
        signal_panels.listed(page.items, session.today(), "signals")
        paging.bar(page)
    elif page.total:
        states.beyond_last(page.page, page.pages, PAGE, view.at(1).params())
    else:
        states.no_match(f"{signal_filters.sentence(view)}: none.", PAGE)
    api_call.popover(request_for(query), page)
