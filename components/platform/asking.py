"""Whose browser asks for something beside a run of a page: a file is written in a thread of its
own, long after the page was drawn, and Streamlit does not say for whom.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

#: Session key of the page that shows an uploader; on any other no file is taken.
UPLOADER: Final = "uploader_shown"


@dataclass(frozen=True, slots=True)
class Asking:
    """The session whose browser asks, and the headers of its connection as it stands now."""

    session_id: str
    headers: Mapping[str, str]


ASKING: Final[ContextVar[Asking]] = ContextVar("asking")


def here() -> str | None:
    """The session for which this run draws; None outside a run."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else None


def page() -> str | None:
    """The page that this run draws, as Streamlit knows it; None outside a run."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.page_script_hash if context else None


def of_run(going: str | None = None) -> str:
    """Where the browser was when it asked for this run, and the path of the page that it draws,
    with a tab between; the page is empty where a session does not know its pages yet.

    A run that goes on to the path `going` is that page's: Streamlit writes its query first, and
    behind the path on screen that would be one more step of the history (assets/address.js).
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or context.context_info is None or not context.context_info.url:
        return ""
    drawn = context.pages_manager.get_pages().get(context.page_script_hash)
    path = drawn.get("url_pathname") if drawn and going is None else going
    page = "" if path is None else f"/{path}"
    return f"{urlsplit(context.context_info.url).path}?{context.query_string}\t{page}"


def page_begins() -> None:
    """Before a page is drawn: an uploader of the page before takes no file any more. One of the
    same page does, also while the page is drawn again.
    """
    if st.session_state.get(UPLOADER, page()) != page():
        del st.session_state[UPLOADER]
