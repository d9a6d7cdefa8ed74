"""The way back: from which list or record the one on screen was opened."""

from typing import Final

import streamlit as st

from components.frame import scope
from components.frame.routes import ROUTES, Route
from components.kit import text

_HERE: Final = "here"
_CAME_FROM: Final = "came_from"
_OPENED: Final = "opened"
_BY_FILE: Final = {route.file: route for route in ROUTES}


def arrived(route: Route) -> None:
    """Notes which page runs.

    The browser's first Back from a record leads to the list's path with the record's parameters,
    an entry of Streamlit's own making: the list gets its former address again, once.
    """
    st.session_state[_HERE] = route.file
    came_from = st.session_state.get(_CAME_FROM)
    opened = st.session_state.get(_OPENED)
    if opened and came_from and came_from[0] == route.file and route.is_list:
        if st.query_params.to_dict() == opened:
            st.query_params.from_dict(came_from[1])
        del st.session_state[_OPENED]


def here() -> str | None:
    """The file of the page that runs; None before the first one."""
    return st.session_state.get(_HERE)


def leaving(to: Route, opened: dict[str, str]) -> None:
    """Notes the page on screen, whole, before another page is opened from it.

    `opened` are the parameters of that page. Within one list the browser's own Back is enough.
    """
    page = here()
    if page and not (to.is_list and page == to.file):
        st.session_state[_CAME_FROM] = (page, st.query_params.to_dict())
        st.session_state[_OPENED] = opened


def link(default: Route, label: str) -> None:
    """A link to where the record was opened from, else to the list `default`."""
    on_screen = (here(), st.query_params.to_dict())
    came_from = st.session_state.get(_CAME_FROM)
    file, given = (default.file, {}) if came_from in (None, on_screen) else came_from
    st.page_link(
        file,
        label=text.label(label if file == default.file and not given else _BY_FILE[file].back),
        icon=":material/arrow_back:",
        query_params=given or scope.carried(),
    )
