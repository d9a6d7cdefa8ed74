"""The facts of the node chosen in the capital graph, and what can be done with it."""

from typing import TYPE_CHECKING, Final

import streamlit as st

from components.frame import links, session, states
from components.frame.routes import CAPITAL_GRAPH, ENTITY, LOAN
from components.graph import paths
from components.graph.board import Board, Loaded
from components.graph.filters import PER_PAGE, GraphView
from components.kit import severity, tables, text
from components.kit.card import card
from components.kit.formatting import MISSING, count, day, distance, money, percent, place, words
from components.kit.text import line
from services.contract.aggregates import EntityDossier
from services.contract.errors import NotFound
from services.contract.queries import MAX_TEXT, EntityQuery, PathQuery, shortened
from services.contract.records import Entity, LoanDetail
from services.contract.source import CreditSource, Dossiers

if TYPE_CHECKING:
    import networkx as nx

_CHOSEN: Final = "graph_chosen"
Subject = LoanDetail | EntityDossier | Entity


def panel(
    view: GraphView,
    board: Board,
    loaded: Loaded,
    drawn: tuple["nx.MultiDiGraph", list[str]],
) -> None:
    """The node chosen, by a click or by name: what it is, its edges on screen, three ways on."""
    graph, names = drawn
    with card("Chosen node", level=2):
        st.session_state[_CHOSEN] = board.chosen
        st.selectbox(
            "Node",
            names,
            format_func=line,
            key=_CHOSEN,
            on_change=lambda: board.choose(st.session_state[_CHOSEN]),
            help="Click a node in the chart, or choose one here by name.",
        )
        node = board.chosen
        subject = _subject(board, node)
        if subject is None:
            states.nothing("Neither a loan nor a party of exactly this name is in the records.")
            return
        tables.facts(facts(subject), "graph_facts", "Facts of the chosen node")
        _actions(view, board, loaded, subject)
        paths.neighbours(graph, node)


def _subject(board: Board, node: str) -> Subject | None:
    """The record behind a node: paths give names only, so a wrong guess is put right here."""
    asks = (_loan, _party)
    for ask in asks if board.is_loan(node) else reversed(asks):
        try:
            subject = ask(node)
        except NotFound:
            continue
        (board.loans if isinstance(subject, LoanDetail) else board.parties).add(node)
        return subject
    return None


def _loan(node: str) -> Subject:
    return session.ask(CreditSource.loan, node)


def _party(node: str) -> Subject:
    """The dossier, or over an API without its mirror what a search says. Raises NotFound."""
    found: Subject | None
    if session.mirrored():
        found = session.ask(Dossiers.entity, node)
    else:
        page = session.ask(CreditSource.entities, EntityQuery(name=line(node)[:MAX_TEXT]))
        found = next((one for one in page.items if one.entity_name == node), None)
    if found is None:
        raise NotFound(f"No entity has the name '{shortened(node)}'")
    return found


def facts(subject: Subject) -> list[tuple[str, str]]:
    """Key figures of a loan or a party, by name."""
    if isinstance(subject, EntityDossier):
        found = subject.signals_by_severity
        worst = max(found, key=severity.rank, default=None)
        signals = f"{count(sum(found.values()))}, worst {severity.label(worst)}" if found else "0"
        return [
            ("Kind", line(words(subject.kind))),
            ("Resolution", f"{subject.confidence:.2f} {line(subject.confidence_tier)}"),
            ("Related loans", count(subject.book.loans)),
            ("Book value", money(subject.book.book_value)),
            ("Signals", line(signals)),
            ("Owners above", count(len(subject.owners))),
            ("Holdings below", count(subject.holdings_total)),
        ]
    if isinstance(subject, Entity):
        sure = MISSING if subject.confidence is None else f"{subject.confidence:.2f}"
        kind = subject.extra.get("kind")
        return [
            ("Kind", line(words(str(kind))) if kind else MISSING),
            ("Resolution", line(f"{sure} {subject.confidence_tier or ''}")),
            ("Related loans", count(subject.related_loan_count)),
        ]
    today = session.today()
    due = subject.maturity_date
    return [
        ("Kind", "Loan"),
        ("Property", line(words(subject.property_type))),
        ("City", line(place(subject.property_city, subject.property_state))),
        ("Book value", money(subject.book_value)),
        ("Coupon", percent(subject.interest_rate)),
        ("Matures", f"{day(due)}, {distance(due, today)}" if due else MISSING),
        ("Lender", line(subject.lender_normalized or MISSING)),
        ("Rate pressure", line(severity.label(subject.rate_pressure))),
        ("Ownership", line(words(subject.confidence_tier))),
    ]


def _actions(view: GraphView, board: Board, loaded: Loaded, subject: Subject) -> None:
    loan = isinstance(subject, LoanDetail)
    node = subject.loan_number if isinstance(subject, LoanDetail) else subject.entity_name
    name = {"loan_number" if loan else "entity_name": node}
    with st.container(horizontal=True, vertical_alignment="center"):
        label, done = _expansion(board, loaded, node)
        st.button(
            text.label(label),
            key="graph_expand",
            icon=":material/hub:",
            disabled=done,
            on_click=lambda: board.expand(node, loan=loan),
            help="Adds the neighbours of this node; no placed node moves.",
        )
        if node != board.root:
            start = PathQuery.model_validate(name | {"depth": view.depth}).params()
            links.link(CAPITAL_GRAPH, "Start from here", "my_location", start)
        route, label = (LOAN, "Open the loan") if loan else (ENTITY, "Open the entity")
        links.link(route, label, "open_in_new", name)


def _expansion(board: Board, loaded: Loaded, node: str) -> tuple[str, bool]:
    """What the button says, and whether there is nothing left to expand."""
    if node not in board.expanded:
        return "Expand", False
    total, shown = loaded.neighbours[node], len(loaded.expanded[node])
    if shown >= total:
        return f"Expanded: all {count(total)}", True
    return f"Expand {count(min(PER_PAGE, total - shown))} more of {count(total)}", False
