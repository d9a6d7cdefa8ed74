"""The edges on screen as files: tables, and GraphML and node-link JSON for programs that draw."""

import io
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import streamlit as st

from components.frame import exports, recording, session, visitor
from components.graph.network import LOAN, Graph
from components.kit.formatting import count
from components.kit.text import line
from services.contract.rounding import number_of
from services.contract.vocabulary import tier_of

#: Edges up to which a drawing is given away as a graph; a board never has as many.
MOST_EDGES: Final = 50_000
_STEM: Final = "credit-atlas-capital-graph"
_WHAT: Final = "capital graph, edges"


def buttons(
    graph: Graph,
    kind_of: Mapping[str, str],
    shown: str,
    *,
    live: bool,
    rows: "tuple[partial[exports.Export], int] | None" = None,
) -> None:
    """The buttons of all files of the edges; `shown` says in words what they are of.

    `rows` makes the tables where they are not those of the edges on screen, with how many.
    """
    edges = graph.number_of_edges()
    make, number = rows or (partial(table, graph, kind_of, shown, live=live), edges)
    with st.container(horizontal=True, horizontal_alignment="right", gap="xsmall"):
        exports.download(make, number, _STEM, live=live)
        off = edges > MOST_EDGES or not visitor.who().may("export") or bool(recording.refusal())

        def written(form: Callable[..., bytes], name: str, label: str) -> exports.Given:
            said, of = f"{label}, {number_of(edges, 'edge')}", exports.origin(live=live)
            found = form(graph, kind_of, facts(shown, live=live))
            return found, recording.file("graph_file", name, form=said, shown=shown, of=of)

        few = f"For up to {count(MOST_EDGES)} edges."
        for label, form, suffix, mime, key in (
            ("GraphML", graphml, ".graphml", "application/graphml+xml", "graphml"),
            ("JSON", node_link, ".json", "application/json", "node-link"),
        ):
            name = f"{_STEM}{suffix}"
            taken = partial(written, form, name, label)
            exports.give(label, taken, name, mime, key=key, help_text=few, off=off)


def note(*, live: bool) -> str:
    """As of when and from where the edges are, as a line; empty where nothing knows."""
    if not (session.mirrored() or session.workspace().upstream):
        return ""
    of = exports.origin(live=live)
    day = f"as of {of.as_of}" if of.snapshot else of.as_of  # a live answer says when it was asked
    return f"{day}, {of.source}, {of.provenance}"


def facts(shown: str, *, live: bool) -> dict[str, str]:
    """What a file says of itself."""
    of = exports.origin(live=live)
    said = {
        "shown": shown,
        "as_of": of.as_of,
        "source": of.source,
        "provenance": of.provenance,
        "snapshot": of.snapshot,
    }
    return {name: value for name, value in said.items() if value}


def table(graph: Graph, kind_of: Mapping[str, str], shown: str, *, live: bool) -> exports.Export:
    """The edges on screen as rows, as stored."""
    rows = [
        {
            "from": source,
            "from_kind": _kind(graph, kind_of, source),
            "to": target,
            "to_kind": _kind(graph, kind_of, target),
            "relation": relation or None,
            "confidence": edge["confidence"],
            "confidence_tier": None if edge["confidence"] is None else tier_of(edge["confidence"]),
            "share": edge.get("share"),
        }
        for source, target, relation, edge in graph.edges(keys=True, data=True)
    ]
    kinds = {"from": str, "from_kind": str, "to": str, "to_kind": str, "relation": str,
             "confidence": float, "confidence_tier": str, "share": float}  # fmt: skip
    return exports.of_rows(_WHAT, shown, rows, kinds, of=exports.origin(live=live))


def graphml(graph: Graph, kind_of: Mapping[str, str], said: Mapping[str, str]) -> bytes:
    """The graph as GraphML; what is not known is left out."""
    import networkx as nx

    written = _written(graph, kind_of, said, line)
    out = io.BytesIO()
    nx.write_graphml(written, out)
    return out.getvalue()


def node_link(graph: Graph, kind_of: Mapping[str, str], said: Mapping[str, str]) -> bytes:
    """The graph as node-link JSON; a "<" is written so that no page takes it for a tag."""
    import networkx as nx

    data = nx.node_link_data(_written(graph, kind_of, said, str), edges="edges")
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1)
    return text.replace("<", "\\u003c").encode("utf-8", "replace")


def _written(
    graph: Graph,
    kind_of: Mapping[str, str],
    said: Mapping[str, str],
    write: Callable[[str], str],
) -> Graph:
    """The graph with plain attributes; `write` makes a name fit for the format.

    Nodes are numbered: two names may look alike once they are written.
    """
    import networkx as nx

    numbered = nx.MultiDiGraph(**{name: write(value) for name, value in said.items()})
    numbers = {name: f"n{at}" for at, name in enumerate(graph)}
    for name, number in numbers.items():
        numbered.add_node(number, name=write(name), kind=write(_kind(graph, kind_of, name)))
    for source, target, relation, edge in graph.edges(keys=True, data=True):
        known: dict[str, Any] = {"relation": write(relation)} if relation else {}
        for name in ("confidence", "share"):
            if edge.get(name) is not None:
                known[name] = float(edge[name])
        numbered.add_edge(numbers[source], numbers[target], **known)
    return numbered


def _kind(graph: Graph, kind_of: Mapping[str, str], node: str) -> str:
    """As the source says it (D50), else as far as its edges tell."""
    told: str | None = graph.nodes[node].get("kind")
    return told or ("loan" if kind_of[node] == LOAN else kind_of[node].lower())
