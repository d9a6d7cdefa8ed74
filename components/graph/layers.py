"""Where nodes of a capital graph stand: a band for lenders, loans, borrowers and owners. Pure.

Every place is a slot: a band, a row in it, and a column that may be as far out as it has to be.
Two nodes never share a slot, and a node that has one keeps it, so nothing moves when more arrive.
"""

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Final

from components.graph import network as kinds

#: Bands from the top down, and what stands in each.
BANDS: Final = {
    "Lenders and servicers": (kinds.CAPITAL_SOURCE, kinds.ORIGINATOR, kinds.SERVICER),
    "Loans": (kinds.LOAN,),
    "Borrowers": (kinds.BORROWER,),
    "Owners and sponsors": (kinds.OWNER, kinds.OWNED),
    "Other parties": (kinds.OTHER,),
}
_BAND_OF: Final = {kind: band for band, held in enumerate(BANDS.values()) for kind in held}
#: The order in which bands are filled: each by the places of what it hangs on.
_FILLED: Final = (1, 2, 3, 0, 4)
#: Columns that a band is wide at first, before it takes another row.
_WIDE: Final = 18
#: From one column to the next, in rows; and rows between bands, the more the wider they are.
COLUMN: Final = 1.7
_NEAREST_BANDS, _FARTHEST_BANDS = 3.0, 6.0
#: The height of the drawing by its width.
_HIGH: Final = 0.7

Slot = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Layers:
    """The slot of each node, in the order they were placed; the rows of each band, and between."""

    slots: Mapping[str, Slot]
    rows: tuple[int, ...]
    gap: float

    def point(self, node: str) -> tuple[float, float]:
        """Where a node stands, in rows; every other row is half a column aside."""
        band, row, column = self.slots[node]
        return COLUMN * (column + (row % 2) / 2), self.top(band) + row

    def top(self, band: int) -> float:
        """Where the first row of a band lies."""
        return sum(self.rows[:band]) + self.gap * band


def arrange(graph: kinds.Graph, kind_of: Mapping[str, str]) -> Layers:
    """A first layout: loans in the order they came, every other node near those that it joins."""
    members: list[list[str]] = [[] for _ in BANDS]
    for node in graph:
        members[_BAND_OF[kind_of[node]]].append(node)
    rows = tuple(max(1, math.ceil(len(held) / _WIDE)) for held in members)
    wide = COLUMN * max(math.ceil(len(held) / own) for held, own in zip(members, rows, strict=True))
    gap = (wide * _HIGH - sum(rows)) / (len(BANDS) - 1)
    slots: dict[str, Slot] = {}
    for band in _FILLED:
        held = sorted(members[band], key=lambda node: _middle(graph, slots, node))
        columns = math.ceil(len(held) / rows[band])
        for at, node in enumerate(held):
            slots[node] = (band, at % rows[band], at // rows[band] - (columns - 1) // 2)
    gap = min(max(gap, _NEAREST_BANDS), _FARTHEST_BANDS)
    return Layers({node: slots[node] for node in graph}, rows, gap)


def extend(layers: Layers, graph: kinds.Graph, kind_of: Mapping[str, str]) -> Layers:
    """The layout with the nodes of the graph that it lacks; every placed node stays where it is.

    A new node takes the free slot of its band nearest to what it hangs on.
    """
    slots = dict(layers.slots)
    taken = set(slots.values())
    for node in graph:
        if node not in slots:
            band = _BAND_OF[kind_of[node]]
            slots[node] = _nearest(taken, band, layers.rows[band], _middle(graph, slots, node))
            taken.add(slots[node])
    return Layers(slots, layers.rows, layers.gap)


def _middle(graph: kinds.Graph, slots: Mapping[str, Slot], node: str) -> float:
    """The middle column of the placed nodes that it is joined to; 0 without any."""
    beside = {*graph.successors(node), *graph.predecessors(node)}
    columns = [slots[one][2] for one in beside if one in slots]
    return sum(columns) / len(columns) if columns else 0


def _nearest(taken: Container[Slot], band: int, rows: int, column: float) -> Slot:
    away = 0
    while True:
        for at in dict.fromkeys((round(column) + away, round(column) - away)):
            for row in range(rows):
                if (slot := (band, row, at)) not in taken:
                    return slot
        away += 1
