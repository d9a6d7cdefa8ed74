"""How nodes of the capital graph are connected, out of a snapshot (D72, D73)."""

import math
from bisect import bisect_left
from typing import Final

import numpy as np

from services.contract.connections import (
    Branch,
    BranchQuery,
    ConnectionQuery,
    ConnectionResult,
    NotCrossed,
    Shared,
)
from services.contract.records import Edge, GraphPath, Page

from .adjacency import Ints
from .connection_search import Found, connect
from .database import among
from .entities import entity_id
from .loans import loan_id
from .paths import edge_of
from .reader import Reader

#: Nodes that one answer names of those not crossed; a reader looks at the first few.
_NAMED: Final = 20
_NOTES_OF: Final = (
    f"SELECT whole_loan FROM loans WHERE {among('loan_id')} AND whole_loan IS NOT NULL"
    " GROUP BY 1 HAVING count(*) = 2"
)


def edges_among(reader: Reader, names: tuple[str, ...]) -> tuple[Edge, ...]:
    """Every edge between any two of the nodes of these names."""
    nodes = np.array([node for name in names for node in _called(reader, name)], np.int32)
    found = [_edge(reader, edge) for edge in reader.graph.among(nodes).tolist()]
    return tuple(sorted(found, key=lambda one: (one.source, one.target, str(one.relation))))


def connections(
    reader: Reader, query: ConnectionQuery, *, hub_edges: int, budget_edges: int
) -> ConnectionResult:
    """The best connections of two nodes. Raises NotFound for either."""
    graph = reader.graph
    ends = (
        _node(reader, query.from_loan, query.from_entity),
        _node(reader, query.to_loan, query.to_entity),
    )
    most = query.per_page

    def make() -> Found:
        return connect(graph, *ends, most, hub_edges=hub_edges, budget_edges=budget_edges)

    found = reader.remembered(("connections", ends, most, hub_edges, budget_edges), make)
    return ConnectionResult(
        source=graph.name(ends[0]),
        target=graph.name(ends[1]),
        connections=tuple(
            GraphPath(edges=tuple(_edge(reader, edge) for edge in path)) for path in found.paths
        ),
        more=found.more,
        reach=found.reach,
        next_level_edges=found.next_level_edges or None,
        not_crossed=tuple(
            NotCrossed(
                name=graph.name(node), kind=reader.kind(node), edges=edges, hub=edges > hub_edges
            )
            for node, edges in found.not_crossed[:_NAMED]
        ),
        not_crossed_total=len(found.not_crossed),
        ended=found.ended,
        shared=_shared(reader, *ends) if min(graph.degrees(np.array(ends))) <= budget_edges else (),
        whole_loan=_whole_loan(reader, *ends),
    )


def _shared(reader: Reader, first: int, second: int) -> tuple[Shared, ...]:
    """What edges of one relation lead to from both ends; looked for from the end with fewer."""
    graph = reader.graph
    if graph.degree(first) > graph.degree(second):
        first, second = second, first
    edges = graph.edge[slice(*graph.indptr[first : first + 2].tolist())]
    edges = edges[graph.edge_from[edges] == first]
    ahead = graph.edge_to[edges]
    other = graph.edge[graph.joining(ahead, np.full(len(ahead), second, np.int32))]
    other = other[graph.edge_from[other] == second]
    own = zip(graph.edge_relation[edges].tolist(), ahead.tolist(), strict=True)
    theirs = zip(graph.edge_relation[other].tolist(), graph.edge_to[other].tolist(), strict=True)
    found = (
        Shared(relation=graph.relations[code], name=graph.name(node), kind=reader.kind(node))
        for code, node in set(own) & set(theirs)
    )
    return tuple(sorted(found, key=lambda one: (one.relation, one.name)))


def _whole_loan(reader: Reader, first: int, second: int) -> str | None:
    """The loan of which both are notes."""
    if max(first, second) >= reader.graph.loan_count:
        return None
    found = reader.rows(_NOTES_OF, [[first, second]])
    return str(found[0][0]) if found else None


def branches(reader: Reader, query: BranchQuery) -> list[Branch]:
    """How many edges of each relation and direction a node has. Raises NotFound."""
    graph, node = reader.graph, _node(reader, query.loan_number, query.entity_name)
    edge = _edges(reader, query)
    relation, outward = graph.edge_relation[edge].astype(np.int64), graph.edge_from[edge] == node
    counts = np.bincount(2 * relation + outward, minlength=2 * len(graph.relations)).tolist()
    found = [
        Branch(relation=graph.relations[at // 2], outward=bool(at % 2), edges=edges)
        for at, edges in enumerate(counts)
        if edges
    ]
    return sorted(found, key=lambda one: (one.relation, not one.outward))


def edges_at(reader: Reader, query: BranchQuery) -> Page[Edge]:
    """Page of the edges at a node, most confident first. Raises NotFound."""
    key = ("edges at", query.model_copy(update={"page": 1, "per_page": 1}).model_dump_json())
    edges = reader.remembered(key, lambda: _edges(reader, query))
    part = edges[query.offset : query.offset + query.per_page].tolist()
    items = tuple(_edge(reader, edge) for edge in part)
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(edges))


def _edges(reader: Reader, query: BranchQuery) -> Ints:
    """Ids of the edges asked for: most confident first, then by the other end's name, relation."""
    graph, node = reader.graph, _node(reader, query.loan_number, query.entity_name)
    edge = graph.edge[slice(*graph.indptr[node : node + 2].tolist())]
    if query.relation is not None:
        known = query.relation in graph.relations
        code = graph.relations.index(query.relation) if known else len(graph.relations)
        edge = edge[graph.edge_relation[edge] == code]
    if query.outward is not None:
        edge = edge[(graph.edge_from[edge] == node) == query.outward]
    # A row is in order of names already.
    return edge[np.argsort(-graph.edge_confidence[edge], kind="stable")]


def _node(reader: Reader, loan_number: str | None, entity_name: str | None) -> int:
    """The node of a loan or a party. Raises NotFound."""
    if loan_number is not None:
        return loan_id(reader, loan_number)
    return reader.graph.loan_count + entity_id(reader, str(entity_name))


def _called(reader: Reader, name: str) -> list[int]:
    """The loan and the party of this name, as far as there are any."""
    graph, found = reader.graph, []
    for nodes in (range(graph.loan_count), range(graph.loan_count, graph.node_count)):
        at = bisect_left(nodes, name, key=graph.name)
        if at < len(nodes) and graph.name(nodes[at]) == name:
            found.append(nodes[at])
    return found


def _edge(reader: Reader, edge: int) -> Edge:
    """An edge with the share that it stands for, where one is known."""
    known, share = edge_of(reader, edge), float(reader.shares[edge])
    if math.isnan(share):
        return known
    return known.model_copy(update={"extra": {**known.extra, "share": share}})
