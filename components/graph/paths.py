"""The paths of the capital graph as a list, and the edges at a node: the drawing's twins."""

from collections.abc import Callable, Sequence
from typing import Final

from components.frame import links, paging, session, states
from components.frame.ledger import Column, ledger
from components.frame.routes import CAPITAL_GRAPH, ENTITY, LOAN
from components.graph import filters, network, wording
from components.graph.board import Loaded
from components.graph.filters import PER_PAGE, GraphView, relations_in_words
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import MISSING, count, fixed, score, words
from components.kit.text import line
from services.contract.evidence import EdgeQuery
from services.contract.records import GraphPath, Page
from services.contract.rounding import number_of
from services.contract.source import CreditSource
from services.contract.vocabulary import tier_of

LEFT, RIGHT = "\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}"
_PRODUCT: Final = "Product is that of the confidences along the path."


def page_of(view: GraphView, loaded: Loaded) -> Page[GraphPath]:
    """The page of paths to list: of all of them, or with filters of those loaded that pass."""
    if not view.filtered and view.find is None:
        return session.ask(CreditSource.paths, view.query(view.page))[1]
    check = network.passes(view.relation, view.confidence_min)
    listed = network.passing(loaded.paths, check)
    if view.find is not None:
        listed = network.naming(listed, view.find)
    part = listed[view.offset : view.offset + PER_PAGE]
    return Page(items=tuple(part), page=view.page, per_page=PER_PAGE, total=len(listed))


def filters_in_words(view: GraphView) -> str:
    """Relation borrower or owned by, confidence of at least 0.9; empty without filters."""
    parts = (
        view.relation and relations_in_words(view.relation),
        view.confidence_min is not None and f"confidence of at least {view.confidence_min:g}",
    )
    return ", ".join(part for part in parts if part)


def listed(view: GraphView, loaded: Loaded) -> None:
    """One row a path, in the order of D3, with paging; its end opens the loan or the party."""
    found = page_of(view, loaded)
    with card(f"Paths from {view.root}", level=2):
        filters.find()
        if view.filtered or view.find is not None:
            text.caption(_narrowed(view, found.total, len(loaded.paths)))
        if found.items:
            _table(view, found.items)
            paging.bar(found, sizes=(), explained=_PRODUCT)
        elif found.total:
            states.beyond_last(found, CAPITAL_GRAPH, view.at(1).params())
        elif view.filtered or view.find is not None:
            links.link(CAPITAL_GRAPH, "Show without filters", "filter_alt_off", view.start())
        else:
            states.nothing("There is no path to list.")


def _narrowed(view: GraphView, found: int, loaded: int) -> str:
    """12 of the 200 paths loaded have, on every edge, relation borrower, and name “oak”."""
    parts = (
        f"have, on every edge, {filters_in_words(view)}" if view.filtered else "",
        f"go through a name with “{view.find}”" if view.find is not None else "",
    )
    said = " and ".join(part for part in parts if part)
    return f"{count(found)} of the {number_of(loaded, 'path')} loaded {said}."


def _table(view: GraphView, paths: Sequence[GraphPath]) -> None:
    root = str(view.root)
    roots = ((root,), ()) if view.loan_number is not None else ((), (root,))
    kinds = network.kinds(network.network(root, paths, {}), *roots)

    def end(path: GraphPath) -> str:
        return network.along(root, path)[-1]

    def weakest(path: GraphPath) -> str:
        scores = [edge.confidence for edge in path.edges if edge.confidence is not None]
        known = network.product(path) is not None
        return f"{score(min(scores))} {tier_of(min(scores))}" if known else MISSING

    def product(path: GraphPath) -> str:
        found = network.product(path)
        return MISSING if found is None else fixed(found, 3)

    columns: tuple[Column[GraphPath], ...] = (
        Column("to", "To", end),
        Column("edges", "Edges", lambda path: str(len(path.edges)), figure=True),
        Column("product", "Product", product, figure=True, short=True),
        Column("weakest", "Weakest", weakest, figure=True),
        Column("path", "Path", lambda path: wording.path_in_words(root, path)),
    )
    ledger(
        columns,
        paths,
        opens=lambda path: (LOAN if kinds[end(path)] == network.LOAN else ENTITY, end(path)),
        caption="Paths, one row each",
    )


def edges_at(graph: network.Graph, node: str, is_loan: Callable[[str], bool]) -> list[EdgeQuery]:
    """The edges at a node that are on screen, as evidence is asked for."""
    found = [*graph.out_edges(node, keys=True), *graph.in_edges(node, keys=True)]
    return [network.asked(*edge, loan=is_loan(edge[0])) for edge in dict.fromkeys(found)]


def neighbours(graph: network.Graph, node: str) -> None:
    """The edges at a node as a table, the most confident first; an arrow says which way."""
    rows = [
        (confidence, f"{words(relation)} {RIGHT}", target)
        for _, target, relation, confidence in graph.out_edges(node, keys=True, data="confidence")
    ] + [
        (confidence, f"{LEFT} {words(relation)}", source)
        for source, _, relation, confidence in graph.in_edges(node, keys=True, data="confidence")
    ]
    rows.sort(key=lambda row: (row[0] is None, -(row[0] or 0), row[1], row[2]))
    table = [
        {
            "Relation": line(relation),
            "Other end": line(other),
            "Confidence": score(confidence),
        }
        for confidence, relation, other in rows
    ]
    if table:
        text.caption(f"Its {number_of(len(table), 'edge')} on screen")
        tables.plain(table, "Edges of the node", figures=("Confidence",), scrolls=True)
