"""The way back: from which list or record the one on screen was opened."""

from typing import Final

import streamlit as st

from components.frame import scope
from components.frame.routes import Route
from components.kit import text

_HERE: Final = "here"
_CAME_FROM: Final = "came_from"


def arrived(route: Route) -> None:
    """Notes which page runs."""
    st.session_state[_HERE] = route


def here() -> Route | None:
    """The page that runs; None before the first one."""
    return st.session_state.get(_HERE)


def leaving(to: Route) -> None:
    """Notes the page on screen, whole, before another page is opened from it.

    Within one list the browser's own Back is enough.
    """
    page = here()
    if page and not (to.is_list and page == to):
        st.session_state[_CAME_FROM] = (page, st.query_params.to_dict())


def link(default: Route, label: str) -> None:
    """A link to where the record was opened from, else to the list `default`."""
    on_screen = (here(), st.query_params.to_dict())
    came_from = st.session_state.get(_CAME_FROM)
    route, given = (default, {}) if came_from in (None, on_screen) else came_from
    st.page_link(
        route.file,
        label=text.label(label if route == default and not given else route.back),
        icon=":material/arrow_back:",
        query_params=given or scope.carried(),
    )
