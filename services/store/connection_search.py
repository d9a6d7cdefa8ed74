"""The best connections of two nodes of the capital graph, exactly, by the rules of the walk (D72).

Two searches, one from each end, read whole levels: three each, or more from one end where a level
of the other is too wide. Between them they have read every edge that a connection can have; few
are left when those that lead nowhere are dropped, and among these the best paths are found first.
"""

import heapq
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from services.contract.connections import MOST_EDGES

from .adjacency import Adjacency, Floats, Ints
from .graph import ENDING_RELATIONS

#: Products that agree in so many decimals are equal, and names decide: the same path has not
#: quite the same product from its other end.
DECIMALS: Final = 12
#: Beginnings of paths that are looked at for one answer.
_MOST_STEPS: Final = 50_000

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Found:
    """What lies between two nodes."""

    #: Edge ids from the first node to the second, the best connection first.
    paths: list[list[int]]
    #: Whether there are further connections.
    more: bool
    #: Connections of so many edges are all known.
    reach: int
    #: Edges of the level that was too wide to be read; 0 where nothing stopped the searches.
    next_level_edges: int
    #: (node, its edges) reached from both ends and gone on from by neither search, most first.
    not_crossed: list[tuple[int, int]]
    #: Nodes at which either search ended by the rules.
    ended: int


def connect(
    graph: Adjacency,
    first: int,
    second: int,
    most: int,
    *,
    hub_edges: int = 1_000,
    budget_edges: int = 50_000,
) -> Found:
    """The best connections between two different nodes, `most` of them at most (D72).

    A connection is a path of at most six edges that the walk could take from one of its ends:
    through no hub, and on from no node that it entered by a lender's, originator's, servicer's or
    tenant's edge. Best are the fewest edges, then the highest product, then the smallest names.
    """
    ending = np.array([word in ENDING_RELATIONS for word in graph.relations], bool)
    sides = [_Side(graph, one, other, hub_edges, ending)
             for one, other in ((first, second), (second, first))]  # fmt: skip
    for side in sides:
        while side.levels < MOST_EDGES // 2 and 0 < side.ahead <= budget_edges:
            side.grow()
    while sum(side.levels for side in sides) < MOST_EDGES and all(side.ahead for side in sides):
        open_ = [side for side in sides if side.ahead <= budget_edges]
        if not open_:
            break
        open_[0].grow()
    whole = not all(side.ahead for side in sides)
    reach = MOST_EDGES if whole else max(1, sum(side.levels for side in sides))
    wide = 0 if reach == MOST_EDGES else min(side.ahead for side in sides)
    between = _Between(graph, sides, ending, hub_edges)
    paths, known = between.best(most + 1, reach)
    return Found(paths[:most], len(paths) > most, min(reach, known), wide, *_stopped(graph, sides))


def _stopped(graph: Adjacency, sides: "list[_Side]") -> tuple[list[tuple[int, int]], int]:
    """The nodes that neither search went on from though both reached them; how many stopped one."""
    ends = np.sort(np.array([side.end for side in sides], np.int32))
    one, other = (_without(_without(side.touched, side.crossed), ends) for side in sides)
    both = one[_among(one, other)]
    order = np.lexsort((both, graph.name_rank[both], -graph.degrees(both)))
    listed = zip(both[order].tolist(), graph.degrees(both[order]).tolist(), strict=True)
    return list(listed), len(one) + len(other) - len(both)


def _distinct(nodes: Ints) -> Ints:
    """Each node once, ascending; np.unique takes several times as long."""
    nodes = np.sort(nodes)
    first = np.ones(len(nodes), bool)
    first[1:] = nodes[1:] != nodes[:-1]
    return nodes[first]


def _among(nodes: Ints, seen: Ints) -> Bools:
    """Which of the nodes are in the ascending `seen`."""
    if not len(seen):
        return np.zeros(len(nodes), bool)
    return np.equal(seen[np.minimum(np.searchsorted(seen, nodes), len(seen) - 1)], nodes)


def _without(nodes: Ints, seen: Ints) -> Ints:
    """The nodes that are not in the ascending `seen`."""
    left: Ints = nodes[~_among(nodes, seen)]
    return left


class _Side:
    """The search from one end, level by level.

    A path may begin with any edge. One that begins with an edge that ends the walk is taken by
    the walk from the other end, so it is followed too, but not called crossed.
    """

    def __init__(
        self, graph: Adjacency, end: int, other: int, hub_edges: int, ending: Bools
    ) -> None:
        self._graph, self._other, self._hub_edges, self._ending = graph, other, hub_edges, ending
        self.end = end
        #: Levels that were read.
        self.levels = 0
        none = np.empty(0, np.int32)
        #: Nodes that the walk from this end goes on from, ascending.
        self.crossed = none
        self._touched: list[Ints] = []
        self._free = none  # reached by paths that only the walk from the other end takes
        self._frontier = np.array([end], np.int32)
        self._is_free = np.zeros(1, bool)
        #: (node, node, edge) of every edge read that a connection may have.
        self.pairs: list[tuple[Ints, Ints, Ints]] = []

    @property
    def ahead(self) -> int:
        """Edges that the next level would read; 0 when there is nothing further."""
        return int(self._graph.degrees(self._frontier).sum())

    @property
    def touched(self) -> Ints:
        """Nodes that the walk from this end reached, ascending."""
        return _distinct(np.concatenate((self.crossed, *self._touched)))

    def met(self, other: "_Side") -> list[tuple[Ints, Ints, Ints]]:
        """The pairs that lead to where either search has read on, or the other one has come to."""
        owners = [pair[0] for side in (self, other) for pair in side.pairs]
        come_to = [pair[1] for pair in other.pairs]
        ends = np.array([self.end, other.end], np.int32)
        known = _distinct(np.concatenate((ends, *owners, *come_to)))
        kept = [_among(node, known) for _, node, _ in self.pairs]
        return [
            (start[fine], node[fine], edge[fine])
            for (start, node, edge), fine in zip(self.pairs, kept, strict=True)
        ]

    def grow(self) -> None:
        """Reads the next level."""
        graph = self._graph
        owner, at = graph.rows(self._frontier)
        node = graph.neighbour[at]
        # Of parallel edges the surest stands first (D41).
        surest = np.ones(len(node), bool)
        surest[1:] = (node[1:] != node[:-1]) | (owner[1:] != owner[:-1])
        surest &= (node != self.end) & (node != self._frontier[owner])
        owner, at, node = owner[surest], at[surest], node[surest]
        edge = graph.edge[at]
        ends = self._ending[graph.edge_relation[edge]]
        free = self._is_free[owner]
        first = self.levels == 0
        usable = np.ones(len(node), bool) if first else ~ends | (node == self._other)
        self.pairs.append((self._frontier[owner[usable]], node[usable], edge[usable]))
        self._touched.append(node[~free])
        crossed = self._fresh(node[~free & ~ends], self.crossed)
        self.crossed = np.sort(np.concatenate((self.crossed, crossed)))
        freed = self._fresh(node[ends] if first else node[free & ~ends], self._free)
        self._free = np.sort(np.concatenate((self._free, freed)))
        freed = _without(freed, self.crossed)
        self._frontier = np.concatenate((crossed, freed))
        self._is_free = np.arange(len(self._frontier)) >= len(crossed)
        self.levels += 1

    def _fresh(self, nodes: Ints, seen: Ints) -> Ints:
        """Those not seen yet that a path may go on from, each once."""
        nodes = _without(_distinct(nodes), seen)
        on = (self._graph.degrees(nodes) <= self._hub_edges) & (nodes != self._other)
        fresh: Ints = nodes[on]
        return fresh


class _Step(NamedTuple):
    """An edge that leads on, by the numbers of nodes among those between."""

    to: int
    confidence: float
    ending: bool
    edge: int


class _Between:
    """The nodes and edges that lie on short paths between the two ends."""

    def __init__(self, graph: Adjacency, sides: list[_Side], ending: Bools, hub_edges: int) -> None:
        ends = np.array([side.end for side in sides], np.int32)
        # The edge between the two ends is looked up even where neither row was read.
        direct = graph.edge[graph.joining(ends[:1], ends[1:])[:1]]
        some = slice(len(direct))
        one_side, other_side = sides
        pairs = [
            *one_side.met(other_side),
            *other_side.met(one_side),
            (ends[:1][some], ends[1:][some], direct),
        ]
        one, other, edge = (np.concatenate(column) for column in zip(*pairs, strict=True))
        low, high = np.minimum(one, other), np.maximum(one, other)
        both = low.astype(np.int64) * graph.node_count + high
        order = np.argsort(both)
        once = order[np.diff(both[order], prepend=-1) != 0]
        low, high, edge = low[once], high[once], edge[once]
        inner = np.stack((low, high))
        is_hub = (graph.degrees(inner.ravel()) > hub_edges).reshape(inner.shape)
        fine = ~(is_hub & ~np.isin(inner, ends)).any(axis=0)
        low, high, edge = _trimmed(*_near(low[fine], high[fine], edge[fine], ends), ends)
        self._nodes, numbers = np.unique(np.concatenate((ends, low, high)), return_inverse=True)
        self._start, self._goal = numbers[:2].tolist()
        one, other = np.split(numbers[2:], 2)
        self._from, self._to = np.concatenate((one, other)), np.concatenate((other, one))
        self._edge = np.concatenate((edge, edge))
        self._confidence: Floats = graph.edge_confidence[self._edge]
        self._ends: Bools = ending[graph.edge_relation[self._edge]]
        self._rank = graph.name_rank[self._nodes].tolist()
        self._steps = self._leading_on()

    def _leading_on(self) -> list[list[_Step]]:
        steps: list[list[_Step]] = [[] for _ in self._nodes]
        columns = (self._from, self._to, self._confidence, self._ends, self._edge)
        for start, *step in zip(*(column.tolist() for column in columns), strict=True):
            if start != self._goal and step[0] != self._start:
                steps[start].append(_Step(*step))
        return steps

    def best(self, most: int, reach: int) -> tuple[list[list[int]], int]:
        """Edge ids of the best paths of at most `reach` edges; edges up to which all is known."""
        found: list[list[int]] = []
        bounds = self._bounds(reach)
        left = _MOST_STEPS
        for edges in range(1, reach + 1):
            left = self._of_length(edges, most, bounds, found, left)
            if left <= 0:
                return found, edges - 1
            if len(found) >= most:
                break
        return found, reach

    def _bounds(self, reach: int) -> tuple[list[list[float]], list[list[float]]]:
        """No path of r edges from a node to the goal has a larger product than [r][node], where
        its last edge is any, and where it is none that ends the walk; -1 where there is none.
        """
        tables = []
        for last in (np.ones(len(self._ends), bool), ~self._ends):
            table = np.full((reach + 1, len(self._nodes)), -1.0)
            for edges in range(1, reach + 1):
                if edges == 1:
                    on = last & (self._to == self._goal)
                    beyond = np.ones(len(on))
                else:
                    beyond = table[edges - 1][self._to]
                    on = ~self._ends & (self._to != self._goal) & (beyond >= 0)
                np.maximum.at(table[edges], self._from[on], (self._confidence * beyond)[on])
            tables.append(table.tolist())
        return tables[0], tables[1]

    def _of_length(
        self,
        edges: int,
        most: int,
        bounds: tuple[list[list[float]], list[list[float]]],
        found: list[list[int]],
        left: int,
    ) -> int:
        """Appends the paths of so many edges, best first; gives how many steps are left.

        The beginning that may become the best path is followed first, and of equal ones that of
        the smallest names, so that a path that is whole comes before all that are not. Edges that
        end the walk lie at the two ends alone; the bounds see to it that a path has not both.
        """
        heap: list[tuple[float, list[int], list[int], float, bool, list[int]]] = [
            (-1.0, [self._rank[self._start]], [self._start], 1.0, False, [])
        ]
        while heap and len(found) < most and left > 0:
            _, ranks, nodes, product, free, taken = heapq.heappop(heap)
            rest = edges - len(taken)
            if not rest:
                found.append(taken)
                continue
            for to, confidence, ending, edge in self._steps[nodes[-1]]:
                begins_free = ending if not taken else free
                if rest == 1:
                    fits = to == self._goal
                    beyond = 1.0
                else:
                    fits = to != self._goal and to not in nodes
                    beyond = bounds[begins_free][rest - 1][to]
                if not fits or beyond < 0:
                    continue
                left -= 1
                along = product * confidence
                heapq.heappush(heap, (
                    -round(along * beyond, DECIMALS), [*ranks, self._rank[to]], [*nodes, to],
                    along, begins_free, [*taken, edge],
                ))  # fmt: skip
        return left


def _near(low: Ints, high: Ints, edge: Ints, ends: Ints) -> tuple[Ints, Ints, Ints]:
    """The edges that are on some way of six edges from one end to the other."""
    nodes = _distinct(np.concatenate((ends, low, high)))
    one, other = np.searchsorted(nodes, low), np.searchsorted(nodes, high)
    away = np.full((2, len(nodes)), MOST_EDGES + 1, np.int8)
    for of_end, start in zip(away, np.searchsorted(nodes, ends), strict=True):
        of_end[start] = 0
        for edges in range(MOST_EDGES):
            for near, far in ((one, other), (other, one)):
                reached = far[(of_end[near] == edges) & (of_end[far] > edges)]
                of_end[reached] = edges + 1
    there = away[0][one] + away[1][other]
    back = away[0][other] + away[1][one]
    fine = np.minimum(there, back) < MOST_EDGES
    return low[fine], high[fine], edge[fine]


def _trimmed(low: Ints, high: Ints, edge: Ints, ends: Ints) -> tuple[Ints, Ints, Ints]:
    """Without the nodes that only one edge leads to, again and again: no path goes through."""
    while len(low):
        nodes = _distinct(np.concatenate((low, high)))
        one, other = np.searchsorted(nodes, low), np.searchsorted(nodes, high)
        counts = np.bincount(one, minlength=len(nodes)) + np.bincount(other, minlength=len(nodes))
        alone = (counts == 1) & ~np.isin(nodes, ends)
        fine = ~(alone[one] | alone[other])
        if fine.all():
            break
        low, high, edge = low[fine], high[fine], edge[fine]
    return low, high, edge
