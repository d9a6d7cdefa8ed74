"""The way back: from which list or record the one on screen was opened."""

from typing import Final

import streamlit as st

_HERE: Final = "here"
_CAME_FROM: Final = "came_from"
_OPENED: Final = "opened"
#: Pages whose addresses never name one record.
_LISTS: Final = frozenset(
    {"pages/overview.py", "pages/loans.py", "pages/signals.py", "pages/entities.py"}
)
_LABELS: Final = {
    "pages/overview.py": "Back to the overview",
    "pages/loans.py": "Back to search",
    "pages/loan.py": "Back to the loan",
    "pages/signals.py": "Back to the signals",
    "pages/entities.py": "Back to the names",
    "pages/entity.py": "Back to the entity",
    "pages/capital_graph.py": "Back to the graph",
}


def standing(page: str) -> None:
    """Notes which page runs; `page` is its file.

    The browser's first Back from a record leads to the list's path with the record's parameters,
    an entry of Streamlit's own making: the list gets its former address again, once.
    """
    st.session_state[_HERE] = page
    came_from = st.session_state.get(_CAME_FROM)
    opened = st.session_state.get(_OPENED)
    if opened and came_from and came_from[0] == page and page in _LISTS:
        del st.session_state[_OPENED]
        if st.query_params.to_dict() == opened:
            st.query_params.from_dict(came_from[1])


def leaving(opened: dict[str, str]) -> None:
    """Notes the page on screen, whole, before a record is opened from it.

    `opened` is the record's address, its parameters.
    """
    if page := st.session_state.get(_HERE):
        st.session_state[_CAME_FROM] = (page, st.query_params.to_dict())
        st.session_state[_OPENED] = opened


def link(default: str, label: str) -> None:
    """A link to where the record was opened from, else to the list `default`."""
    here = (st.session_state.get(_HERE), st.query_params.to_dict())
    came_from = st.session_state.get(_CAME_FROM)
    page, given = (default, {}) if came_from in (None, here) else came_from
    st.page_link(
        page,
        label=label if page == default and not given else _LABELS.get(page, "Back"),
        icon=":material/arrow_back:",
        query_params=given,
    )
