"""Writing to the desk from a page: what is said where it cannot be written, or a write failed."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

import streamlit as st

from components.desk import facts
from components.frame import session, visitor
from components.kit import actions, text
from components.kit.formatting import loan_count
from services.contract.errors import CreditAtlasError, DeskUnavailable, NotPermitted

T = TypeVar("T")
#: Session keys of what a write came to, shown once.
_FAILED: Final = "desk write failed"
_DONE: Final = "desk write done"


def banner() -> DeskUnavailable | None:
    """Says above what can be written when nothing can be written now; None where it can."""
    fault = visitor.desk().fault()
    told(fault)
    return fault


def told(fault: DeskUnavailable | None) -> None:
    """Says why nothing can be written now; else what the last write came to."""
    if fault:
        text.notice("warning", f"{fault}.", "edit_off")
    else:
        outcome()


def read(ask: Callable[[], T], *, said: bool) -> T | None:
    """What the desk answers; None where it does not read, which is shown here unless it is `said`
    already: an error is never an empty list.
    """
    try:
        return ask()
    except DeskUnavailable as error:
        if not said:
            text.notice("warning", f"{error}.", "edit_off")
        return None


def outcome() -> None:
    """Says what the last write came to, if that has not been said yet."""
    if failed := st.session_state.pop(_FAILED, None):
        text.notice("error", f"{failed}.", "error")
    if done := st.session_state.pop(_DONE, None):
        said, undo = done
        with st.container(horizontal=True, vertical_alignment="center", key="done"):
            text.notice("info", said, "check")
            if undo:
                button("Undo", undo, icon="undo", key="undo")


def done(said: str, undo: Callable[[], None] | None = None) -> None:
    """For callbacks: what is said once on the page that a write was done, and what undoes it."""
    st.session_state[_DONE] = (said, undo)


def attempted(write: Callable[[], None]) -> None:
    """For callbacks, which run before the page and its error boundary: failures are shown on it."""
    try:
        write()
    except CreditAtlasError as error:
        if isinstance(error, NotPermitted):
            visitor.refused(error)
        st.session_state[_FAILED] = str(error)


def button(
    label: str,
    write: Callable[[], None],
    *,
    icon: str = "",
    key: str | None = None,
    help_text: str | None = None,
    off: bool = False,
    quiet: bool = False,
) -> None:
    """A button that writes; it looks as `actions.button` says."""
    press = partial(attempted, write)
    actions.button(label, press, icon=icon, key=key, help_text=help_text, off=off, quiet=quiet)


def submit(label: str, write: Callable[[], None], *, off: bool = False) -> None:
    """The button of a form that writes."""
    st.form_submit_button(text.label(label), disabled=off, on_click=attempted, args=(write,))


def watch(numbers: Sequence[str]) -> None:
    """For callbacks: puts loans on the watchlist, with what is seen of them now, and says so.

    Raises DeskUnavailable, NotPermitted.
    """
    with session.lease():
        now = facts.of_loans(numbers)
        for number in numbers:
            subject = facts.subject("loan", number)
            visitor.desk("watch").watch(visitor.user(), subject, now.get(number))
    are = "is" if len(numbers) == 1 else "are"
    done(f"{loan_count(len(numbers))} {are} on your watchlist.")
