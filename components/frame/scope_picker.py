"""The choice of the scope, in the head of every page that can be of some loans alone."""

from typing import Final

import streamlit as st

from components.frame import back, links, scope, session, visitor
from components.frame.routes import Route
from components.kit import actions, text
from components.kit.badge import Badge
from components.kit.formatting import count
from services.contract.desk import SavedSearch
from services.contract.errors import DeskUnavailable, Forbidden, MirrorMissing
from services.contract.loan_filter import LoanFilter
from services.contract.scope import BOOK, WATCHED, Scope
from services.contract.source import Screens

#: Sets that the choice names; the others open from the saved searches.
_MOST: Final = 30


def badge() -> Badge | None:
    """What the page is about, where that is not everything."""
    route = back.here()
    within = scope.chosen() if route and route.scoped else None
    if within is None:
        return None
    return Badge(f"Scope: {within.name}", "violet", _holds(within))


def picker() -> None:
    """Everything, the reader's own book, what they watch, and the saved sets they may read."""
    route = back.here()
    if route is None or not route.scoped or not session.mirrored():
        return
    within = scope.chosen()
    found = st.popover(
        text.label("Scope"),
        icon=":material/filter_center_focus:",
        key="scope picker",
        on_change="rerun",
    )
    if not found.open:
        return
    with found:
        _everything()
        if scope.has_book():
            _choice(route, BOOK.name, str(BOOK))
        _choice(route, WATCHED.name, str(WATCHED))
        try:
            sets = _sets()
        except DeskUnavailable as error:
            text.notice("warning", f"{error}.", "edit_off")
            return
        for one in sets[:_MOST]:
            _choice(route, _named(one), f"set:{one.search_id}")
        if len(sets) > _MOST:
            text.caption(f"and {count(len(sets) - _MOST)} more under Saved searches.")
        if within is None and not sets:
            text.caption("Save a result on Loans, or what you drew on Explore, as a set.")


def _sets() -> list[SavedSearch]:
    found = visitor.desk().searches(visitor.user(), session.label())
    return [one for one in found if one.search.page == "set"]


def _named(one: SavedSearch) -> str:
    mine = one.owner == visitor.user()
    return f"{one.name}: {count(one.found.records)}{'' if mine else f', of {one.owner}'}"


def _choice(route: Route, label: str, value: str) -> None:
    here = st.query_params.to_dict()
    here.pop("page", None)
    icon = _icon(chosen=here.get(scope.PARAMETER) == value)
    links.link(route, label, icon, {**here, scope.PARAMETER: value})


def _everything() -> None:
    """A button: a link to the first page without parameters leaves those of the address there."""
    icon = _icon(chosen=scope.PARAMETER not in st.query_params)
    actions.button("Everything", _leave, icon=icon, key="scope of everything", quiet=True)


def _leave() -> None:
    for name in (scope.PARAMETER, "page"):
        if name in st.query_params:
            del st.query_params[name]


def _icon(*, chosen: bool) -> str:
    return "radio_button_checked" if chosen else "radio_button_unchecked"


def _holds(within: Scope) -> str:
    """How many loans that is here, and how many numbers of a set are not."""
    try:
        found = session.ask(Screens.loan_totals, LoanFilter(scope=within))
    except (Forbidden, MirrorMissing):
        return "Every figure on this page is of these loans alone."
    missing = len(within.numbers) - found.records if within.numbers is not None else 0
    here = f"{count(found.loans)} loans are here"
    gone = f"; {count(missing)} of its numbers are not" if missing > 0 else ""
    return f"{here}{gone}. Figures on this page are of these alone, unless they say otherwise."
