"""The search box of the band: a page, an action, filters in plain words, a term, a saved search, a
loan, a property, a party, a lender or a city.

"/" puts the cursor in it and lists the actions. components/assets/search.js draws what is found,
as text only.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from components.frame import licence, links, plain_filters, routes, session, visitor
from components.frame.routes import IN_NAVIGATION, Route
from components.frame.scope import PARAMETER
from components.kit import text
from components.kit.formatting import words
from services.contract.aggregates import Match
from services.contract.desk import SavedSearch
from services.contract.errors import CreditAtlasError
from services.contract.glossary import called
from services.contract.queries import EntityQuery, shortened
from services.contract.source import CreditSource, Suggestions

#: Of each kind.
_MOST: Final = 5
_LONGEST: Final = 200
_DETAIL: Final = 40
_ASKED: Final = "search asked"
_HINT: Final = "Search  ( / )"
_LABELS: Final = {
    "page": "Pages",
    "filter": "By these filters",
    "term": "Glossary",
    "saved": "Saved searches and sets",
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
    "#theme": "Switch between light and dark",
    "#tour": "Take the tour",
    "#shortcuts": "Keyboard shortcuts",
}
#: Saved searches that are an address of a page: links to the others go by their number.
ADDRESSES: Final = {"loans": routes.LOANS, "signals": routes.SIGNALS}
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
        found["filter"] = [(routes.LOANS, conditions, "Loans", asked)]
    try:
        if visitor.ended():
            return found
        found["term"] = [
            (routes.GLOSSARY, {"find": one.name}, one.name, text.cut(one.meaning, _DETAIL))
            for one in called(asked)[:_MOST]
        ]
        with session.lease():
            for one in _matches(asked):
                if licence.shows(one):
                    found.setdefault(one.kind, []).append(_HITS[one.kind](one))
            saved = visitor.desk().searches(visitor.user(), session.label())
            named = [one for one in saved if low in one.name.casefold()]
            found["saved"] = [(*saved_at(one), one.name, one.owner) for one in named[:_MOST]]
    except CreditAtlasError:
        # The page around the box says what is wrong with the source.
        return found
    return found


def saved_at(one: SavedSearch) -> tuple[Route, dict[str, str]]:
    """Where a saved search, a set or a shared list is shown, and by which parameters."""
    match one.search.page:
        case "watchlist":
            return routes.WATCHLIST, {"of": one.search_id}
        case "set":
            return routes.LOANS, {PARAMETER: f"set:{one.search_id}"}
        case page:
            # A search opens in the scope in which it was saved.
            return ADDRESSES[page], {PARAMETER: "", **one.search.params}


def _matches(asked: str) -> Sequence[Match]:
    if session.mirrored():
        return session.ask(Suggestions.matches, asked, _MOST)
    # The API without its mirror: it looks up parties by name.
    page = session.ask(CreditSource.entities, EntityQuery(name=asked, per_page=_MOST))
    return [Match(kind="party", name=one.entity_name, detail="") for one in page.items]


_HITS: Final[Mapping[str, Callable[[Match], Hit]]] = {
    "loan": lambda one: (routes.LOAN, {"loan_number": one.name}, one.name, one.detail),
    "property": lambda one: (routes.LOAN, {"loan_number": one.name}, one.detail, one.name),
    "party": lambda one: (routes.ENTITY, {"entity_name": one.name}, one.name, words(one.detail)),
    "lender": lambda one: (routes.LOANS, {"lender_of_loan": one.name}, one.name, ""),
    "city": lambda one: (routes.LOANS, {"city": one.name}, one.name, ""),
}
