"""Paths of the capital graph as a frame, and any frame of edges as a graph of networkx."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from services.contract.connections import ConnectionQuery
from services.contract.errors import InvalidRequest
from services.contract.queries import PathQuery
from services.contract.records import Edge, GraphPath, GraphResult, Page
from services.contract.vocabulary import tier_of

from .asking import asked, in_words
from .columns import OF_PATHS
from .frame import of_rows
from .reading import Reading

if TYPE_CHECKING:
    import networkx as nx

#: Connections of one answer at most (D72).
_MOST_CONNECTIONS: Final = 25
_Ends = tuple[str, str, str | None]


def paths(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Every path from one root, edge by edge; see Atlas.paths."""
    query = asked(PathQuery, given)
    walks: list[GraphResult] = []

    def read(one: PathQuery) -> Page[GraphPath]:
        walk, page = reading.source.paths(one)
        walks.append(walk)
        return page

    found = reading.every(read, query)
    walk = walks[0]
    said: dict[str, Any] = {
        "what": "paths of the capital graph",
        "filters": f"{in_words(query)}",
        "root": walk.root,
        "root_kind": "loan" if query.loan_number is not None else "party",
        "depth_reached": walk.depth_reached,
        "stopped_by": walk.stopped_by,
        "hubs": {hub.name: hub.edges for hub in walk.hubs},
    }
    shares = _shares(reading, found)
    return of_rows(_rows(found, shares), OF_PATHS, said | reading.said_live)


def connections(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """How two nodes are connected, edge by edge; see Atlas.connections."""
    query = asked(ConnectionQuery, given).model_copy(update={"per_page": _MOST_CONNECTIONS})
    found = reading.figures.connections(query)
    said: dict[str, Any] = {
        "what": "connections of the capital graph",
        "filters": in_words(query),
        "root": found.source,
        "root_kind": "loan" if query.from_loan is not None else "party",
        "to": found.target,
        "more": found.more,
        "reach": found.reach,
        "not_crossed": {node.name: node.edges for node in found.not_crossed},
    }
    return of_rows(_rows(found.connections, {}), OF_PATHS, said | reading.said)


def to_network(frame: pd.DataFrame) -> "nx.MultiDiGraph":
    """The nodes and edges of a frame of `paths` or `chain`, each once, as a networkx graph.

    Nodes are names, with `kind`; a loan and a party of one name would be one node. Edges go as
    stored, keyed by relation (empty where not told), with `relation`, `confidence` and `share`;
    what is not known is left out. Raises InvalidRequest for a frame without edges' columns.
    """
    import networkx as nx

    if not {"from", "to"} <= set(frame.columns):
        frame = _edges_of_chain(frame)
    graph = nx.MultiDiGraph(
        **{name: frame.attrs[name] for name in ("root", "as_of", "source") if name in frame.attrs}
    )
    for row in frame.to_dict("records"):
        for end in ("from", "to"):
            kind = _known({"kind": row.get(f"{end}_kind")})
            graph.add_node(row[end], **kind)
        relation = _known({"relation": row["relation"]})
        further = _known({name: row.get(name) for name in ("confidence", "share")})
        key = relation.get("relation", "")
        graph.add_edge(row["from"], row["to"], key=key, **relation, **further)
    if "root" in frame.attrs and frame.attrs["root"] not in graph:
        graph.add_node(frame.attrs["root"], kind=frame.attrs.get("root_kind", "party"))
    return graph


def _edges_of_chain(frame: pd.DataFrame) -> pd.DataFrame:
    needed = ["loan_number", "level", "entity_name", "role", "of", "confidence", "share"]
    if not set(needed) <= set(frame.columns):
        raise InvalidRequest("A network is made of a frame of paths or of a chain, whole")
    first = frame["level"] == 0
    kinds = dict(zip(frame["entity_name"], frame["role"].astype(object), strict=True))
    loans = set(frame["loan_number"])
    edges = pd.DataFrame(
        {
            "from": frame["of"],
            "from_kind": [
                "loan" if of in loans and at == 0 else kinds.get(of)
                for of, at in zip(frame["of"], frame["level"], strict=True)
            ],
            "to": frame["entity_name"],
            "to_kind": frame["role"],
            "relation": ["borrower" if one else "owned_by" for one in first.fillna(value=False)],
            "confidence": frame["confidence"],
            "share": frame["share"],
        }
    )
    edges = edges[edges["from"].notna()]
    edges.attrs = frame.attrs
    return edges


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in values.items() if not pd.isna(one)}


def _rows(found: Iterable[GraphPath], shares: Mapping[_Ends, float]) -> Iterator[dict[str, Any]]:
    for number, path in enumerate(found, 1):
        for step, edge in enumerate(path.edges, 1):
            tier = None if edge.confidence is None else tier_of(edge.confidence)
            yield {
                "share": shares.get(_ends(edge)),
                **edge.extra,
                "path": number,
                "step": step,
                "from": edge.source,
                "to": edge.target,
                "relation": edge.relation,
                "confidence": edge.confidence,
                "confidence_tier": tier,
            }


def _ends(edge: Edge) -> _Ends:
    return edge.source, edge.target, edge.relation


def _shares(reading: Reading, found: Iterable[GraphPath]) -> dict[_Ends, float]:
    """Parts owned, by edge: a store knows them beside the walk; a mirror may not be of today."""
    if reading.kind != "store":
        return {}
    owned = {
        name
        for path in found
        for edge in path.edges
        if edge.relation == "owned_by"
        for name in (edge.source, edge.target)
    }
    edges = reading.figures.edges_among(tuple(sorted(owned))) if owned else ()
    return {_ends(edge): edge.extra["share"] for edge in edges if "share" in edge.extra}
