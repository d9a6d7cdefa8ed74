"""The walk behind /v1/graph/paths: one path for each node reached, level by level (D12, D3).

A path is the path of the node before its last one, plus one edge: the paths form a tree. So
whether paths go on from a node is settled by the one path kept for it (D12 rules 2 and 3). Only
what was reached is held in memory, never anything of the size of the graph.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from services.store.adjacency import Adjacency, Floats, Ints, Longs

#: Sharing one of these does not relate two borrowers: no path goes on from a node that it
#: entered by such an edge (D12 rule 3).
ENDING_RELATIONS: Final = frozenset(
    ("capital_source", "originator", "servicer", "tenant", "property_manager", "assisted_by",
     "trustee")
)  # fmt: skip

#: Nodes whose rows are looked through at a time for one that was not reached yet.
_LOOK_AHEAD: Final = 256

Stop = Literal["depth", "budget"]
Places = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The nodes that a given number of edges reaches, in order of the names along their paths."""

    node: Ints
    edge: Ints  # by which it was entered
    parent: Ints  # place of the node before it in the level before
    product: Floats  # of the confidences along the path, multiplied from the root outwards
    #: Rank of the names along the path, equal for equal names: only where loans and entities
    #: share names, else the place in the level says it all.
    spelling: Longs | None = None

    def __len__(self) -> int:
        return len(self.node)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        arrays = (self.node, self.edge, self.parent, self.product, self.spelling)
        return sum(array.nbytes for array in arrays if array is not None)

    def ranked(self, start: int, end: int) -> Longs:
        """Places of ranks `start` to `end` (exclusive) by product descending, then names."""
        cost = -self.product
        first, last = np.partition(cost, (start, end - 1))[[start, end - 1]]
        places = np.flatnonzero((cost >= first) & (cost <= last))
        before = int(np.count_nonzero(cost < first))
        by_cost = np.argsort(cost[places], kind="stable")
        return places[by_cost[start - before : end - before]]


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """What one walk reached. `levels[0]` is the root alone."""

    root: int
    levels: tuple[Level, ...]
    #: `depth`: the depth asked for was reached, and there is more beyond. `budget`: the next
    #: level has more edges than are read for one walk. None: nothing is left out.
    stopped_by: Stop | None
    #: Edges that the next level would read; 0 where nothing stopped the walk.
    next_level_edges: int
    #: (node, its edges) of the hubs that ended a path, most edges first, then by name.
    hubs: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """Number of paths, one for each node reached."""
        return sum(map(len, self.levels)) - 1

    @property
    def depth_reached(self) -> int:
        """Edges in the longest path; 0 for a root without edges."""
        return len(self.levels) - 1

    @property
    def nbytes(self) -> int:
        """Bytes held, for a cache that is bounded by them."""
        return sum(level.nbytes for level in self.levels) + 16 * len(self.hubs)

    def page(self, offset: int, limit: int) -> list[tuple[list[int], float]]:
        """(edge ids from the root outwards, product of their confidences) of a slice of the
        paths in the order of D3: edges in the path, product descending, names along the path.
        """
        return [
            path
            for depth, places in self._slice(offset, limit)
            for path in zip(
                np.stack([level.edge[at] for level, at in self._back(depth, places)], 1).tolist(),
                self.levels[depth].product[places].tolist(),
                strict=True,
            )
        ]

    def path_nodes(self, offset: int, limit: int) -> list[list[int]]:
        """Node ids from the root outwards, the root first, of the same slice as `page`."""
        return [
            [self.root, *nodes]
            for depth, places in self._slice(offset, limit)
            for nodes in np.stack(
                [level.node[at] for level, at in self._back(depth, places)], 1
            ).tolist()
        ]

    def _slice(self, offset: int, limit: int) -> Iterator[tuple[int, Longs]]:
        """(depth, places in that level) that ranks `offset` to `offset + limit` lie at."""
        if offset < 0 or limit < 0:
            raise ValueError(f"no slice of {limit} paths starts at {offset}")
        end = offset + limit
        for depth, level in enumerate(self.levels[1:], 1):
            first, last = max(offset, 0), min(end, len(level))
            if first < last:
                yield depth, level.ranked(first, last)
            offset, end = offset - len(level), end - len(level)

    def _back(self, depth: int, places: Places) -> list[tuple[Level, Places]]:
        """(level, places in it) of every node of the paths that end at `places`, root's excepted,
        from the root outwards.
        """
        steps = []
        for level in self.levels[depth:0:-1]:
            steps.append((level, places))
            places = level.parent[places]
        return steps[::-1]


def walk(
    adjacency: Adjacency,
    root: int,
    depth: int,
    *,
    hub_edges: int = 1000,
    budget_edges: int = 50_000,
) -> Walk:
    """Every node within `depth` edges of the node `root`, each by its one path (D12).

    A node with more than `hub_edges` edges ends a path unless it is the root. The first level is
    always read whole; a further one only when it has `budget_edges` edges at most.

    `stopped_by` is `depth` when an unreached node lies next to one that a path may go on from;
    where that level has more than `budget_edges` edges it is not searched and counts as more.

    Raises ValueError for a root that is no node or a depth below 1 (callers check, D4 and D6).
    """
    if not 0 <= root < adjacency.node_count or depth < 1:
        raise ValueError(f"no walk of depth {depth} from node {root} of {adjacency.node_count}")
    ending = np.array([word in ENDING_RELATIONS for word in adjacency.relations], bool)
    levels = [_root_level(root, adjacency)]
    hubs: list[tuple[int, int]] = []
    seen = levels[0].node
    going_on: Longs = np.zeros(1, np.int64)  # places in the last level
    stopped_by: Stop | None = None
    while ahead := int(adjacency.degrees(levels[-1].node[going_on]).sum()):
        reached = len(levels) - 1
        if reached == depth:
            more = ahead > budget_edges or _leads_on(adjacency, levels[-1], going_on, seen)
            stopped_by = "depth" if more else None
            break
        if reached and ahead > budget_edges:
            stopped_by = "budget"
            break
        level = _next_level(adjacency, levels[-1], going_on, seen)
        if not len(level):
            break
        levels.append(level)
        seen = np.sort(np.concatenate((seen, level.node)))
        degrees = adjacency.degrees(level.node)
        is_hub = degrees > hub_edges
        hubs += zip(level.node[is_hub].tolist(), degrees[is_hub].tolist(), strict=True)
        going_on = np.flatnonzero(~is_hub & ~ending[adjacency.edge_relation[level.edge]])
    hubs.sort(key=lambda hub: (-hub[1], int(adjacency.name_rank[hub[0]]), hub[0]))
    return Walk(root, tuple(levels), stopped_by, ahead if stopped_by else 0, tuple(hubs))


def _root_level(root: int, adjacency: Adjacency) -> Level:
    none = np.full(1, -1, np.int32)
    spelling = np.zeros(1, np.int64) if adjacency.shared_names else None
    return Level(np.full(1, root, np.int32), none, none, np.ones(1), spelling)


def _unseen(nodes: Ints, seen: Ints) -> npt.NDArray[np.bool_]:
    """Which of `nodes` are not in the ascending `seen`, which is not empty."""
    at = np.minimum(np.searchsorted(seen, nodes), len(seen) - 1)
    return np.not_equal(seen[at], nodes)


def _leads_on(adjacency: Adjacency, level: Level, going_on: Longs, seen: Ints) -> bool:
    """Whether any of the nodes that a path may go on from has a neighbour not reached yet."""
    for start in range(0, len(going_on), _LOOK_AHEAD):
        nodes = level.node[going_on[start : start + _LOOK_AHEAD]]
        if _unseen(adjacency.neighbour[adjacency.rows(nodes)[1]], seen).any():
            return True
    return False


def _next_level(adjacency: Adjacency, level: Level, going_on: Longs, seen: Ints) -> Level:
    """The unreached neighbours of the nodes at the places `going_on`, each by its best path.

    Candidates come in order of the names along their paths, because the places are in that order
    and so is every row: the first of equal products has the smallest names (D12 rule 2).
    """
    owner, at = adjacency.rows(level.node[going_on])
    node = adjacency.neighbour[at]
    fresh = np.flatnonzero(_unseen(node, seen))
    node, edge, parent = node[fresh], adjacency.edge[at[fresh]], going_on[owner[fresh]]
    spelling = None
    if level.spelling is not None:
        # Paths through a loan and an entity of one name are alike up to there: what follows
        # decides, so all candidates are put in order again.
        rank = adjacency.name_rank[node].astype(np.int64)
        spelling = level.spelling[parent] * (adjacency.node_count + 1) + rank
        by_names = np.argsort(spelling, kind="stable")
        node, edge, parent = node[by_names], edge[by_names], parent[by_names]
        spelling = np.unique(spelling[by_names], return_inverse=True)[1]
    product = level.product[parent] * adjacency.edge_confidence[edge]
    # One parent: its row already has parallel edges side by side, the best first.
    order = np.arange(len(node)) if len(going_on) == 1 else np.lexsort((-product, node))
    first = np.ones(len(node), bool)
    first[1:] = node[order[1:]] != node[order[:-1]]
    kept = np.sort(order[first])
    return Level(
        node[kept],
        edge[kept],
        parent[kept].astype(np.int32),
        product[kept],
        None if spelling is None else spelling[kept],
    )
