"""The best connections of two nodes (D72), and the edges among some (D73), beside brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.store import adjacency, connection_search
from services.store.connection_search import connect
from tests.store.test_graph import RELATIONS, Drawn, Town, graphs, opened
from tests.tiers import examples

CONFIDENCES = [0.0, 0.3, 0.5, 0.7, 1.0]
ALL = 1_000


def named(town, first, second, most=10, **limits):
    """The connections as names, and what else is said of them."""
    found = connect(town.adjacency, town.id[first], town.id[second], most, **limits)
    return [nodes_of(town.adjacency, town.id[first], path) for path in found.paths], found


def nodes_of(graph, at, path):
    names = [graph.name(at)]
    for edge in path:
        at = int(graph.edge_from[edge] if graph.edge_to[edge] == at else graph.edge_to[edge])
        names.append(graph.name(at))
    return " ".join(names)


FAMILY = """L1 borrower Oak 0.9
            L2 borrower Ash 0.8
            L3 borrower Oak 0.7
            Oak owned_by Elm 0.9
            Ash owned_by Elm 0.9
            L1 guarantor Kim 0.5
            L2 guarantor Kim 0.6
            L1 capital_source Bank 1.0
            L2 capital_source Bank 1.0
            Bank owned_by Group 1.0"""


def test_fewer_edges_come_first_then_the_surer_connection():
    town = Town(FAMILY)
    paths, found = named(town, "L1", "L2")
    assert paths == ["L1 Kim L2", "L1 Oak Elm Ash L2"]
    assert (found.more, found.reach, found.next_level_edges) == (False, 6, 0)
    paths, found = named(town, "L1", "L2", most=1)
    assert (paths, found.more) == (["L1 Kim L2"], True)


def test_a_lender_of_both_is_no_connection_and_is_named():
    """D72: the walk goes on from it from neither end."""
    town = Town(FAMILY)
    _, found = named(town, "L1", "L2")
    assert found.not_crossed == [(town.id["Bank"], 3)]
    assert found.ended == 1


def test_what_the_walk_takes_from_one_end_is_a_connection_from_both():
    """D72: from the group the walk enters the bank as an owner, and so reaches the loan."""
    town = Town(FAMILY)
    assert named(town, "L1", "Group")[0] == ["L1 Bank Group"]
    assert named(town, "Group", "L1")[0] == ["Group Bank L1"]
    assert named(town, "Elm", "Bank", most=2)[0] == ["Elm Oak L1 Bank", "Elm Ash L2 Bank"]
    assert named(town, "Oak", "Group")[0] == []


@pytest.mark.parametrize(("hub_edges", "joined"), [(2, False), (3, True)])
def test_a_hub_is_no_way_through_unless_it_is_an_end(hub_edges, joined):
    town = Town("L1 borrower Oak 1.0\nL2 borrower Oak 1.0\nL3 borrower Oak 1.0")
    paths, found = named(town, "L1", "L2", hub_edges=hub_edges)
    assert paths == (["L1 Oak L2"] if joined else [])
    assert found.not_crossed == ([] if joined else [(town.id["Oak"], 3)])
    assert named(town, "L1", "Oak", hub_edges=0)[0] == ["L1 Oak"]


def chain(length):
    return "\n".join(f"N{at} owned_by N{at + 1} 0.9" for at in range(length))


@pytest.mark.parametrize(("length", "joined"), [(6, True), (7, False)])
def test_a_connection_has_six_edges_at_most(length, joined):
    paths, found = named(Town(chain(length)), "N0", f"N{length}")
    assert len(paths) == joined
    assert found.reach == 6


def test_products_that_differ_by_rounding_only_leave_it_to_the_names():
    town = Town("""L1 guarantor B 0.3
                   B owned_by X 0.7
                   X owned_by Z 0.1
                   L1 guarantor A 0.1
                   A owned_by Y 0.3
                   Y owned_by Z 0.7""")
    assert 0.3 * 0.7 * 0.1 != 0.1 * 0.3 * 0.7
    assert named(town, "L1", "Z")[0] == ["L1 A Y Z", "L1 B X Z"]
    assert named(town, "Z", "L1")[0] == ["Z X B L1", "Z Y A L1"]


def test_a_level_too_wide_to_read_shortens_what_is_known():
    star = "\n".join(f"L{at} borrower Oak 1.0" for at in range(1, 9))
    town = Town(f"{star}\nOak owned_by Elm 1.0\nL9 borrower Ash 1.0\nAsh owned_by Elm 1.0")
    paths, found = named(town, "L1", "L9", budget_edges=8)
    # From L1 one level, from L9 three, to Oak: its nine edges are too many for both.
    assert paths == ["L1 Oak Elm Ash L9"]
    assert (found.reach, found.next_level_edges) == (4, 9)
    paths, found = named(town, "L1", "L2", budget_edges=8)
    assert (paths, found.reach, found.next_level_edges) == (["L1 Oak L2"], 2, 9)
    paths, found = named(town, "Oak", "L1", budget_edges=0)
    assert (paths, found.reach, found.next_level_edges) == (["Oak L1"], 1, 1)


def test_an_end_too_wide_to_read_is_found_from_the_other():
    """D72: the bank's own row is not read; from the borrower it is entered as a lender."""
    loans = "\n".join(f"L{at} capital_source Bank 1.0" for at in range(9))
    town = Town(f"{loans}\nL1 borrower Oak 1.0\nOak owned_by Elm 1.0")
    for first, second in (("Elm", "Bank"), ("Bank", "Elm")):
        paths, found = named(town, first, second, budget_edges=8)
        assert [sorted(path.split()) for path in paths] == [["Bank", "Elm", "L1", "Oak"]]
        assert found.reach == 6


def test_what_takes_too_many_steps_is_left_out_whole_lengths_at_a_time(monkeypatch):
    monkeypatch.setattr(connection_search, "_MOST_STEPS", 5)
    town = Town(FAMILY)
    paths, found = named(town, "L1", "L2")
    assert paths == ["L1 Kim L2"]
    assert found.reach == 3


def answer(graph, drawn, first, second, most, **limits):
    found = connect(graph, first, second, most, **limits)
    number = {node: at for at, node in enumerate(drawn.nodes)}
    ends = drawn.nodes[first], drawn.nodes[second]
    links = drawn.links
    expected = links.connections(*ends, hub_edges=limits["hub_edges"])
    crossed, ended = links.not_crossed(*ends, hub_edges=limits["hub_edges"])
    crossed = [(number[node], degree) for node, degree in crossed]
    return found, [list(path.edges) for path in expected], crossed, ended


@examples(50, 150)
@given(graphs([*RELATIONS[:3], *RELATIONS], CONFIDENCES), st.integers(0, 8), st.integers(1, 6))
def test_connections_are_those_of_brute_force(drawn, hub_edges, most):
    graph = opened(drawn.loans, drawn.entities, drawn.edges)
    limits = {"hub_edges": hub_edges, "budget_edges": 50_000}
    for first in range(len(drawn.nodes)):
        for second in range(len(drawn.nodes)):
            if first == second:
                continue
            found, paths, crossed, ended = answer(graph, drawn, first, second, most, **limits)
            assert found.paths == paths[:most]
            assert found.more == (len(paths) > most)
            assert (found.reach, found.next_level_edges) == (6, 0)
            assert (found.not_crossed, found.ended) == (crossed, ended)


@examples(35, 100)
@given(graphs(RELATIONS, CONFIDENCES), st.integers(0, 8), st.integers(0, 12))
def test_within_a_budget_all_is_true_and_up_to_the_reach_all_is_known(drawn, hub_edges, budget):
    graph = opened(drawn.loans, drawn.entities, drawn.edges)
    limits = {"hub_edges": hub_edges, "budget_edges": budget}
    for first in range(len(drawn.nodes)):
        second = (first + 1) % len(drawn.nodes)
        if first == second:
            continue
        found, paths, _, _ = answer(graph, drawn, first, second, ALL, **limits)
        assert found.paths == [path for path in paths if len(path) <= found.reach]
        assert 1 <= found.reach <= 6
        assert (found.reach == 6) >= (found.next_level_edges == 0)


def random_graph(seed, nodes, edges):
    random = np.random.default_rng(seed)
    names = sorted(f"E{number:03}" for number in range(nodes))
    ends = random.integers(0, nodes, (edges, 2)).tolist()
    kinds = random.choice(["owned_by", "guarantor", "capital_source"], edges, p=[0.5, 0.3, 0.2])
    scores = (random.integers(5, 11, edges) / 10).tolist()
    rows = zip(ends, kinds.tolist(), scores, strict=True)
    return Drawn([], names, [(*end, kind, score) for end, kind, score in rows])


@pytest.mark.parametrize("seed", range(4))
def test_connections_in_a_larger_graph_are_those_of_brute_force(seed):
    drawn = random_graph(seed, 60, 110)
    graph = opened(drawn.loans, drawn.entities, drawn.edges)
    known = 0
    for first, second in ((0, 1), (2, 50), (7, 30), (31, 12)):
        limits = {"hub_edges": 9, "budget_edges": 50_000}
        found, paths, crossed, ended = answer(graph, drawn, first, second, 25, **limits)
        assert found.paths == paths[:25]
        assert (found.more, found.not_crossed, found.ended) == (len(paths) > 25, crossed, ended)
        known += len(paths)
    assert known > 20


@examples(35, 100)
@given(graphs(RELATIONS, CONFIDENCES), st.data())
def test_the_edges_among_nodes_are_those_of_brute_force(drawn, data):
    """D73; with rows of more than two edges taken for long ones, too."""
    graph = opened(drawn.loans, drawn.entities, drawn.edges)
    some = data.draw(st.lists(st.integers(0, len(drawn.nodes) - 1)))
    expected = [at for at, (one, other, *_) in enumerate(drawn.edges) if {one, other} <= {*some}]
    for read_whole in (1_000, 2, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(adjacency, "_READ_WHOLE", read_whole)
            assert graph.among(np.array(some, np.int32)).tolist() == expected


def test_the_row_of_a_hub_is_searched_and_never_read(monkeypatch):
    """D72, D73: of two hubs, each with thousands of edges, the few edges asked for are found."""
    loans = [f"L{at:04}" for at in range(4_000)]
    edges = [(at, 4_000 + at % 2, "capital_source", 0.9) for at in range(4_000)]
    edges += [(4_000, 4_001, "owned_by", 0.8), (4_000, 4_001, "guarantor", 0.7)]
    graph = opened(loans, ["Bank", "Group"], edges)
    read = []
    rows = adjacency.Adjacency.rows

    def counted(self, nodes):
        read.append(int(self.degrees(nodes).sum()))
        return rows(self, nodes)

    monkeypatch.setattr(adjacency.Adjacency, "rows", counted)
    assert graph.among(np.array([4_000, 4_001, 7, 8], np.int32)).tolist() == [7, 8, 4_000, 4_001]
    found = connect(graph, 4_000, 4_001, 5, budget_edges=1_000)
    assert (found.paths, found.reach, found.next_level_edges) == ([[4_000]], 1, 2_002)
    found = connect(graph, 6, 4_001, 5, budget_edges=1_000)
    assert (found.paths, found.reach) == ([], 6)  # a hub is no way through
    assert max(read) < 10
