"""Where the nodes of a capital graph stand: rings by hop distance from the root. Pure.

Every place is a slot of one fixed grid: circle c has radius c and as many slots as fit on it one
apart. Two nodes never share a slot, so they never overlap; a node that has a slot keeps it, so
nothing moves when more arrive. A hop takes as many circles as its nodes need.
"""

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Final

#: First circle of the first hop, and circles from one hop to the next, at first and later on.
FIRST: Final = 3
GAP: Final = 3
LATER_GAP: Final = 2
#: Part of its slots that a hop may take at first: what is free is for what is expanded later.
FILL: Final = 0.55
#: What a circle of distance weighs against an arc of that length.
AWAY: Final = 4
#: Least distance of two slots, in circles. On circle 4 and some others 2πc rounds so little down
#: that the chord between two slots is this much shorter than its arc.
APART: Final = 0.99

#: The rings are drawn wider than high, as the page is.
STRETCH: Final = 1.2

Slot = tuple[int, int]
ROOT: Final[Slot] = (0, 0)


@dataclass(frozen=True, slots=True)
class Rings:
    """The slot of each node, in the order they were placed; the first circle of each hop."""

    slots: Mapping[str, Slot]
    hops: Mapping[str, int]
    starts: tuple[int, ...]

    def point(self, node: str) -> tuple[float, float]:
        """Where a node stands, in circles; the drawing is wider than high."""
        x, y = point(self.slots[node])
        return STRETCH * x, y


def slots_on(circle: int) -> int:
    """How many places a circle has."""
    return math.floor(2 * math.pi * circle) if circle else 1


def point(slot: Slot) -> tuple[float, float]:
    """Where a slot lies; the first one of each circle at the top."""
    circle, place = slot
    turn = 2 * math.pi * place / slots_on(circle)
    return circle * math.sin(turn), -circle * math.cos(turn)


def arrange(root: str, parents: Mapping[str, str]) -> Rings:
    """A first layout. `parents` names the node before each node, nearer ones first; root has none.

    Each hop is a band of circles; a node's share of the turn is that of the leaves beyond it, and
    its children stand within it.
    """
    hops = _hops(root, parents)
    angles = _angles(root, parents)
    slots = {root: ROOT}
    starts, circle = [0], FIRST
    for hop in range(1, max(hops.values()) + 1):
        nodes = sorted((node for node, at in hops.items() if at == hop), key=angles.__getitem__)
        starts.append(circle)
        band = _band(circle, len(nodes))
        used = dict.fromkeys(band, 0)
        taken = set[Slot]()
        for node in nodes:
            emptiest = min(band, key=lambda c: ((used[c] + 1) / slots_on(c), c))
            used[emptiest] += 1
            slots[node] = _nearest(taken, emptiest, angles[node]) or _anywhere(
                taken, circle, emptiest, angles[node]
            )
            taken.add(slots[node])
        circle = band[-1] + GAP
    # In the order in which the nodes came: the numbers of the drawing stand on it.
    slots = {node: slots[node] for node in hops}
    return Rings(slots, hops, tuple(starts))


def extend(rings: Rings, parents: Mapping[str, str]) -> Rings:
    """The layout with the nodes of `parents` that it lacks; every placed node stays where it is.

    A new node takes the free slot nearest to its parent's direction, in the ring of its hop or
    outside of it. `parents` names the node before each node, nearer ones first; a new node's
    parent is placed or comes before it.
    """
    slots, hops, starts = dict(rings.slots), dict(rings.hops), list(rings.starts)
    taken = set(slots.values())
    for node, parent in parents.items():
        if node in slots:
            continue
        hop = hops[parent] + 1
        circle, place = slots[parent]
        if hop == len(starts):
            starts.append(max(FIRST, max(c for c, _ in taken) + LATER_GAP))
        turn = place / slots_on(circle)
        slots[node] = _anywhere(taken, starts[hop], max(starts[hop], circle + 1), turn)
        hops[node] = hop
        taken.add(slots[node])
    return Rings(slots, hops, tuple(starts))


def _hops(root: str, parents: Mapping[str, str]) -> dict[str, int]:
    hops = {root: 0}
    for node, parent in parents.items():
        hops[node] = hops[parent] + 1
    return hops


def _angles(root: str, parents: Mapping[str, str]) -> dict[str, float]:
    """Middle of each node's share of the turn, from 0 to 1."""
    leaves = dict.fromkeys((root, *parents), 0)
    for node, parent in list(parents.items())[::-1]:
        leaves[node] = leaves[node] or 1
        leaves[parent] += leaves[node]
    whole = max(leaves[root], 1)
    free = {root: 0.0}  # where the share of a node's next child begins
    angles = {root: 0.0}
    for node, parent in parents.items():
        width = leaves[node] / whole
        free[node] = free[parent]
        angles[node] = free[parent] + width / 2
        free[parent] += width
    return angles


def _band(first: int, nodes: int) -> list[int]:
    """The circles from `first` on that a hop of so many nodes needs."""
    band, room = [first], slots_on(first) * FILL
    while room < nodes:
        band.append(band[-1] + 1)
        room += slots_on(band[-1]) * FILL
    return band


def _nearest(taken: Container[Slot], circle: int, turn: float) -> Slot | None:
    """The free slot of a circle nearest to an angle, 0 to 1; None when it is full."""
    size = slots_on(circle)
    middle = round(turn * size)
    nearer = 1 if turn * size >= middle else -1
    for away in range(size // 2 + 1):
        for place in (middle + nearer * away, middle - nearer * away):
            if (slot := (circle, place % size)) not in taken:
                return slot
    return None


def _anywhere(taken: Container[Slot], first: int, ideal: int, turn: float) -> Slot:
    """The free slot nearest to circle `ideal` at an angle, on circle `first` or outside of it.

    A circle further out counts as AWAY circles: neighbours line up along the ring.
    """
    best: tuple[float, Slot] | None = None
    away = 0
    while best is None or AWAY * away <= best[0]:
        for circle in dict.fromkeys((ideal + away, ideal - away)):
            slot = _nearest(taken, circle, turn) if circle >= first else None
            if slot:
                arc = abs(slot[1] / slots_on(circle) - turn) % 1
                cost = math.hypot(2 * math.pi * circle * min(arc, 1 - arc), AWAY * away)
                best = min(best or (cost, slot), (cost, slot))
        away += 1
    return best[1]
