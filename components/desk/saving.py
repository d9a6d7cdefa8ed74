"""Saving the search on screen, or sharing one's list, under a name."""

from collections.abc import Callable
from hashlib import sha256

import streamlit as st

from components.desk import found, writing
from components.frame import session, visitor
from components.kit import text
from components.kit.formatting import loan_count
from components.loans.filters import LoanView
from services.contract.desk import LONGEST_NAME, Search, SearchFound, SearchPage, set_of
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


def as_set(query: LoanFilter, sentence: str) -> None:
    """A button that saves the loans of a result as a named set: these, whatever is found later."""
    if not session.mirrored():
        return
    # Another result begins with its own name.
    key = sha256(query.model_dump_json(exclude_defaults=True).encode()).hexdigest()[:12]
    popover = st.popover(
        text.label("Save as set"),
        icon=":material/library_add:",
        key=f"as set {key}",
        on_change="rerun",
    )
    # Totals of a million loans take a third of a visit of the map; few visits save a set.
    if popover.open:
        with popover:
            _set_form(key, query, sentence, found.by(query))


def _set_form(key: str, query: LoanFilter, sentence: str, records: SearchFound) -> None:
    with st.form(f"save set {key}", border=False):
        st.text_input(
            "Name of the set", sentence[:LONGEST_NAME], max_chars=LONGEST_NAME, key=f"set {key}"
        )
        text.caption(
            f"{loan_count(records.records)}, under Scope in the head of every page from "
            "then on. A link to a page in that scope works for whoever may read the set."
        )
        _sharing(f"set shared {key}")
        writing.submit("Save the set", lambda: _save_set(key, query, records))


def _sharing(key: str) -> None:
    denied = visitor.who().denied("share")
    off = bool(denied)
    st.toggle("Share it with everybody", key=key, disabled=off, help=text.label(denied))


def _save_set(key: str, query: LoanFilter, records: SearchFound) -> None:
    shared = bool(st.session_state[f"set shared {key}"])
    # A callback comes before the page and its lease.
    with session.lease() as lease:
        columns = session.analytics().loan_columns(query, ("loan_number",))
        numbers = [number for column in columns for number in column.to_pylist()]
        search = set_of(lease.label, numbers)
    where = "choose it under Scope in the head of every page"
    _saved(st.session_state[f"set {key}"], search, records, where, shared=shared)


def _saved(name: str, search: Search, now: SearchFound, where: str, *, shared: bool) -> None:
    """Saves it, and says `where` it is found from then on."""
    desk = visitor.desk("share" if shared else "watch")
    saved = desk.save_search(visitor.user(), name, search, now, shared=shared)
    writing.done(f"Saved as “{saved.name}”: {where}.")


def _params(view: Query) -> dict[str, str]:
    """The address without page, selection and the loan beside the list; a set of this session as
    the numbers that are in it.
    """
    view = view.at(1)
    if isinstance(view, LoanView):
        numbers = view.filter().numbers
        view = view.model_copy(
            update={"compare": None, "loan": None, "set": None, "numbers": numbers}
        )
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
            _sharing(f"shared {key}")
        found_now = now()
        said = "Share" if is_list else "Save"
        writing.submit(said, lambda: _save(key, search, found_now))


def _save(key: str, search: Search, found_now: SearchFound) -> None:
    shared = search.page == "watchlist" or st.session_state[f"shared {key}"]
    where = "see Saved searches on the Watchlist page"
    _saved(st.session_state[f"name {key}"], search, found_now, where, shared=shared)
