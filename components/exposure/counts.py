"""Where a party's loans are counted in another way than on its page: how many, and why."""

import streamlit as st

from components.exposure import words
from components.frame import links, session
from components.frame.routes import CAPITAL_GRAPH, ENTITY, LOANS
from components.kit import text
from services.contract.errors import MirrorMissing, NotFound
from services.contract.exposure import Exposure
from services.contract.source import Dossiers


def of_entity(found: Exposure) -> None:
    """On the party's page: how its number comes about, and what Loans and the graph show."""
    said = (words.counted(found), words.beyond(found), words.on_loans(found), words.on_graph(found))
    text.sentence(" ".join(filter(None, said)))
    with st.container(horizontal=True):
        if found.by_name and found.by_name.loans:
            label = f"{found.by_name.loans:,} on Loans"
            links.link(LOANS, label, "list", {"lender": found.entity_name})
        params = {"entity_name": found.entity_name, "depth": "1"}
        links.link(CAPITAL_GRAPH, "One edge in the capital graph", "hub", params)


def of_filter(lender: str | None) -> None:
    """On Loans: what the page of a lender counts beside what the filter finds."""
    found = _asked(lender)
    if found is None or not found.by_name or not (found.loans or found.by_name.loans):
        return
    if {found.loans} == {found.by_name.loans, found.by_name.lent}:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        text.caption(f"{words.on_loans(found)} {words.counted(found)}")
        _to_entity(found)


def of_graph(entity_name: str | None) -> None:
    """On the capital graph around a party: what its page counts beside its edges."""
    found = _asked(entity_name)
    if found is None or found.loans == found.next_loans:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        text.caption(f"{words.on_graph(found)} {words.counted(found)}")
        _to_entity(found)


def _to_entity(found: Exposure) -> None:
    links.link(ENTITY, found.entity_name, "apartment", {"entity_name": found.entity_name})


def _asked(name: str | None) -> Exposure | None:
    """A party of exactly this name; None where there is none, or nobody can tell."""
    if not name:
        return None
    try:
        return session.ask(Dossiers.exposure, name)
    except (NotFound, MirrorMissing):
        return None
