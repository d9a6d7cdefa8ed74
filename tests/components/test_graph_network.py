import random

import pytest

from components.graph import network as networks
from components.graph import wording
from components.graph.network import (
    BORROWER,
    CAPITAL_SOURCE,
    KINDS,
    LOAN,
    ORIGINATOR,
    OTHER,
    OWNED,
    OWNER,
    SERVICER,
    join,
    kinds,
    network,
    parents,
    passes,
    passing,
    relations,
)
from services.contract.records import Edge, GraphPath, GraphResult, Hub


def edge(source, relation, target, confidence=1.0):
    return Edge(source=source, target=target, relation=relation, confidence=confidence)


BORROWS = edge("L1", "borrower", "Oak LP", 0.9)
SIBLING = edge("L2", "borrower", "Oak LP", 0.8)
OWNED_BY = edge("Oak LP", "owned_by", "Elm Partners", 0.5)
LENT = edge("L1", "capital_source", "Bank", None)
PATHS = [GraphPath(edges=e) for e in ((BORROWS,), (LENT,), (BORROWS, SIBLING), (BORROWS, OWNED_BY))]


def test_edges_are_walked_both_ways_and_kept_as_stored():
    graph = network("L1", PATHS, {})
    assert list(graph) == ["L1", "Oak LP", "Bank", "L2", "Elm Partners"]
    assert set(graph.edges(keys=True)) == {
        ("L1", "Oak LP", "borrower"),
        ("L1", "Bank", "capital_source"),
        ("L2", "Oak LP", "borrower"),
        ("Oak LP", "Elm Partners", "owned_by"),
    }
    assert graph.edges["Oak LP", "Elm Partners", "owned_by"]["confidence"] == 0.5
    assert parents(graph) == {
        "Oak LP": "L1", "Bank": "L1", "L2": "Oak LP", "Elm Partners": "Oak LP",
    }  # fmt: skip


def test_an_expansion_hangs_on_its_node_and_is_left_out_with_it():
    more = {"L2": [GraphPath(edges=(edge("L2", "servicer", "Serve Co"),))]}
    assert parents(network("L1", PATHS, more))["Serve Co"] == "L2"
    assert "Serve Co" not in network("L1", PATHS[:2], more)


def test_a_lender_that_two_loans_share_hangs_on_both():
    """D73."""
    graph = network("L1", PATHS, {})
    lent = edge("L2", "capital_source", "Bank", 0.7)
    join(graph, [lent, BORROWS, edge("L2", "servicer", "Serve Co")], passes(None, None))
    assert set(graph["L2"]) == {"Oak LP", "Bank"}
    assert "Serve Co" not in graph  # an end that is not drawn
    assert parents(graph)["Bank"] == "L1"
    narrowed = network("L1", PATHS, {})
    join(narrowed, [lent], passes(None, 0.8))
    assert set(narrowed["L2"]) == {"Oak LP"}


def test_what_is_hidden_goes_with_what_hangs_on_it_alone():
    graph = network("L1", PATHS, {})
    assert set(networks.visible(graph, "L1", ["Oak LP"])) == {"L1", "Bank"}
    assert set(networks.visible(graph, "L1", ["Bank", "nobody", "L1"])) == {
        "L1", "Oak LP", "L2", "Elm Partners",
    }  # fmt: skip
    join(graph, [edge("L2", "capital_source", "Bank")], passes(None, None))
    left = networks.visible(graph, "L1", ["Oak LP"])
    assert set(left) == {"L1", "Bank", "L2"}
    assert networks.visible(graph, "L1", []) is graph


def test_the_path_to_a_node_goes_by_the_surest_edges():
    graph = network("L1", PATHS, {})
    join(graph, [edge("Oak LP", "guarantor", "L1", 0.95)], passes(None, None))
    path = networks.path_to(graph, "L1", "L2")
    assert [(e.source, e.relation, e.target) for e in path.edges] == [
        ("Oak LP", "guarantor", "L1"), ("L2", "borrower", "Oak LP"),
    ]  # fmt: skip
    assert networks.path_to(graph, "L1", "L1").edges == ()
    # What stood before a node may be hidden.
    join(graph, [edge("L2", "capital_source", "Bank", 0.6)], passes(None, None))
    left = networks.visible(graph, "L1", ["Oak LP"])
    assert [e.relation for e in networks.path_to(left, "L1", "L2").edges] == ["capital_source"] * 2


def test_paths_are_found_by_a_part_of_any_name_on_them():
    assert networks.naming(PATHS, "OAK") == [PATHS[0], PATHS[2], PATHS[3]]
    assert networks.naming(PATHS, "elm") == [PATHS[3]]
    assert networks.naming(PATHS, "nobody") == []


def test_of_edges_alike_in_ends_and_relation_the_surer_is_drawn():
    for order in ((0.4, 0.8), (0.8, 0.4)):
        paths = [GraphPath(edges=(edge("L1", "borrower", "Oak LP", score),)) for score in order]
        graph = network("L1", paths, {})
        assert graph.edges["L1", "Oak LP", "borrower"]["confidence"] == 0.8


@pytest.mark.parametrize("seed", range(20))
def test_all_edges_between_the_nodes_of_a_board_are_drawn_as_brute_force_has_them(seed):
    """D73."""
    drawn = random.Random(seed)
    names = [f"N{at}" for at in range(9)]
    edges = [
        edge(*drawn.choices(names, k=1), drawn.choice(("a", "b")), *drawn.choices(names, k=1))
        for _ in range(30)
    ]
    paths = [GraphPath(edges=(one,)) for one in edges[:4] if one.source == edges[0].source]
    graph = network(edges[0].source, paths, {})
    on_board = set(graph)
    join(graph, edges, passes(["a"], None))
    expected = {(e.source, e.target, e.relation) for e in edges
                if {e.source, e.target} <= on_board and e.relation == "a"}  # fmt: skip
    from_paths = {(e.source, e.target, e.relation) for path in paths for e in path.edges}
    assert set(graph.edges(keys=True)) == expected | from_paths


def test_parents_come_before_their_children_however_nodes_arrived():
    late = GraphPath(edges=(edge("L1", "guarantor", "Ada"),))
    more = {"Bank": [GraphPath(edges=(edge("L9", "capital_source", "Bank"),))]}
    graph = network("L1", [*PATHS, late], more)
    assert list(parents(graph)) == ["Oak LP", "Bank", "Ada", "L2", "Elm Partners", "L9"]


def test_a_loan_and_a_party_of_one_name_are_one_node():
    path = GraphPath(edges=(edge("X", "borrower", "X"), edge("X", "owned_by", "Up")))
    assert list(network("X", [path], {})) == ["X", "Up"]


def test_an_edge_without_a_relation_is_an_edge():
    graph = network("A", [GraphPath(edges=(edge("A", None, "B", None),))], {})
    assert list(graph.edges(keys=True, data="confidence")) == [("A", "B", "", None)]
    assert kinds(graph, (), ()) == {"A": OTHER, "B": OTHER}


@pytest.mark.parametrize(
    ("chosen", "least", "left"),
    [
        (None, None, [0, 1, 2, 3]),
        (("borrower",), None, [0, 2]),
        (("borrower", "owned_by"), None, [0, 2, 3]),
        (("owned_by",), None, []),  # behind an edge that does not pass nothing is reached
        (None, 0.8, [0, 2]),  # 0.8 passes; no confidence is not at least 0.8
        (None, 0.0, [0, 2, 3]),
        (("borrower",), 0.85, [0]),
    ],
)
def test_a_path_passes_when_every_edge_of_it_does(chosen, least, left):
    assert passing(PATHS, passes(chosen, least)) == [PATHS[at] for at in left]


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ("loan", LOAN),
        ("borrower", BORROWER),
        ("operating entity", OWNER),
        ("sponsor", OWNER),
        ("owner", OWNER),
        ("lender", CAPITAL_SOURCE),
        ("fund", CAPITAL_SOURCE),
        ("trust", CAPITAL_SOURCE),
        ("originator", ORIGINATOR),
        ("servicer", SERVICER),
        ("tenant", OTHER),
    ],
)
def test_a_kind_that_the_source_tells_goes_before_what_edges_suggest(told, kind):
    # D50
    known = LENT.model_copy(update={"extra": {"from_kind": told, "to_kind": "servicer"}})
    graph = network("L1", [GraphPath(edges=(known,))], {})
    assert kinds(graph, (), ()) == {"L1": kind, "Bank": SERVICER}


def test_a_name_known_to_be_a_party_is_not_drawn_as_a_loan():
    known = LENT.model_copy(update={"extra": {"from_kind": "loan"}})
    graph = network("L1", [GraphPath(edges=(known,))], {})
    assert kinds(graph, (), ("L1",))["L1"] == OTHER


def test_relations_are_named_once_in_order():
    none = GraphPath(edges=(edge("A", None, "B"),))
    assert relations([*PATHS, none]) == ["borrower", "capital_source", "owned_by"]


@pytest.mark.parametrize(
    ("edges", "node", "kind"),
    [
        ([BORROWS], "L1", LOAN),
        ([BORROWS], "Oak LP", BORROWER),
        ([BORROWS, OWNED_BY], "Oak LP", BORROWER),
        ([OWNED_BY], "Oak LP", OWNED),
        ([OWNED_BY], "Elm Partners", OWNER),
        ([LENT], "Bank", CAPITAL_SOURCE),
        ([LENT], "L1", LOAN),
        ([LENT, edge("Bank", "capital_source", "Pension")], "Bank", CAPITAL_SOURCE),
        ([LENT, edge("L1", "originator", "Bank")], "Bank", CAPITAL_SOURCE),
        ([edge("L1", "originator", "Bank")], "Bank", ORIGINATOR),
        ([edge("L1", "servicer", "Serve Co")], "Serve Co", SERVICER),
        ([edge("L1", "guarantor", "Ada")], "Ada", OTHER),
        ([edge("L1", "guarantor", "Ada")], "L1", LOAN),
        ([edge("L1", "guarantor", "Ada"), edge("Oak LP", "owned_by", "Ada")], "Ada", OWNER),
        ([edge("A", "knows", "B")], "A", OTHER),
    ],
)
def test_what_a_node_is_follows_from_its_edges(edges, node, kind):
    graph = network(edges[0].source, [GraphPath(edges=(one,)) for one in edges], {})
    assert kinds(graph, (), ())[node] == kind
    assert kind in KINDS


def test_what_is_known_of_a_name_comes_before_what_its_edges_suggest():
    graph = network("Fund I", [GraphPath(edges=(edge("Fund I", "capital_source", "Bank"),))], {})
    assert kinds(graph, (), ())["Fund I"] == LOAN
    assert kinds(graph, (), {"Fund I"})["Fund I"] == OTHER
    assert kinds(graph, {"Bank"}, ())["Bank"] == LOAN


def test_a_path_reads_in_the_direction_that_it_is_walked():
    assert wording.path_in_words("L1", PATHS[2]) == "L1 → borrower → Oak LP ← borrower ← L2"
    assert wording.path_in_words("Elm Partners", GraphPath(edges=(OWNED_BY,))) == (
        "Elm Partners ← owned by ← Oak LP"
    )


def test_the_product_of_confidences_is_unknown_where_one_is():
    assert networks.product(PATHS[3]) == pytest.approx(0.45)
    assert networks.product(PATHS[1]) is None


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            {"depth_reached": 3, "stopped_by": "depth"},
            "25 of 212 paths loaded; stopped at depth 3: more lies beyond.",
        ),
        (
            {"depth_reached": 4, "stopped_by": "budget", "next_level_edges": 88_120},
            "25 of 212 paths loaded; stopped at depth 4 of 6: the next level has 88,120 edges.",
        ),
        (
            {"depth_reached": 4, "stopped_by": "budget"},
            (
                "25 of 212 paths loaded; stopped at depth 4 of 6: the next level is wider than one"
                " walk reads."
            ),
        ),
        (
            {"depth_reached": 2, "hubs": (Hub(name="Northbridge Life", edges=4_312),)},
            (
                "25 of 212 paths loaded; nothing further within the rules of the walk: it ended at"
                " depth 2; ends at Northbridge Life (4,312 edges)."
            ),
        ),
        ({}, "25 of 212 paths loaded; walked to depth 6."),  # as a bare answer of the API
        (
            {"hubs": tuple(Hub(name=n, edges=9) for n in "ABCDE")},
            (
                "25 of 212 paths loaded; walked to depth 6; ends at A (9 edges), B (9 edges),"
                " C (9 edges) and 2 more."
            ),
        ),
    ],
)
def test_a_walk_cut_short_says_so(facts, words):
    assert wording.extent_in_words(GraphResult(root="L1", **facts), 25, 212, 6) == words


def test_no_path_is_never_called_no_relationship():
    text = wording.extent_in_words(GraphResult(root="L1"), 0, 0, 3)
    assert text.startswith("The sources record no edge at L1.")
    assert "relationship" not in text
