"""Writing to the desk from a page: what is said where it cannot be written, or a write failed."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.frame import session
from components.kit import text
from services.contract.errors import CreditAtlasError, DeskUnavailable

#: Session key of what a write came to, shown once.
_FAILED: Final = "desk write failed"


def banner() -> DeskUnavailable | None:
    """Says above what can be written when nothing can be written now; null where it can."""
    fault = session.desk().fault()
    if fault:
        text.notice("warning", f"{fault}.", "edit_off")
    elif failed := st.session_state.pop(_FAILED, None):
        text.notice("error", f"{failed}.", "error")
    return fault


def attempted(write: Callable[[], None]) -> None:
    """For callbacks, which run before the page and its error boundary: what fails is told on it."""
    try:
        write()
    except CreditAtlasError as error:
        st.session_state[_FAILED] = str(error)
