"""Watchlist: what a user watches, worst first, and what changed since it was last seen."""

from functools import partial

import streamlit as st

from components.desk import watchlist, writing
from components.frame import address, exports, links, paging, routes, shell, states
from components.kit import text
from components.kit.formatting import count

shell.inside(routes.WATCHLIST)
shell.title("Watchlist")
if view := watchlist.asked():
    fault = writing.banner()
    watches = watchlist.watched()
    if not watches:
        address.settle(view)
        states.nothing("Nothing is watched yet: press Watch on the page of a loan or a party.")
        links.link(routes.LOANS, "To the loans", "arrow_forward")
        links.link(routes.ENTITIES, "To the names", "arrow_forward")
    else:
        view = watchlist.switches(view, watches)
        found = watchlist.rows(watches, view)
        page = paging.page_of(found, view)
        with st.container(horizontal=True, vertical_alignment="center"):
            text.lead(f"{watchlist.sentence(view)}: {count(page.total)}")
            with st.container(horizontal=True, horizontal_alignment="right"):
                if page.total:
                    watchlist.actions(found, off=fault is not None)
                    make = partial(watchlist.export, view.at(1))
                    exports.download(make, page.total, "credit-atlas-watchlist")
        if page.items:
            watchlist.listed(page, view)
        elif page.total:
            states.beyond_last(page, routes.WATCHLIST, view.at(1).params())
        else:
            states.nothing(watchlist.none(view))
