"""Saving the search on screen, or sharing one's list, under a name."""

from collections.abc import Callable
from hashlib import sha256

import streamlit as st

from components.desk import found, writing
from components.frame import session, visitor
from components.kit import text
from components.loans.filters import LoanView
from services.contract.desk import LONGEST_NAME, Search, SearchFound, SearchPage
from services.contract.loan_filter import LoanFilter
from services.contract.queries import Query
from services.contract.signal_filter import SignalFilter


def search(page: SearchPage, view: Query, query: LoanFilter | SignalFilter, sentence: str) -> None:
    """A button that saves what Loans or Signals show, with how many there are now.

    Over an API without its mirror there is none: nothing could be compared later.
    """
    if not session.mirrored():
        return
    saved = Search(source=session.label(), page=page, params=_params(view))
    _asked("Save this search", "bookmark_add", saved, sentence, lambda: found.by(query))


def watches(now: Callable[[], SearchFound], *, off: bool) -> None:
    """A button that shares one's list of watches, whatever is on it by then."""
    shared = Search(source=session.label(), page="watchlist", params={})
    off = off or not visitor.who().may("share")
    _asked("Share this list", "group_add", shared, f"Watched by {visitor.user()}", now, off=off)


def _params(view: Query) -> dict[str, str]:
    """The address without page and ticks; a set of this session as the numbers that are in it."""
    view = view.at(1)
    if isinstance(view, LoanView):
        numbers = view.filter().numbers
        view = view.model_copy(update={"compare": None, "set": None, "numbers": numbers})
    return view.params()


def _asked(
    label: str,
    icon: str,
    search: Search,
    name: str,
    now: Callable[[], SearchFound],
    *,
    off: bool = False,
) -> None:
    # Another search begins with its own name, and keeps no half-written one of the last.
    key = sha256(search.model_dump_json().encode()).hexdigest()[:12]
    is_list = search.page == "watchlist"
    with (
        st.popover(text.label(label), icon=f":material/{icon}:", disabled=off),
        st.form(f"save {key}", border=False),
    ):
        st.text_input("Name", name[:LONGEST_NAME], max_chars=LONGEST_NAME, key=f"name {key}")
        if is_list:
            text.caption("Everybody sees what is on it, now and later; only you change it.")
        else:
            denied = visitor.who().denied("share")
            st.toggle(
                "Share it with everybody",
                key=f"shared {key}",
                disabled=bool(denied),
                help=text.label(denied),
            )
        found_now = now()
        st.form_submit_button(
            "Share" if is_list else "Save",
            on_click=writing.attempted,
            args=(lambda: _save(key, search, found_now),),
        )


def _save(key: str, search: Search, found_now: SearchFound) -> None:
    shared = search.page == "watchlist" or st.session_state[f"shared {key}"]
    saved = visitor.desk("share" if shared else "watch").save_search(
        visitor.user(), st.session_state[f"name {key}"], search, found_now, shared=shared
    )
    writing.done(f"Saved as “{saved.name}”: see Saved searches on the Watchlist page.")
