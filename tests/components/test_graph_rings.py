import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.graph import rings
from components.graph.rings import APART, AWAY, arrange, extend, point, slots_on
from tests.tiers import examples


@st.composite
def trees(draw, most=60):
    """Parents by node, nearer ones first, below a root "r"."""
    size = draw(st.integers(0, most))
    before = [draw(st.integers(0, at)) for at in range(size)]
    depth = [0]
    for parent in before:
        depth.append(depth[parent] + 1)
    order = sorted(range(1, size + 1), key=depth.__getitem__)
    names = ["r", *(f"n{at}" for at in range(1, size + 1))]
    return {names[at]: names[before[at - 1]] for at in order}


@st.composite
def growing(draw):
    """A tree, and the same tree with more nodes hung on any of its nodes."""
    first = draw(trees(30))
    whole = dict(first)
    for at in range(draw(st.integers(1, 60))):
        whole[f"m{at}"] = draw(st.sampled_from(["r", *whole]))
    return first, whole


def closest(layout):
    points = [point(slot) for slot in layout.slots.values()]
    return min((math.dist(*pair) for pair in itertools.combinations(points, 2)), default=math.inf)


def outermost(layout):
    """The largest circle with a node."""
    return max(circle for circle, _ in layout.slots.values())


def star(size):
    return {f"leaf {at}": "r" for at in range(size)}


@given(trees())
@examples(25, 60)
def test_no_two_nodes_overlap_and_every_hop_has_its_own_ring(parents):
    layout = arrange("r", parents)
    assert list(layout.slots) == ["r", *parents]
    assert closest(layout) >= APART
    ends = [*layout.starts[1:], outermost(layout) + 1]
    for node, (circle, place) in layout.slots.items():
        hop = layout.hops[node]
        assert layout.starts[hop] <= circle < ends[hop]
        assert 0 <= place < slots_on(circle)


@given(trees())
@settings(max_examples=20)
def test_the_same_graph_is_laid_out_the_same_way(parents):
    assert arrange("r", parents) == arrange("r", dict(parents))


@given(growing())
@examples(25, 60)
def test_no_placed_node_moves_when_others_are_added(case):
    first, whole = case
    before = arrange("r", first)
    after = extend(before, whole)
    assert {node: after.slots[node] for node in before.slots} == dict(before.slots)
    assert list(after.slots) == ["r", *whole]  # so that indexes into them stay what they were
    assert closest(after) >= APART
    for node, (circle, _) in after.slots.items():
        assert circle >= after.starts[after.hops[node]]


def test_nothing_to_add_changes_nothing():
    layout = arrange("r", star(30))
    assert extend(layout, star(30)) == layout


def test_slots_of_one_circle_are_apart():
    for circle in range(1, 1000):
        assert math.dist(point((circle, 0)), point((circle, 1))) >= APART


def test_a_root_alone_stands_in_the_middle():
    layout = arrange("r", {})
    assert layout.slots == {"r": (0, 0)}
    assert point((0, 0)) == (0, 0)


def test_two_children_and_their_children_stand_where_a_hand_would_put_them():
    parents = {"a": "r", "b": "r", "a1": "a", "a2": "a", "b1": "b", "b2": "b"}
    layout = arrange("r", parents)
    # Circle 3 has 18 slots, circle 6 has 37; quarters and eighths of the turn, clockwise.
    assert layout.slots == {
        "r": (0, 0), "a": (3, 4), "b": (3, 14),
        "a1": (6, 5), "a2": (6, 14), "b1": (6, 23), "b2": (6, 32),
    }  # fmt: skip
    assert point((3, 0)) == (0, -3)


def test_two_hundred_neighbours_fit_in_nine_circles():
    layout = arrange("r", star(200))
    # 55 % of 18 + 25 + 31 + 37 + 43 + 50 + 56 + 62 + 69 = 391 slots on circles 3 to 11.
    assert outermost(layout) == 11
    per_circle = {
        circle: sum(c == circle for c, _ in layout.slots.values()) / slots_on(circle)
        for circle in range(3, 12)
    }
    assert max(per_circle.values()) - min(per_circle.values()) < 0.06


def test_rings_grow_with_what_stands_in_them():
    parents = star(120) | {f"far {at}": f"leaf {at}" for at in range(120)}
    few, many = arrange("r", star(5)), arrange("r", parents)
    assert outermost(few) == 3
    assert many.starts[2] > max(many.slots[node][0] for node in star(120))


def test_children_stand_in_the_direction_of_their_parent():
    parents = star(12) | {f"{leaf}/{at}": leaf for leaf in star(12) for at in range(3)}
    layout = arrange("r", parents)

    def turn(node):
        circle, place = layout.slots[node]
        return place / slots_on(circle)

    for node, parent in list(parents.items())[12:]:
        apart = abs(turn(node) - turn(parent)) % 1
        assert min(apart, 1 - apart) < 1 / 12


def test_what_is_expanded_stands_around_its_node():
    parents = {"a": "r", "b": "r", **{f"a{at}": "a" for at in range(9)}}
    before = arrange("r", parents)
    after = extend(before, parents | {f"new {at}": "a4" for at in range(25)})
    centre = point(after.slots["a4"])
    root = point(after.slots["r"])
    added = [point(after.slots[f"new {at}"]) for at in range(25)]
    middle = (sum(x for x, _ in added) / 25, sum(y for _, y in added) / 25)
    assert math.dist(middle, centre) < math.dist(middle, root) / 2


def test_neighbours_of_an_inner_node_go_into_the_next_ring():
    parents = {"a": "r", "b": "r", "a1": "a"}
    before = arrange("r", parents)
    after = extend(before, parents | {"new": "b"})
    assert after.hops["new"] == 2
    assert after.slots["new"][0] == before.starts[2]


@given(
    st.lists(st.integers(0, 25), min_size=7, max_size=7),
    st.sets(st.tuples(st.integers(3, 9), st.integers(0, 55)), max_size=60),
    st.integers(3, 6),
    st.integers(0, 3),
    st.floats(0, 1),
)
@examples(50, 150)
def test_the_free_slot_found_is_the_cheapest_of_all(widths, taken, first, beyond, turn):
    for circle, width in enumerate(widths, 3):  # crowded just where the slot is wanted
        middle = round(turn * slots_on(circle))
        taken |= {(circle, (middle + at) % slots_on(circle)) for at in range(-width, width)}
    ideal = first + beyond

    def cost(slot):
        circle, place = slot
        arc = abs(place / slots_on(circle) - turn) % 1
        return math.hypot(2 * math.pi * circle * min(arc, 1 - arc), AWAY * abs(circle - ideal))

    every = [(c, p) for c in range(first, 24) for p in range(slots_on(c)) if (c, p) not in taken]
    found = rings._anywhere(taken, first, ideal, turn)
    assert found in every
    assert cost(found) == pytest.approx(min(map(cost, every)))
