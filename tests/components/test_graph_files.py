"""Files of the edges on screen: read back whole, and harmless whatever names are."""

import io
import json

import networkx as nx
import pytest

from components.frame import exports
from components.graph import files
from components.graph.network import kinds, network
from services.contract.records import Edge, GraphPath
from tests.exported import file_of

HOSTILE = '=<script>alert(1)</script>&"\x00\ud800]]>'
EDGES = (
    Edge(source="L1", target=HOSTILE, relation="borrower", confidence=0.75,
         extra={"from_kind": "loan", "to_kind": "borrower"}),
    Edge(source=HOSTILE, target="Oak", relation="owned_by", confidence=None,
         extra={"share": 0.4, "to_kind": "owner"}),
    Edge(source="L1", target="Oak", relation=None, confidence=1.0),
)  # fmt: skip
SAID = {"shown": "Capital around L1 <b>", "source": "=made up"}


@pytest.fixture
def graph():
    return network("L1", [GraphPath(edges=EDGES[:2]), GraphPath(edges=EDGES[2:])], {})


@pytest.fixture
def kind_of(graph):
    return kinds(graph, {"L1"}, ())


def test_graphml_reads_back_with_kinds_confidences_and_shares(graph, kind_of):
    written = files.graphml(graph, kind_of, SAID)
    assert b"<script" not in written
    read = nx.read_graphml(io.BytesIO(written), force_multigraph=True)
    shown = HOSTILE.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    assert dict(read.nodes(data="name")) == {"n0": "L1", "n1": shown, "n2": "Oak"}
    assert dict(read.nodes(data="kind")) == {"n0": "loan", "n1": "borrower", "n2": "owner"}
    assert sorted((a, b, sorted(data.items())) for a, b, data in read.edges(data=True)) == [
        ("n0", "n1", [("confidence", 0.75), ("relation", "borrower")]),
        ("n0", "n2", [("confidence", 1.0)]),
        ("n1", "n2", [("relation", "owned_by"), ("share", 0.4)]),
    ]
    assert read.graph["shown"] == "Capital around L1 <b>"


def test_node_link_json_reads_back_and_holds_no_tag(graph, kind_of):
    written = files.node_link(graph, kind_of, SAID)
    assert b"<" not in written
    read = nx.node_link_graph(json.loads(written), edges="edges")
    assert set(dict(read.nodes(data="name")).values()) >= {"L1", "Oak"}
    assert read.number_of_edges() == 3
    assert read.edges["n1", "n2", 0] == {"relation": "owned_by", "share": 0.4}


def test_rows_of_edges_say_kinds_and_shares_and_no_cell_is_a_formula(graph, kind_of, monkeypatch):
    of = exports.Origin("2026-09-30", "made up", "synthetic")
    monkeypatch.setattr(files.exports, "origin", lambda **_: of)
    name = "=SUM(A1)"
    graph = nx.relabel_nodes(graph, {HOSTILE: name})
    lines = file_of(
        files.table(graph, {**kind_of, name: "Borrower"}, "All", live=True)
    ).decode().splitlines()  # fmt: skip
    assert "# Rows,3" in lines
    assert lines[-4].replace('"', "") == (
        "from,from_kind,to,to_kind,relation,confidence,confidence_tier,share"
    )
    assert set(lines[-3:]) == {
        '"L1","loan","\'=SUM(A1)","borrower","borrower",0.75,"probable",',
        '"L1","loan","Oak","owner",,1,"confirmed",',
        '"\'=SUM(A1)","borrower","Oak","owner","owned_by",,,0.4',
    }
