"""The way back: from which list or record the one on screen was opened."""

from typing import Final

import streamlit as st

_HERE: Final = "here"
_CAME_FROM: Final = "came_from"
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
    """Notes which page runs; `page` is its file."""
    st.session_state[_HERE] = page


def leaving() -> None:
    """Notes the page on screen, whole, before a record is opened from it."""
    if page := st.session_state.get(_HERE):
        st.session_state[_CAME_FROM] = (page, st.query_params.to_dict())


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
