"""The band at the top of every page: the product's mark, the pages in groups, the search box.

Our own in place of Streamlit's navigation, which takes a browser 70 ms on every page. It runs by
itself, without the page below it, when letters are typed into the box.
"""

from typing import Any, Final

import streamlit as st

from components.frame import links, scope, search, session, visitor
from components.frame.routes import ACCESS, GROUPS, OVERVIEW, ROUTES, Route
from components.kit import text
from components.kit.asset import asset
from components.platform.types import StreamlitPage
from services.contract.errors import NotPermitted

HTML: Final = asset("navigation.html")
CSS: Final = asset("navigation.css") + asset("search.css")
JS: Final = "".join(map(asset, ("listbox.js", "search.js", "address.js", "navigation.js")))
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
        data={"groups": _groups(page.url_path or OVERVIEW.path), "search": found, "user": _user()},
        on_asked_change=lambda: search.ask(_sent("asked")),
        on_opened_change=lambda: search.choose(_sent("opened"), found),
    )
    if links.GOTO in st.session_state:
        st.rerun()


def _groups(here: str) -> list[dict[str, Any]]:
    return [
        {
            "label": group,
            "pages": [
                {"href": _href(route), "label": route.title, "here": route.path == here}
                for route in pages
            ],
        }
        for group, pages in GROUPS.items()
    ]


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
