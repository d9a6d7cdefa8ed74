"""The facts of the node chosen in the capital graph, and what can be done with it."""

from datetime import date
from functools import partial
from typing import Final

import streamlit as st

from components.evidence import panel as evidence
from components.exposure.words import related
from components.frame import field_bar, links, loan_names, session, states
from components.frame.fields import One
from components.frame.routes import CAPITAL_GRAPH, CONNECTION, ENTITY, LOAN
from components.graph import network, paths
from components.graph.board import Board, Expansion, Loaded, branches, of
from components.graph.filters import PER_PAGE, GraphView, from_node
from components.graph.paths import LEFT, RIGHT
from components.kit import actions, severity, tables, text
from components.kit.card import card
from components.kit.formatting import (
    MISSING,
    count,
    day,
    distance,
    money,
    percent,
    place,
    score,
    words,
)
from components.kit.text import line
from services.contract.aggregates import EntityDossier
from services.contract.connections import BranchQuery
from services.contract.errors import NotFound
from services.contract.queries import MAX_TEXT, EntityQuery, PathQuery, shortened
from services.contract.records import Entity, LoanDetail
from services.contract.source import CreditSource, Dossiers

_CHOSEN: Final = "graph_chosen"
Subject = LoanDetail | EntityDossier | Entity


def panel(view: GraphView, board: Board, loaded: Loaded, graph: network.Graph) -> None:
    """The node chosen, by a click or by name: what it is, its edges on screen, ways on."""
    with card("Chosen node", level=2):
        st.session_state[_CHOSEN] = board.chosen
        field_bar.draw(
            {_CHOSEN: _among(graph, board)},
            key="choice of a node",
            label="Chosen node",
            on_fill=lambda: board.choose(st.session_state[_CHOSEN]),
        )
        node = board.chosen
        subject = _subject(board, node)
        if subject is None:
            states.nothing("Neither a loan nor a party of exactly this name is in the records.")
            return
        tables.facts(facts(subject), "Facts of the chosen node")
        _ways_on(view, board, subject)
        _on_the_board(board, graph, node)
        _expansions(board, loaded, node, loan=isinstance(subject, LoanDetail))
        paths.neighbours(graph, node)


def rests_on(board: Board, graph: network.Graph) -> None:
    """What the edges of the chosen node rest on, once opened: too wide to stand beside it."""
    node = board.chosen
    evidence.of_edges(paths.edges_at(graph, node, board.is_loan), f"edges at {node}")


def _among(graph: network.Graph, board: Board) -> One[str]:
    known = loan_names.of(node for node in graph if board.kind_of[node] == network.LOAN)
    return One(
        label="Node",
        help="Click a node in the drawing, or choose one here by name.",
        words={node: node for node in graph},
        write=lambda node: loan_names.beside(node, known),
        required=True,
    )


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
        worst = f", worst {severity.label(subject.worst)}" if subject.worst else ""
        signals = f"{count(sum(found.values()))}{worst}"
        return [
            ("Kind", line(words(subject.kind))),
            ("Resolution", f"{score(subject.confidence)} {line(subject.confidence_tier)}"),
            ("Related loans", related(subject.book.loans, subject.loans_by_role)),
            ("Book value", money(subject.book.book_value)),
            ("Signals", line(signals)),
            ("Owners above", count(len(subject.owners))),
            ("Holdings below", count(subject.holdings_total)),
        ]
    if isinstance(subject, Entity):
        sure = score(subject.confidence)
        kind, by_role = subject.extra.get("kind"), subject.extra.get("loans_by_role")
        return [
            ("Kind", line(words(str(kind))) if kind else MISSING),
            ("Resolution", line(f"{sure} {subject.confidence_tier or ''}")),
            ("Related loans", related(subject.related_loan_count, by_role)),
        ]
    today = session.today()
    effective = subject.extended.get("effective_maturity")
    due = date.fromisoformat(effective) if isinstance(effective, str) else subject.maturity_date
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


def _ways_on(view: GraphView, board: Board, subject: Subject) -> None:
    loan = isinstance(subject, LoanDetail)
    node = subject.loan_number if isinstance(subject, LoanDetail) else subject.entity_name
    name = from_node(node, loan=loan)
    with st.container(horizontal=True, vertical_alignment="center"):
        if node != board.root:
            start = PathQuery.model_validate(name | {"depth": view.depth}).params()
            links.link(CAPITAL_GRAPH, "Start from here", "my_location", start)
        route, label = (LOAN, "Open the loan") if loan else (ENTITY, "Open the entity")
        links.link(route, label, "open_in_new", name)
        ends = {"to_loan" if loan else "to_entity": node}
        label = "How is it connected to the root?"
        if node == board.root:
            ends, label = {}, "How is it connected to ..."
        root = "from_loan" if view.loan_number is not None else "from_entity"
        links.link(CONNECTION, label, "conversion_path", {root: board.root, **ends})


def _on_the_board(board: Board, graph: network.Graph, node: str) -> None:
    """Pin, hide and collapse."""
    pinned = node in board.shown.pinned
    expanded = any(of(query) == node for query in board.shown.expanded)
    if node == board.root and not expanded:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if node != board.root:
            actions.button(
                "Unpin" if pinned else "Pin",
                lambda: board.pin(node, network.path_to(graph, board.root, node)),
                icon="keep",
                key="graph_pin",
                help_text="A pinned node and its path stay, whatever is filtered or collapsed.",
            )
            hide, key = partial(board.hide, node), "graph_hide"
            said = "Takes it off the board, with what hangs on it alone."
            actions.button("Hide", hide, icon="visibility_off", key=key, help_text=said)
        if expanded:
            fold, key = partial(board.collapse, node), "graph_collapse"
            said = "Takes away what was added from it."
            actions.button("Collapse", fold, icon="unfold_less", key=key, help_text=said)


def _expansions(board: Board, loaded: Loaded, node: str, *, loan: bool) -> None:
    """What leads on from a node, by relation where that is known, with how much there is of it."""
    name = from_node(node, loan=loan)
    leading = branches(node, loan=loan)
    offers: list[tuple[str, Expansion, int | None]] = [
        (
            f"{words(one.relation)} {RIGHT if one.outward else LEFT}",
            BranchQuery.model_validate(name | {"relation": one.relation, "outward": one.outward}),
            one.edges,
        )
        for one in leading
    ]
    if not offers:
        # Who cannot tell relations apart gives the neighbours as they come.
        offers = [("Neighbours", PathQuery.model_validate(name | {"depth": 1}), None)]
    with st.container(key="graph-expansions", gap="xsmall"):
        text.caption("Expand; no placed node moves")
        with st.container(horizontal=True, gap="xsmall"):
            for at, (label, query, edges) in enumerate(offers):
                said, done = _offer(loaded, label, query, edges)
                expand = partial(board.expand, query)
                actions.button(said, expand, key=f"graph_expand_{at}", off=done)


def _offer(loaded: Loaded, label: str, query: Expansion, edges: int | None) -> tuple[str, bool]:
    """What the button of an expansion says, and whether there is nothing left of it."""
    added = loaded.expanded.get(query)
    if added is None:
        return (label if edges is None else f"{label} {count(edges)}"), False
    paths, total = added
    if len(paths) >= total:
        return f"{label} all {count(total)}", True
    further = min(PER_PAGE, total - len(paths))
    return f"{label} {count(further)} more of {count(total)}", False
