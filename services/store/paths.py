"""GET /v1/graph/paths out of a snapshot (spec 4.5, D12)."""

from services.contract.queries import PathQuery
from services.contract.records import Edge, GraphPath, GraphResult, Hub, Page

from .entities import entity_id
from .graph import Walk, walk
from .loans import loan_id
from .reader import Reader


def paths(
    reader: Reader, query: PathQuery, *, hub_edges: int, budget_edges: int
) -> tuple[GraphResult, Page[GraphPath]]:
    """The walk from a root, and the page of paths asked for. Raises NotFound for the root."""
    graph = reader.graph
    if query.loan_number is not None:
        root = loan_id(reader, query.loan_number)
    else:
        root = graph.loan_count + entity_id(reader, str(query.entity_name))

    def make() -> Walk:
        return walk(graph, root, query.depth, hub_edges=hub_edges, budget_edges=budget_edges)

    found = reader.remembered(("walk", root, query.depth, hub_edges, budget_edges), make)
    page = Page(
        items=tuple(
            GraphPath(edges=tuple(edge_of(reader, edge) for edge in edges))
            for edges, _ in found.page(query.offset, query.per_page)
        ),
        page=query.page,
        per_page=query.per_page,
        total=found.total,
    )
    result = GraphResult(
        root=graph.name(root),
        depth_reached=found.depth_reached,
        paths=page.items,
        stopped_by=found.stopped_by,
        next_level_edges=found.next_level_edges or None,
        hubs=tuple(Hub(name=graph.name(node), edges=edges) for node, edges in found.hubs),
    )
    return result, page


def edge_of(reader: Reader, edge: int) -> Edge:
    """An edge of the graph by its id, with the kinds of its ends (D50)."""
    graph = reader.graph
    ends = int(graph.edge_from[edge]), int(graph.edge_to[edge])
    return Edge(
        source=graph.name(ends[0]),
        target=graph.name(ends[1]),
        relation=graph.relation(edge),
        confidence=float(graph.edge_confidence[edge]),
        extra={"from_kind": reader.kind(ends[0]), "to_kind": reader.kind(ends[1])},
    )
