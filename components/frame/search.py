"""The search box of the band: a page, an action, filters in plain words, a loan, a property, a
party, a lender or a city.

"/" puts the cursor in it and lists the actions. components/assets/search.js draws what is found,
as text only.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from components.frame import licence, links, plain_filters, session, visitor
from components.frame.routes import ENTITY, IN_NAVIGATION, LOAN, LOANS, Route
from components.kit import text
from components.kit.formatting import words
from services.contract.aggregates import Match
from services.contract.errors import CreditAtlasError
from services.contract.queries import EntityQuery, shortened
from services.contract.source import CreditSource, Suggestions

#: Of each kind.
_MOST: Final = 5
_LONGEST: Final = 200
_ASKED: Final = "search asked"
_HINT: Final = "Search  ( / )"
_LABELS: Final = {
    "page": "Pages",
    "filter": "By these filters",
    "loan": "Loans",
    "property": "Properties",
    "party": "Parties",
    "lender": "Lenders",
    "city": "Cities",
}

#: What the browser does by itself (components/assets/search.js), and how it is called.
ACTIONS: Final = {
    "#copy": "Copy the link to this page",
    "#export": "Export this result",
    "#watch": "Watch what is on this page",
    "#print": "Print this page",
    "#shortcuts": "Keyboard shortcuts",
}
#: A page, its parameters, what stands in the list, and what tells it from its like.
Hit = tuple[Route, Mapping[str, str], str, str]


def found() -> dict[str, Any]:
    """What the box shows: its hint, the letters last typed, and what they may mean, by kind."""
    asked = st.session_state.get(_ASKED, "")
    hits = _hits(asked) if asked else {}
    groups: list[dict[str, Any]] = [
        {
            "label": _LABELS[kind],
            "rows": [
                {"href": links.address(route, params), "label": text.line(name),
                 "detail": text.line(detail)}
                for route, params, name, detail in of_kind
            ],
        }
        for kind, of_kind in hits.items()
        if of_kind
    ]  # fmt: skip
    doing = [
        {"href": href, "label": label, "detail": ""}
        for href, label in ACTIONS.items()
        if asked.casefold() in label.casefold()
    ]
    if doing and asked:
        groups.append({"label": "Actions", "rows": doing})
    begin = [{"label": "Actions", "rows": doing}] if not asked else []
    none = f"Nothing is known as {shortened(asked)}"
    return {"hint": _HINT, "text": asked, "groups": groups, "begin": begin, "none": text.line(none)}


def ask(sent: object) -> None:
    """For callbacks: letters that a browser says were typed."""
    st.session_state[_ASKED] = sent.strip()[:_LONGEST] if isinstance(sent, str) else ""


def choose(sent: object, shown: dict[str, Any]) -> None:
    """For callbacks: opens what a browser says was chosen, if it was among what was shown."""
    st.session_state[_ASKED] = ""
    links.follow(sent, {row["href"] for group in shown["groups"] for row in group["rows"]})


def _hits(asked: str) -> dict[str, list[Hit]]:
    """What the letters may mean, by kind."""
    low = asked.casefold()
    pages: list[Hit] = [
        (route, {}, route.title, "") for route in IN_NAVIGATION if low in route.title.casefold()
    ]
    found: dict[str, list[Hit]] = {"page": pages}
    if conditions := plain_filters.read(asked):
        found["filter"] = [(LOANS, conditions, "Loans", asked)]
    try:
        if visitor.ended():
            return found
        with session.lease():
            for one in _matches(asked):
                if licence.shows(one):
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
