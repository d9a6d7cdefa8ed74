"""The search box beside every heading: a loan, a property, a party, a lender, a city or a page.

"/" puts the cursor in it. It runs by itself, without the page around it, and
components/assets/search.js draws what is sent from here, as text only.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from components.frame import links, session
from components.frame.routes import ENTITY, LOAN, LOANS, ROUTES, Route
from components.kit import text
from components.kit.asset import asset
from components.kit.formatting import words
from services.contract.aggregates import Match
from services.contract.errors import CreditAtlasError
from services.contract.queries import EntityQuery, shortened
from services.contract.source import CreditSource, Suggestions

HTML: Final = asset("search.html")
CSS: Final = asset("search.css")
JS: Final = asset("search.js")
_draw: Final = st.components.v2.component(
    "atlas_search", html=HTML, css=CSS, js=JS, isolate_styles=False
)
#: Of each kind.
_MOST: Final = 5
_LONGEST: Final = 200
_KEY: Final = "search"
_ASKED: Final = "search asked"
_HINT: Final = "Search  ( / )"
_LABELS: Final = {
    "page": "Pages",
    "loan": "Loans",
    "property": "Properties",
    "party": "Parties",
    "lender": "Lenders",
    "city": "Cities",
}

#: A page, its parameters, what stands in the list, and what tells it from its like.
Hit = tuple[Route, Mapping[str, str], str, str]


@st.fragment
def box() -> None:
    """Draws the box; what is chosen in it opens."""
    asked = st.session_state.get(_ASKED, "")
    hits = _hits(asked) if asked else {}
    groups: list[dict[str, Any]] = [
        {
            "label": _LABELS[kind],
            "rows": [
                {"href": links.address(route, params), "label": text.line(name),
                 "detail": text.line(detail)}
                for route, params, name, detail in found
            ],
        }
        for kind, found in hits.items()
        if found
    ]  # fmt: skip
    offered = {row["href"] for group in groups for row in group["rows"]}
    none = f"Nothing is known as {shortened(asked)}"
    _draw(
        key=_KEY,
        data={"hint": _HINT, "text": asked, "groups": groups, "none": text.line(none)},
        on_asked_change=_take,
        on_opened_change=lambda: _open(offered),
    )
    if links.GOTO in st.session_state:
        st.rerun()


def _take() -> None:
    sent = st.session_state[_KEY].get("asked")
    st.session_state[_ASKED] = sent.strip()[:_LONGEST] if isinstance(sent, str) else ""


def _open(offered: set[str]) -> None:
    sent = st.session_state[_KEY].get("opened")
    st.session_state[_ASKED] = ""
    links.follow(sent, offered)


def _hits(asked: str) -> dict[str, list[Hit]]:
    """What the letters may mean, by kind."""
    low = asked.casefold()
    pages: list[Hit] = [
        (route, {}, route.title, "")
        for route in ROUTES
        if route.in_navigation and low in route.title.casefold()
    ]
    found: dict[str, list[Hit]] = {"page": pages}
    try:
        with session.lease():
            for one in _matches(asked):
                found.setdefault(one.kind, []).append(_HITS[one.kind](one))
    except CreditAtlasError:
        # The page around the box says what is wrong with the source.
        return found
    return found


def _matches(asked: str) -> Sequence[Match]:
    if session.mirrored():
        return session.ask(Suggestions.matches, asked, _MOST)
    # The API without its mirror: it looks up parties by name.
    page = session.ask(CreditSource.entities, EntityQuery(name=asked, per_page=_MOST))
    return [Match(kind="party", name=one.entity_name, detail="") for one in page.items]


_HITS: Final[Mapping[str, Callable[[Match], Hit]]] = {
    "loan": lambda one: (LOAN, {"loan_number": one.name}, one.name, one.detail),
    "property": lambda one: (LOAN, {"loan_number": one.name}, one.detail, one.name),
    "party": lambda one: (ENTITY, {"entity_name": one.name}, one.name, words(one.detail)),
    "lender": lambda one: (LOANS, {"lender_of_loan": one.name}, one.name, ""),
    "city": lambda one: (LOANS, {"city": one.name}, one.name, ""),
}
