"""The part of the capital graph that is on screen, as a networkx graph. Pure.

Nodes are names, as paths know them: a loan and a party of one name would stand as one node.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from services.contract.evidence import EdgeQuery
from services.contract.records import Edge, GraphPath

if TYPE_CHECKING:  # networkx is imported by the page that draws a graph
    import networkx as nx

#: Nodes are names, edges go as stored.
Graph: TypeAlias = "nx.MultiDiGraph"

LOAN: Final = "Loan"
BORROWER: Final = "Borrower"
OWNER: Final = "Owner or sponsor"
CAPITAL_SOURCE: Final = "Capital source"
ORIGINATOR: Final = "Originator"
SERVICER: Final = "Servicer"
OWNED: Final = "Owned entity"
OTHER: Final = "Other party"
#: Kinds in order of the legend.
KINDS: Final = (LOAN, BORROWER, OWNER, OWNED, CAPITAL_SOURCE, ORIGINATOR, SERVICER, OTHER)

#: Kind of a node as sources tell it (D28) -> how it is drawn.
_OF_KIND: Final = {
    "loan": LOAN,
    "borrower": BORROWER,
    **dict.fromkeys(("operating entity", "sponsor", "owner"), OWNER),
    **dict.fromkeys(("lender", "fund", "trust"), CAPITAL_SOURCE),
    "originator": ORIGINATOR,
    "servicer": SERVICER,
}
#: What a node is whom an edge of this relation leads to (D28), most telling first.
_LED_TO: Final = {
    "borrower": BORROWER,
    "owned_by": OWNER,
    "capital_source": CAPITAL_SOURCE,
    "originator": ORIGINATOR,
    "servicer": SERVICER,
}
#: Only loans have edges of these relations (D28).
_OF_LOANS: Final = frozenset({"borrower", "originator", "servicer", "guarantor", "tenant"})

Passes = Callable[[Edge], bool]


def passes(relations: Sequence[str] | None, confidence_min: float | None) -> Passes:
    """Whether an edge has one of the relations and at least the confidence, where given.

    An edge without a confidence does not have at least any.
    """

    def check(edge: Edge) -> bool:
        if relations and edge.relation not in relations:
            return False
        if confidence_min is None:
            return True
        return edge.confidence is not None and edge.confidence >= confidence_min

    return check


def passing(paths: Iterable[GraphPath], check: Passes) -> list[GraphPath]:
    """The paths of which every edge passes: behind an edge that does not, nothing is reached."""
    return [path for path in paths if all(map(check, path.edges))]


def network(
    root: str, paths: Iterable[GraphPath], expanded: Mapping[str, Sequence[GraphPath]]
) -> Graph:
    """The nodes and edges of paths from the root, and of the paths from expanded nodes.

    Nodes carry `parent`, the node before (None for the root), and `kind` where the source tells it
    (D50), and come parents first; an expanded node that nothing leads to is left out. Edges go as
    stored, keyed by relation (empty when not given), with `confidence` and `share`.
    """
    import networkx as nx

    graph = nx.MultiDiGraph()
    graph.add_node(root, parent=None)
    for path in paths:
        _walk(graph, root, path)
    for node, more in expanded.items():
        if node in graph:
            for path in more:
                _walk(graph, node, path)
    return graph


def visible(graph: Graph, root: str, hidden: Iterable[str]) -> Graph:
    """The graph without the hidden nodes, and without what nothing leads to without them."""
    import networkx as nx

    gone = set(hidden) - {root}
    if not gone:
        return graph
    left = graph.subgraph([node for node in graph if node not in gone])
    reached = nx.node_connected_component(left.to_undirected(as_view=True), root)
    # In the order of the graph: parents first.
    kept: Graph = graph.subgraph([node for node in graph if node in reached]).copy()
    return kept


def path_to(graph: Graph, root: str, node: str) -> GraphPath:
    """A path of the fewest edges on screen from the root to a node, by the surest of them."""
    import networkx as nx

    along_nodes = nx.shortest_path(graph.to_undirected(as_view=True), root, node)
    steps: list[Edge] = []
    for before, after in pairwise(along_nodes):
        found = [
            Edge(
                source=one,
                target=other,
                relation=relation or None,
                confidence=edge["confidence"],
                extra=_kinds_of(graph, one, other),
            )
            for one, other in ((before, after), (after, before))
            for relation, edge in (graph.get_edge_data(one, other) or {}).items()
        ]
        steps.append(max(found, key=lambda edge: edge.confidence or 0))
    return GraphPath(edges=tuple(steps))


def _kinds_of(graph: Graph, *ends: str) -> dict[str, str]:
    names = zip(("from_kind", "to_kind"), ends, strict=True)
    return {name: graph.nodes[end]["kind"] for name, end in names if "kind" in graph.nodes[end]}


def naming(paths: Iterable[GraphPath], letters: str) -> list[GraphPath]:
    """The paths with a node in whose name the letters stand, capital or not."""
    low = letters.casefold()
    return [
        path
        for path in paths
        if any(low in name.casefold() for edge in path.edges for name in (edge.source, edge.target))
    ]


def _walk(graph: Graph, start: str, path: GraphPath) -> None:
    at = start
    for edge, following in zip(path.edges, along(start, path), strict=True):
        if following not in graph:
            graph.add_node(following, parent=at)
        _add(graph, edge)
        at = following


def _add(graph: Graph, edge: Edge) -> None:
    """Adds an edge; of two with the same ends and relation the surer one stays."""
    key = edge.relation or ""
    known = graph.get_edge_data(edge.source, edge.target, key)
    if known is None or (edge.confidence or 0) >= (known["confidence"] or 0):
        share = edge.extra.get("share")
        graph.add_edge(edge.source, edge.target, key=key, confidence=edge.confidence, share=share)
    for node, name in ((edge.source, "from_kind"), (edge.target, "to_kind")):
        if isinstance(kind := edge.extra.get(name), str):
            graph.nodes[node]["kind"] = kind


def join(graph: Graph, edges: Iterable[Edge], check: Passes) -> None:
    """Adds those edges that pass and whose two ends are in the graph (D73).

    Paths are one to each node, so that of a lender that two of the nodes share they show one edge.
    """
    for edge in edges:
        if edge.source in graph and edge.target in graph and check(edge):
            _add(graph, edge)


def along(start: str, path: GraphPath) -> list[str]:
    """The nodes of a path after its first, in its order: edges are walked in both directions."""
    nodes = []
    for edge in path.edges:
        start = edge.source if edge.target == start else edge.target
        nodes.append(start)
    return nodes


def parents(graph: Graph) -> dict[str, str]:
    """The node before each node but the root, nearer ones first."""
    before = {node: parent for node, parent in graph.nodes(data="parent") if parent is not None}
    hops = {node: 0 for node, parent in graph.nodes(data="parent") if parent is None}
    for node, parent in before.items():
        hops[node] = hops[parent] + 1
    return {node: before[node] for node in sorted(before, key=hops.__getitem__)}


def kinds(graph: Graph, loans: Iterable[str], parties: Iterable[str]) -> dict[str, str]:
    """What each node is: as the source says, else as far as its edges tell (spec 2.5, D50).

    `loans` and `parties` are names known to be one or the other.
    """
    loans, parties = set(loans), set(parties)
    return {
        node: LOAN
        if node in loans
        else _OF_KIND.get(kind, OTHER)
        if kind and not (node in parties and kind == "loan")
        else _by_edges(graph, node, parties)
        for node, kind in graph.nodes(data="kind")
    }


def _by_edges(graph: Graph, node: str, parties: set[str]) -> str:
    """For sources that name no kinds. A node known by nothing but the capital that it receives is
    taken for a loan: it may be a fund.
    """
    leaving = {relation for *_, relation in graph.out_edges(node, keys=True)}
    entering = {relation for *_, relation in graph.in_edges(node, keys=True)}
    if leaving & _OF_LOANS and node not in parties:
        return LOAN
    for relation, kind in _LED_TO.items():
        if relation in entering:
            return kind
    if "owned_by" in leaving:
        return OWNED
    # Guarantors and tenants are led to by nothing above.
    return LOAN if leaving == {"capital_source"} and node not in parties else OTHER


def relations(paths: Iterable[GraphPath]) -> list[str]:
    """The relations that occur, by name."""
    return sorted({edge.relation for path in paths for edge in path.edges if edge.relation})


def product(path: GraphPath) -> float | None:
    """Product of the confidences along a path; None where one is not given."""
    known = [edge.confidence for edge in path.edges if edge.confidence is not None]
    return prod(known, start=1.0) if len(known) == len(path.edges) else None


def asked(source: str, target: str, relation: str | None, *, loan: bool) -> EdgeQuery:
    """An edge as its evidence is asked for; `loan`: whether it leads from a loan."""
    return EdgeQuery(
        from_loan=source if loan else None,
        from_entity=None if loan else source,
        to_entity=target,
        relation=relation or None,
    )
