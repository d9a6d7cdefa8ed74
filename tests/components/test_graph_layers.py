"""Layers for lenders, loans, borrowers and owners: nothing overlaps, and nothing placed moves."""

import itertools
import math
import random

import pytest

from components.graph.layers import BANDS, arrange, extend
from components.graph.network import KINDS, kinds, network
from services.contract.records import Edge, GraphPath


def of(*edges):
    paths = [GraphPath(edges=(Edge(source=s, relation=r, target=t),)) for s, r, t in edges]
    return network(edges[0][0], paths, {})


SMALL = (
    ("L1", "borrower", "Oak"), ("L1", "capital_source", "Bank"), ("L1", "servicer", "Serve"),
    ("L1", "guarantor", "Kim"), ("L1", "borrower", "Ash"),
)  # fmt: skip


def test_each_kind_stands_in_its_layer_from_lenders_down_to_owners():
    graph = network(
        "L1",
        [GraphPath(edges=tuple(Edge(source=s, relation=r, target=t) for s, r, t in path))
         for path in (SMALL[:1], SMALL[1:2], SMALL[2:3], SMALL[3:4], SMALL[4:],
                      (SMALL[0], ("Oak", "owned_by", "Elm")))],
        {},
    )  # fmt: skip
    layers = arrange(graph, kinds(graph, {"L1"}, ()))
    heights = {node: layers.point(node)[1] for node in graph}
    assert heights["Bank"] == heights["Serve"] < heights["L1"] < heights["Oak"]
    assert heights["Oak"] == heights["Ash"] < heights["Elm"] < heights["Kim"]
    assert {kind for held in BANDS.values() for kind in held} == set(KINDS)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_overlaps_and_nothing_placed_moves_when_more_arrive(seed):
    rng = random.Random(seed)
    names = [f"N{at}" for at in range(rng.randrange(2, 120))]
    kind_of = {name: rng.choice(KINDS) for name in names}
    edges = [("N0", "a", name) for name in names[1:]]
    edges += [(rng.choice(names), "b", rng.choice(names)) for _ in names]
    few, many = of(*edges[: len(edges) // 3 or 1]), of(*edges)
    before = arrange(few, kind_of)
    after = extend(before, many, kind_of)
    assert {node: after.slots[node] for node in few} == dict(before.slots)
    assert list(after.slots)[: len(few)] == list(few)
    assert set(after.slots) == set(many)
    points = [after.point(node) for node in after.slots]
    assert min((math.dist(*two) for two in itertools.combinations(points, 2)), default=9) >= 1
    bands = [after.slots[node][0] for node in many]
    for (one, a), (other, b) in itertools.combinations(zip(bands, points, strict=True), 2):
        assert (one < other) <= (a[1] < b[1])
    assert extend(after, many, kind_of) == after


def test_a_borrower_stands_under_its_loans():
    edges = [("Bank", "x", f"L{at}") for at in range(12)]
    edges += [(f"L{at}", "borrower", f"B{at}") for at in range(12)]
    graph = of(*edges)
    kind_of = {node: {"B": "Borrower", "L": "Loan"}[node[0]] for node in graph if node != "Bank"}
    layers = arrange(graph, kind_of | {"Bank": "Capital source"})
    for at in range(12):
        assert layers.point(f"B{at}")[0] == layers.point(f"L{at}")[0]
