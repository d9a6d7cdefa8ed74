"""Where the capital graph starts: the search for a root, and what to do about an unknown one."""

from collections.abc import Callable, Mapping
from typing import Final

import streamlit as st

from components.exposure.words import beside, related
from components.frame import field_bar, licence, links, session
from components.frame.fields import Letters
from components.frame.routes import CAPITAL_GRAPH, Route
from components.graph.board import Board, Loaded, load
from components.graph.filters import GraphView, from_node
from components.kit import text
from components.kit.formatting import score, words
from services.contract.endpoints import PATHS
from services.contract.errors import InvalidRequest, NotFound
from services.contract.queries import EntityQuery, PathQuery, Query, parse
from services.contract.records import Entity
from services.contract.rounding import number_of
from services.contract.source import CreditSource, Suggestions

_CANDIDATES: Final = 8
_NEAR: Final = 5


#: Where a candidate leads, from "loan" or "entity" and its name.
Leads = Callable[[str, str], tuple[Route, Mapping[str, str]]]


def search(view: GraphView, *, open_: bool) -> None:
    """A box for a loan number or a name, and the candidates found, each a link to start from; none
    where the tier that pages are seen as opens no graph (D82).
    """
    if not licence.opens(PATHS):
        return
    with st.expander("Start from a loan or a party", expanded=open_, icon=":material/search:"):
        box(
            "Loan number or name",
            "graph_search",
            view,
            lambda kind, name: (CAPITAL_GRAPH, from_node(name, loan=kind == "loan")),
        )


def box(label: str, key: str, view: Query, leads: Leads) -> None:
    """A box for a loan number or a name, and the candidates found, each a link.

    What was typed stands in the session's state by `key` as long as the page shows this view.
    """
    if st.session_state.setdefault(f"{key} on", view) != view:
        st.session_state[f"{key} on"], st.session_state[key] = view, None
    field = Letters(
        label=label,
        empty="CA-000001, or a borrower, sponsor, lender as you know it",
        help="Typing errors, word order, accents, case and LLC do not count in names.",
    )
    typed = field_bar.draw({key: field}, key=f"box of {key}", label=label)[key]
    if typed is None:
        return
    try:
        loan = _loan(typed)
        query = parse(EntityQuery, {"name": typed, "per_page": str(_CANDIDATES)})
        found = session.ask(CreditSource.entities, query).items
    except InvalidRequest as error:
        text.notice("warning", f"{error}.", "search_off")
        return
    if loan:
        route, at = leads("loan", loan)
        links.link(route, f"Loan {loan}", "hub", at)
    for one in found:
        route, at = leads("entity", one.entity_name)
        links.link(route, _candidate(one), "hub", at)
    if not loan and not found:
        said = f"No loan has the number and no party a name like “{typed}”."
        text.notice("warning", said, "search_off")


def _loan(typed: str) -> str | None:
    try:
        session.ask(CreditSource.loan, str(parse(PathQuery, {"loan_number": typed}).loan_number))
    except NotFound:
        return None
    return typed


def _candidate(one: Entity) -> str:
    parts = (
        one.entity_name,
        (kind := one.extra.get("kind")) and words(str(kind)),
        _loans(one),
        (match := one.extra.get("match_score")) is not None and f"match {score(match)}",
    )
    return " · ".join(part for part in parts if part)


def _loans(one: Entity) -> str:
    """How many loans are its own; of one without any, in which role it has most."""
    own = one.related_loan_count
    if beside(own, by_role := one.extra.get("loans_by_role")):
        return related(own, by_role)
    return "" if own is None else number_of(own, "loan")


def found(view: GraphView, board: Board) -> Loaded | None:
    """The walk from the view's root; None after saying that no node is called like it."""
    try:
        return load(view, board)
    except NotFound as error:
        text.notice("warning", f"{error}.", "search_off")
    root, loan = str(view.root), view.loan_number is not None
    read = Suggestions.near_loans if loan else Suggestions.near_entities
    near = session.ask(read, root, _NEAR) if session.mirrored() else ()
    if near:
        text.sentence("Written like it:")
    for one in near:
        links.link(CAPITAL_GRAPH, one, "hub", from_node(one, loan=loan))
    return None
