"""Signals: where stress is, by state and property type, and the signals behind every mark."""

from functools import partial

import streamlit as st

from components.frame import api_call, exports, paging, routes, session, shell, states
from components.kit import text
from components.kit.formatting import count
from components.signals import filters, panels
from services.contract import endpoints
from services.contract.requests import request_for

shell.inside(routes.SIGNALS)
shell.title("Signals")
if view := filters.signal_view():
    query = view.filter()
    with states.panel(endpoints.SIGNALS):
        panels.everywhere(view)
    page = panels.found(view)
    if page.total:
        with st.container(horizontal=True, vertical_alignment="center"):
            text.lead(f"{filters.sentence(view)}: {count(page.total)}")
            with st.container(horizontal=True, horizontal_alignment="right"):
                exports.download(partial(panels.export, query), page.total, "credit-atlas-signals")
    if page.items:
        panels.listed(page.items, session.today(), "signals")
        paging.bar(page)
    elif page.total:
        states.beyond_last(page, routes.SIGNALS, view.at(1).params())
    else:
        states.no_match(f"{filters.sentence(view)}: none.", routes.SIGNALS)
    api_call.popover(request_for(query.specified()), page)
