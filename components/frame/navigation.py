"""The band at the top of every page: the product's mark, the pages in groups, the search box.

Our own in place of Streamlit's navigation, which takes a browser 70 ms on every page. It runs by
itself, without the page below it, when letters are typed into the box.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import streamlit as st

from components.frame import licence, links, periods, scope, search, session, visitor
from components.frame.routes import (
    ACCESS,
    CHANGES,
    GROUPS,
    OVERVIEW,
    ROUTES,
    SPONSORS,
    TENANTS,
    Route,
)
from components.kit import text
from components.kit.asset import asset
from components.platform.looks import SCRIPTS
from components.platform.types import StreamlitPage
from services.contract.endpoints import OWNERSHIP
from services.contract.errors import CreditAtlasError, NotPermitted
from services.contract.families import Families, FamilyFilter
from services.contract.tenants import TenantFilter, Tenants

HTML: Final = asset("navigation.html")
CSS: Final = asset("navigation.css") + asset("search.css")
JS: Final = SCRIPTS + "".join(
    map(asset, ("listbox.js", "tour.js", "search.js", "address.js", "navigation.js"))
)
_draw: Final = st.components.v2.component(
    "atlas_navigation", html=HTML, css=CSS, js=JS, isolate_styles=False
)
_KEY: Final = "navigation"


def pages() -> list[StreamlitPage]:
    """The pages as Streamlit knows them; the first is where a visitor lands."""
    return [
        st.Page(route.file, title=route.title, url_path=route.path, default=route == OVERVIEW)
        for route in ROUTES
    ]


@st.fragment
def drawn(page: StreamlitPage) -> None:
    """Draws the band over a page; what is chosen in the search box opens."""
    found = search.found()
    _draw(
        key=_KEY,
        data={
            "groups": _groups(page.url_path or OVERVIEW.path),
            "search": found,
            "user": _user(),
            "paths": [one.path for one in ROUTES],
        },
        on_asked_change=lambda: search.ask(_sent("asked")),
        on_opened_change=lambda: search.choose(_sent("opened"), found),
    )
    if links.GOTO in st.session_state:
        st.rerun()


def _groups(here: str) -> list[dict[str, Any]]:
    nothing = _nothing_to_show()
    return [
        {
            "label": group,
            "pages": [
                {"href": _href(route), "label": route.title, "here": route.path == here}
                for route in pages
                if route not in nothing or route.path == here
            ],
        }
        for group, pages in GROUPS.items()
    ]


def _nothing_to_show() -> frozenset[Route]:
    """Pages that have nothing to show of what is loaded: of one date there are no changes, and a
    filing names no sponsors. Their addresses still answer, and say so.
    """
    try:
        if visitor.ended():
            return frozenset()
        with session.lease():
            if not session.mirrored():
                return frozenset()
            return frozenset(route for route, shows in _SHOWS.items() if not shows())
    except CreditAtlasError:
        return frozenset()  # the page below the band says what is wrong


def _has_sponsors() -> bool:
    # A page that the tier does not open stays, for it says which one does.
    if not licence.opens(OWNERSHIP):
        return True
    return session.ask(Families.families, FamilyFilter(per_page=1)).total > 0


def _has_tenants() -> bool:
    return session.ask(Tenants.tenant_totals, TenantFilter()).leases > 0


#: Whether a page has anything to show of what is loaded, where that is not sure.
_SHOWS: Final[Mapping[Route, Callable[[], bool]]] = {
    CHANGES: lambda: len(periods.dates(periods.kept())) > 1,
    SPONSORS: _has_sponsors,
    TENANTS: _has_tenants,
}


def _user() -> dict[str, str] | None:
    """Who is signed in, and the page on which they sign out; None where nobody signs in."""
    if session.settings().sign_in == "none":
        return None
    try:
        if visitor.ended():
            return None
        who = visitor.who()
    except NotPermitted:
        return None  # the page below the band says why
    return {"name": text.line(who.name), "role": who.role, "href": ACCESS.path}


def _href(route: Route) -> str:
    path = "./" if route == OVERVIEW else route.path
    within = links.query(scope.carried())
    return f"{path}?{within}" if within else path


def _sent(what: str) -> object:
    return st.session_state[_KEY].get(what)
