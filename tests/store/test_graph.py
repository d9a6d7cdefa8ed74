import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.errors import ImportRefused, StoreDamaged
from services.store.adjacency import Adjacency, build
from services.store.graph import walk
from tests.oracle_graph import Links
from tests.tiers import examples

WIDE = {"hub_edges": 1000, "budget_edges": 50_000}


def written(folder, loans, entities, edges, **changed):
    """Builds the graph of edges (from, to, relation, confidence) between node ids."""
    relations = list(dict.fromkeys(edge[2] for edge in edges))
    columns = {
        "loan_numbers": pa.array(loans, pa.string()),
        "entity_names": pa.array(entities, pa.string()),
        "edge_from": np.array([edge[0] for edge in edges], np.int32),
        "edge_to": np.array([edge[1] for edge in edges], np.int32),
        "relation": np.array([relations.index(edge[2]) for edge in edges], np.uint8),
        "relations": relations,
        "confidence": np.array([edge[3] for edge in edges], np.float64),
    }
    build(folder, **(columns | changed))


def opened(loans, entities, edges):
    with tempfile.TemporaryDirectory() as folder:
        written(Path(folder), loans, entities, edges)
        return Adjacency.open(Path(folder))


class Town:
    """A graph given by names: "L1 borrower Oak 0.9" a line; names of loans start with L."""

    def __init__(self, text):
        rows = [line.split() for line in text.strip().splitlines()]
        ends = {end for row in rows for end in (row[0], row[2])}
        self.loans = sorted(end for end in ends if end.startswith("L"))
        self.entities = sorted(ends - set(self.loans))
        ids = {name: node for node, name in enumerate(self.loans + self.entities)}
        self.edges = [(ids[row[0]], ids[row[2]], row[1], float(row[3])) for row in rows]
        self.id = ids
        self.adjacency = opened(self.loans, self.entities, self.edges)

    def walk(self, root, depth=6, **limits):
        return walk(self.adjacency, self.id[root], depth, **(WIDE | limits))

    def routes(self, root, depth=6, **limits):
        found = self.walk(root, depth, **limits)
        return [" ".join(self.adjacency.names(nodes)) for nodes in found.path_nodes(0, found.total)]


def test_names_as_text_of_arrow_are_the_names():
    town = Town("L1 borrower Oak 0.9\nL2 borrower Zürich 0.5")
    nodes = [town.id["Zürich"], None, town.id["L1"], town.id["Oak"]]
    found = town.adjacency.texts(pa.array(nodes, pa.int32()))
    assert found.to_pylist() == ["Zürich", None, "L1", "Oak"]
    assert found.type == pa.string()


def test_an_edge_is_walked_both_ways_and_reported_as_stored():
    town = Town("L1 borrower Oak 0.9\nL2 borrower Oak 0.5")
    found = town.walk("L1")
    assert found.page(0, 25) == [([0], 0.9), ([0, 1], 0.45)]
    assert found.path_nodes(0, 25) == [[0, 2], [0, 2, 1]]
    assert (town.adjacency.edge_from[1], town.adjacency.edge_to[1]) == (1, 2)
    assert (found.total, found.depth_reached, found.stopped_by) == (2, 2, None)


def test_fewest_edges_win_over_confidence():
    # D12
    town = Town("L1 borrower Oak 1.0\nOak owned_by Ash 1.0\nL1 guarantor Ash 0.1")
    assert town.walk("L1").page(0, 25) == [([0], 1.0), ([2], 0.1)]


def test_among_paths_of_equal_length_the_highest_product_wins():
    town = Town("""L1 borrower Ash 0.5
                   L1 borrower Oak 0.9
                   Ash owned_by Fir 1.0
                   Oak owned_by Fir 0.6""")
    assert town.routes("L1") == ["L1 Oak", "L1 Ash", "L1 Oak Fir"]
    assert town.walk("L1").page(2, 1) == [([1, 3], 0.54)]


def test_names_break_a_tie_where_they_first_differ():
    # Both paths to Elm multiply to 1/8. Ash is before Oak at hop 1, though Bay is before Yew.
    town = Town("""L1 borrower Oak 0.5
                   L1 borrower Ash 0.5
                   Oak owned_by Bay 0.5
                   Ash owned_by Yew 0.5
                   Bay owned_by Elm 0.5
                   Yew owned_by Elm 0.5""")
    assert town.routes("L1") == [
        "L1 Ash", "L1 Oak", "L1 Ash Yew", "L1 Oak Bay", "L1 Ash Yew Elm",
    ]  # fmt: skip


def test_loan_numbers_and_entity_names_are_ordered_together():
    town = Town("LA borrower LB 0.5\nLA borrower Kay 0.5\nLA borrower Mar 0.5")
    assert town.routes("LA") == ["LA Kay", "LA LB", "LA Mar"]


def test_names_are_ordered_by_code_point():
    town = Town("L1 borrower Zed 0.5\nL1 borrower abc 0.5\nL1 borrower Éva 0.5")
    assert town.routes("L1") == ["L1 Zed", "L1 abc", "L1 Éva"]


def test_a_loan_and_an_entity_of_one_name_tie_until_the_names_that_follow():
    # Nodes: loans "A" (0) and "X" (1), entities "P", "Q", "X" (2, 3, 4).
    edges = [(0, 1, "r", 0.5), (0, 4, "r", 0.5), (1, 3, "r", 0.5), (4, 2, "r", 0.5)]
    found = walk(opened(["A", "X"], ["P", "Q", "X"], edges), 0, 6)
    assert found.path_nodes(0, 9) == [[0, 1], [0, 4], [0, 4, 2], [0, 1, 3]]


def test_ties_by_names_stay_exact_in_a_graph_of_many_names():
    # "A" is a loan too, so names are compared; 3,000 ranks to the power of 6 pass 64 bits.
    names = ["A", *(f"B{number:04}" for number in range(3000))]
    first_hops = range(2, 2900, 150)
    edges = []
    for hop in first_hops:
        chain = [1, *range(hop, hop + 5), 3001]
        edges += [(chain[k], chain[k + 1], "owned_by", 0.5) for k in range(6)]
    found = walk(opened(["A"], names, edges), 1, 6)
    assert found.path_nodes(found.total - 1, 1) == [[1, *range(2, 7), 3001]]


@pytest.mark.parametrize(
    ("first", "second", "taken"),
    [
        ("borrower Oak 0.5", "guarantor Oak 0.6", 1),
        ("guarantor Oak 0.5", "borrower Oak 0.5", 1),
        ("borrower Oak 0.5", "borrower Oak 0.5", 0),
        ("guarantor Oak 0.6", "borrower Oak 0.5", 0),
    ],
)
def test_of_parallel_edges_the_most_confident_then_the_smallest_relation(first, second, taken):
    town = Town(f"L1 {first}\nL1 {second}\nOak owned_by Fir 1.0")
    assert [edges for edges, _ in town.walk("L1").page(0, 25)] == [[taken], [taken, 2]]
    assert town.adjacency.degree(town.id["Oak"]) == 3


def test_of_parallel_edges_the_one_taken_decides_whether_the_path_goes_on():
    # D41: the surer edge to the bank is one that ends a path, though the other would not.
    ends = "L1 capital_source Bank 0.9\nL1 guarantor Bank 0.5\nL2 guarantor Bank 1.0"
    assert Town(ends).routes("L1") == ["L1 Bank"]
    goes_on = "L1 capital_source Bank 0.5\nL1 guarantor Bank 0.9\nL2 guarantor Bank 1.0"
    assert Town(goes_on).routes("L1") == ["L1 Bank", "L1 Bank L2"]


HUB = "L1 borrower Oak 1.0\nL2 borrower Oak 1.0\nL3 borrower Oak 1.0\nOak owned_by Fir 1.0"


@pytest.mark.parametrize(("limit", "ended"), [(3, True), (4, False), (5, False)])
def test_a_hub_is_reached_but_not_walked_through(limit, ended):
    # D12
    found = Town(HUB).walk("L1", hub_edges=limit)
    assert found.total == (1 if ended else 4)
    assert found.hubs == (((4, 4),) if ended else ())
    assert found.stopped_by is None


def test_a_root_is_walked_however_many_edges_it_has():
    found = Town(HUB).walk("Oak", hub_edges=0)
    assert (found.total, found.depth_reached) == (4, 1)
    assert found.hubs == ((3, 1), (0, 1), (1, 1), (2, 1))


@pytest.mark.parametrize(
    "relation",
    ["capital_source", "originator", "servicer", "tenant", "property_manager", "assisted_by",
     "trustee"],
)  # fmt: skip
def test_a_path_ends_at_a_node_entered_through_what_relates_nobody(relation):
    town = Town(f"L1 {relation} Bank 1.0\nL2 {relation} Bank 1.0\nL2 borrower Oak 1.0")
    assert town.routes("L1") == ["L1 Bank"]
    assert town.routes("Bank") == ["Bank L1", "Bank L2"]
    assert town.routes("Oak") == ["Oak L2", "Oak L2 Bank"]
    assert town.walk("L1", 1).stopped_by is None


def test_a_lender_entered_by_another_relation_is_walked_through():
    town = Town("L1 guarantor Bank 1.0\nL2 capital_source Bank 1.0")
    assert town.routes("L1") == ["L1 Bank", "L1 Bank L2"]


CHAIN = "L1 borrower Oak 1.0\nOak owned_by Fir 1.0\nFir owned_by Elm 1.0"


@pytest.mark.parametrize(
    ("depth", "stopped_by", "ahead"), [(1, "depth", 2), (2, "depth", 2), (3, None, 0), (6, None, 0)]
)
def test_stopped_by_depth_only_where_more_lies_beyond(depth, stopped_by, ahead):
    found = Town(CHAIN).walk("L1", depth)
    assert (found.depth_reached, found.total) == (min(depth, 3), min(depth, 3))
    assert (found.stopped_by, found.next_level_edges) == (stopped_by, ahead)


def test_edges_to_nodes_already_reached_are_nothing_beyond():
    found = Town("L1 borrower Oak 1.0\nL1 guarantor Fir 1.0\nOak owned_by Fir 1.0").walk("L1", 1)
    assert (found.stopped_by, found.next_level_edges) == (None, 0)


@pytest.mark.parametrize(("budget", "stopped_by", "reached"), [(3, "budget", 1), (4, None, 2)])
def test_a_level_above_the_budget_is_not_begun(budget, stopped_by, reached):
    # D12
    found = Town(HUB).walk("L1", budget_edges=budget)
    assert (found.stopped_by, found.depth_reached) == (stopped_by, reached)
    assert found.next_level_edges == (4 if stopped_by else 0)


def test_the_first_level_is_read_whatever_the_budget():
    found = Town(HUB).walk("Oak", budget_edges=0)
    assert (found.total, found.stopped_by, found.next_level_edges) == (4, "budget", 4)


def test_cycles_and_self_loops_end():
    town = Town("""Ash owned_by Bay 1.0
                   Bay owned_by Cod 1.0
                   Cod owned_by Ash 1.0
                   Ash owned_by Ash 1.0""")
    assert town.routes("Ash") == ["Ash Bay", "Ash Cod"]
    assert town.adjacency.degree(0) == 3
    assert town.routes("Bay", hub_edges=2) == ["Bay Ash", "Bay Cod"]


def test_a_root_without_edges_reaches_nothing():
    found = walk(opened(["L1"], [], []), 0, 6)
    assert (found.total, found.depth_reached, found.stopped_by) == (0, 0, None)
    assert found.page(0, 25) == found.path_nodes(0, 25) == []
    assert found.hubs == ()


@pytest.mark.parametrize(("root", "depth"), [(-1, 3), (5, 3), (0, 0)])
def test_a_root_that_is_no_node_or_no_depth_is_refused(root, depth):
    with pytest.raises(ValueError, match="no walk"):
        walk(Town(HUB).adjacency, root, depth)


def test_an_ownership_step_follows_the_stored_direction_in_order_of_names():
    town = Town("""Oak owned_by Fir 0.5
                   Oak owned_by Elm 0.4
                   Ash owned_by Oak 0.5
                   L1 borrower Oak 0.5""")
    graph, oak = town.adjacency, town.id["Oak"]
    assert graph.step(oak, "owned_by") == [(1, town.id["Elm"]), (0, town.id["Fir"])]
    assert graph.entering(oak, "owned_by") == [(2, town.id["Ash"])]
    assert graph.step(oak, "tenant") == graph.step(town.id["Fir"], "owned_by") == []
    assert [graph.relation(edge) for edge in (0, 3)] == ["owned_by", "borrower"]


@dataclass(frozen=True)
class Drawn:
    """A graph as a test draws it: loans first, an edge is (from, to, relation, confidence)."""

    loans: list[str]
    entities: list[str]
    edges: list[tuple[int, int, str, float]]

    @property
    def nodes(self):
        """The nodes of the oracle, at the number that each has here."""
        return [("loan", name) for name in self.loans] + [("entity", n) for n in self.entities]

    @property
    def links(self):
        return Links((self.nodes[a], self.nodes[b], *rest) for a, b, *rest in self.edges)

    def expected(self, root, depth, **limits):
        """What a walk finds by the oracle, with the numbers of nodes."""
        links, number = self.links, {node: at for at, node in enumerate(self.nodes)}
        found = links.walk(self.nodes[root], depth, **limits)
        return {
            "paths": [(list(path.edges), links.product(path)) for path in found.paths],
            "nodes": [[number[node] for node in path.nodes] for path in found.paths],
            "total": len(found.paths),
            "depth_reached": found.depth_reached,
            "stopped_by": found.stopped_by,
            "next_level_edges": found.next_level_edges,
            "hubs": tuple((number[node], degree) for node, degree in found.hubs),
        }


RELATIONS = ["borrower", "owned_by", "guarantor", "capital_source", "tenant"]


@st.composite
def graphs(draw, relations, confidences):
    """Small graphs with many exact ties; a loan and an entity may share their name."""
    loans = sorted(draw(st.sets(st.sampled_from("ACEGé"), min_size=1, max_size=4)))
    entities = sorted(draw(st.sets(st.sampled_from("ABDFHé"), min_size=1, max_size=5)))
    node = st.integers(0, len(loans) + len(entities) - 1)
    edge = st.tuples(node, node, st.sampled_from(relations), st.sampled_from(confidences))
    return Drawn(loans, entities, draw(st.lists(edge, max_size=14)))


@examples(25, 60)
@given(graphs(RELATIONS, [0.0, 0.3, 0.5, 0.7, 1.0]), st.integers(0, 8), st.integers(0, 20))
def test_walks_are_those_of_the_oracle(graph, hub_edges, budget_edges):
    adjacency = opened(graph.loans, graph.entities, graph.edges)
    limits = {"hub_edges": hub_edges, "budget_edges": budget_edges}
    for root in range(len(graph.nodes)):
        for depth in range(1, 7):
            found = walk(adjacency, root, depth, **limits)
            assert {
                "paths": found.page(0, 100),
                "nodes": found.path_nodes(0, 100),
                "total": found.total,
                "depth_reached": found.depth_reached,
                "stopped_by": found.stopped_by,
                "next_level_edges": found.next_level_edges,
                "hubs": found.hubs,
            } == graph.expected(root, depth, **limits)


@examples(25, 60)
@given(graphs(["borrower", "owned_by"], [0.25, 0.5, 1.0]), st.randoms(use_true_random=False))
def test_each_path_is_the_best_of_all_simple_paths_however_edges_are_inserted(graph, random):
    # Powers of two: products are exact in whatever order they are multiplied.
    order = list(range(len(graph.edges)))
    random.shuffle(order)
    shuffled = opened(graph.loans, graph.entities, [graph.edges[edge] for edge in order])
    adjacency = opened(graph.loans, graph.entities, graph.edges)
    for root, node in enumerate(graph.nodes):
        best = graph.links.best_simple_paths(node)
        nodes = [list(map(graph.nodes.index, path.nodes)) for path in best if len(path.edges) <= 6]
        assert walk(adjacency, root, 6).path_nodes(0, 100) == nodes
        found = walk(shuffled, root, 6)
        assert found.path_nodes(0, 100) == nodes
        same = [edges for edges, _ in walk(adjacency, root, 6).page(0, 100)]
        other = [[order[edge] for edge in edges] for edges, _ in found.page(0, 100)]
        assert [[alike(graph.edges[e]) for e in path] for path in other] == [
            [alike(graph.edges[e]) for e in path] for path in same
        ]


def alike(edge):
    # Of parallel edges equal in all but direction, the edge id decides: insertion may show.
    return ({edge[0], edge[1]}, *edge[2:])


def dense(seed=7, nodes=300, edges=900):
    random = np.random.default_rng(seed)
    names = sorted(f"E{number}" for number in range(nodes))
    ends = random.integers(0, nodes, (edges, 2)).tolist()
    scores = (random.integers(5, 11, edges) / 10).tolist()
    return opened([], names, [(*end, "owned_by", s) for end, s in zip(ends, scores, strict=True)])


@pytest.mark.parametrize("size", [1, 7, 25, 1000])
def test_pages_partition_the_result(size):
    found = walk(dense(), 0, 6)
    whole = found.page(0, found.total)
    assert len(whole) == found.total > 200
    assert whole == sorted(whole, key=lambda path: (len(path[0]), -path[1]))
    slices = range(0, found.total, size)
    assert [path for start in slices for path in found.page(start, size)] == whole
    nodes = [path for start in slices for path in found.path_nodes(start, size)]
    assert len({path[-1] for path in nodes}) == found.total
    assert found.page(found.total, size) == found.page(0, 0) == []
    with pytest.raises(ValueError, match="slice"):
        found.page(-1, size)


def test_a_larger_random_graph_is_walked_as_the_oracle_walks_it():
    graph = dense()
    edges = zip(graph.edge_from.tolist(), graph.edge_to.tolist(), strict=True)
    scores = graph.edge_confidence.tolist()
    plain = Drawn(
        [],
        graph.names(range(300)),
        [(*ends, "owned_by", score) for ends, score in zip(edges, scores, strict=True)],
    )
    for root, depth, hub_edges, budget in [(0, 6, 9, 5000), (5, 4, 1000, 200), (9, 3, 7, 5000)]:
        limits = {"hub_edges": hub_edges, "budget_edges": budget}
        found = walk(graph, root, depth, **limits)
        expected = plain.expected(root, depth, **limits)
        assert found.page(0, 300) == expected["paths"]
        assert (found.stopped_by, found.hubs) == (expected["stopped_by"], expected["hubs"])


def test_walks_of_several_threads_agree_and_count_their_bytes():
    graph = dense()
    with ThreadPoolExecutor(4) as pool:
        walks = list(pool.map(lambda root: walk(graph, root % 5, 6), range(20)))
    assert [found.page(0, 300) for found in walks[:5]] == [
        found.page(0, 300) for found in walks[15:]
    ]
    assert walks[0].nbytes == 20 * (walks[0].total + 1)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"loan_numbers": pa.array(["L2", "L1"])}, "'L1'"),
        ({"entity_names": pa.array(["Oak", "Oak"])}, "'Oak'"),
        ({"entity_names": pa.array(["Oak", None])}, "1 entity names .* missing"),
        ({"edge_to": np.array([1, 9], np.int32)}, "Edge 1 .* none of the 3 nodes"),
        ({"edge_from": np.array([-1, 0], np.int32)}, "Edge 0 .* none of the 3 nodes"),
        ({"confidence": np.array([0.5, np.nan])}, "Edge 1 .* from 0 to 1"),
        ({"confidence": np.array([1.5, 1.0])}, "Edge 0 .* from 0 to 1"),
        ({"confidence": np.array([1.0])}, "differ in length"),
        ({"relation": np.array([0, 1], np.uint8)}, "Edge 1 .* unnamed relation"),
        ({"relations": ["borrower", "borrower"]}, "must be distinct"),
    ],
)
def test_a_graph_that_does_not_hold_together_is_refused(tmp_path, changed, said):
    edges = [(0, 1, "borrower", 1.0), (0, 2, "borrower", 1.0)]
    with pytest.raises(ImportRefused, match=said):
        written(tmp_path, ["L1"], ["Oak", "Yew"], edges, **changed)


def test_names_come_from_slices_and_chunks_alike(tmp_path):
    chunks = pa.chunked_array([pa.array(["x", "Ash"])[1:], pa.array(["Élan", "日本"])])
    written(tmp_path, ["L1"], [], [(0, 3, "borrower", 1.0)], entity_names=chunks)
    assert Adjacency.open(tmp_path).names([3, 0, 2, 1]) == ["日本", "L1", "Élan", "Ash"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("graph.json", None),
        ("graph.json", b"{"),
        ("graph.json", b'{"version": 2}'),
        ("edge.npy", None),
        ("edge.npy", b""),
        ("edge.npy", b"no array"),
    ],
)
def test_a_damaged_graph_is_said_to_be_damaged(tmp_path, name, content):
    written(tmp_path, ["L1"], ["Oak"], [(0, 1, "borrower", 1.0)])
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(StoreDamaged, match="does not read"):
        Adjacency.open(tmp_path)


def test_arrays_of_two_graphs_do_not_pass_for_one(tmp_path):
    written(tmp_path, ["L1"], ["Oak"], [(0, 1, "borrower", 1.0)])
    np.save(tmp_path / "edge_to.npy", np.array([1, 1], np.int32))
    with pytest.raises(StoreDamaged, match="edge_to"):
        Adjacency.open(tmp_path)


def test_a_closed_graph_lets_go_of_its_arrays():
    graph = Town(HUB).adjacency
    graph.close()
    assert not [value for value in vars(graph).values() if isinstance(value, np.ndarray)]
