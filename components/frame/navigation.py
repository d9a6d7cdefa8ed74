"""The band at the top of every page: the product's mark, the pages, the search box.

Our own in place of Streamlit's navigation, which takes a browser 70 ms on every page. It runs by
itself, without the page below it, when letters are typed into the box.
"""

from typing import Any, Final

import streamlit as st

from components.frame import links, search
from components.frame.routes import OVERVIEW, ROUTES, Route
from components.kit.asset import asset
from components.platform.types import StreamlitPage

HTML: Final = asset("navigation.html")
CSS: Final = asset("navigation.css") + asset("search.css")
JS: Final = asset("listbox.js") + asset("search.js") + asset("navigation.js")
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
        data={"pages": _entries(page.url_path or OVERVIEW.path), "search": found},
        on_asked_change=lambda: search.ask(_sent("asked")),
        on_opened_change=lambda: search.choose(_sent("opened"), found),
    )
    if links.GOTO in st.session_state:
        st.rerun()


def _entries(here: str) -> list[dict[str, Any]]:
    return [
        {"href": _href(route), "label": route.title, "here": route.path == here}
        for route in ROUTES
        if route.in_navigation
    ]


def _href(route: Route) -> str:
    return "./" if route == OVERVIEW else route.path


def _sent(what: str) -> object:
    return st.session_state[_KEY].get(what)
