"""Ownership, ties and the graph's walk as the decisions promise them: written to be read, not fast.

A node is ("loan", number) or ("entity", name): a party may be named as a loan is.
"""

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from services.contract.records import (
    ChainElement,
    Edge,
    GraphPath,
    GraphResult,
    Hub,
    OwnershipChain,
)
from services.contract.vocabulary import tier_of

#: D12: relations through which a path enters its last node.
ENDING = {
    "capital_source", "originator", "servicer", "tenant", "property_manager", "assisted_by",
    "trustee",
}  # fmt: skip


class Path(NamedTuple):
    """Nodes from the root on, and the numbers of the edges between them."""

    nodes: tuple
    edges: tuple = ()

    @property
    def end(self):
        return self.nodes[-1]


@dataclass(frozen=True)
class Walk:
    """What a walk finds; paths in order."""

    paths: list
    depth_reached: int
    stopped_by: str | None
    #: Edges of the level that was not begun, 0 where all was walked.
    next_level_edges: int
    #: (node, its edges), most edges first.
    hubs: tuple


class Links(list):
    """Edges: (from node, to node, relation, confidence, share)."""

    def steps(self, node, relation):
        return [edge for edge in self if edge[0] == node and edge[2] == relation]

    def at(self, node):
        """(number of the edge, neighbour) of every edge at a node."""
        for number, (start, end, *_) in enumerate(self):
            if start == node:
                yield number, end
            elif end == node:
                yield number, start

    def degree(self, node):
        return len(list(self.at(node)))

    def tied(self, name):
        """D32: loans of which it is borrower, owner at any level, guarantor, capital source."""
        by_loan = defaultdict(set)
        for start, end, relation, *_ in self:
            if start[0] == "loan" and relation == "guarantor":
                by_loan[start[1]].add(end)
            for first, on in (("borrower", "owned_by"), ("capital_source", "capital_source")):
                if start[0] == "loan" and relation == first:
                    by_loan[start[1]] |= self._onward(end, on)
        return {number for number, behind in by_loan.items() if ("entity", name) in behind}

    def _onward(self, node, relation):
        reached, left = set(), [node]
        while left:
            node = left.pop()
            if node not in reached:
                reached.add(node)
                left += [edge[1] for edge in self.steps(node, relation)]
        return reached

    def ownership(self, loan_number, kinds):
        """D31: level by level; within a level by name, since no order is promised there."""
        links = self.steps(("loan", loan_number), "borrower")
        chain, seen, scores, level = [], set(), [], 0
        while links:
            scores += [edge[3] for edge in links]
            fresh = {edge[1]: edge for edge in reversed(links) if edge[1] not in seen}
            for (_, name), edge in sorted(fresh.items()):
                extra = {"level": level} | ({"of": edge[0][1]} if level else {})
                extra |= {} if edge[4] is None else {"share": edge[4]}
                role = kinds[name] if level else "borrower"
                chain.append(
                    ChainElement(entity_name=name, role=role, confidence=edge[3], extra=extra)
                )
            seen |= set(fresh)
            links = [edge for node in sorted(fresh) for edge in self.steps(node, "owned_by")]
            level += 1
        tier = tier_of(min(scores)) if scores else None
        return OwnershipChain(loan_number=loan_number, chain=tuple(chain), confidence_tier=tier)

    def product(self, path):
        return math.prod(self[edge][3] for edge in path.edges)

    def walk(self, root, depth, *, hub_edges, budget_edges):
        """D12, level by level."""
        levels, stopped_by, ahead = [[Path((root,))]], None, 0
        while True:
            onward = [path for path in levels[-1] if self._goes_on(path, hub_edges)]
            reached = {path.end for level in levels for path in level}
            ahead = sum(self.degree(path.end) for path in onward)
            longer = [
                one for path in onward for one in self._longer(path) if one.end not in reached
            ]
            if len(levels) > depth:
                stopped_by = "depth" if longer or ahead > budget_edges else None
                break
            if len(levels) > 1 and ahead > budget_edges:
                stopped_by = "budget"
                break
            best = {}
            for path in sorted(longer, key=self._preference):
                best.setdefault(path.end, path)
            if not best:
                break
            levels.append(list(best.values()))
        paths = [path for level in levels[1:] for path in level]
        degrees = {path.end: self.degree(path.end) for path in paths}
        hubs = [(node, degree) for node, degree in degrees.items() if degree > hub_edges]
        return Walk(
            paths=paths,
            depth_reached=len(levels) - 1,
            stopped_by=stopped_by,
            next_level_edges=ahead if stopped_by else 0,
            hubs=tuple(sorted(hubs, key=lambda hub: (-hub[1], hub[0][1], _loans_first(hub[0])))),
        )

    def result(self, root, depth, kinds, **limits):
        """A walk as the contract has it; `kinds` by name of an entity (D50)."""
        walk = self.walk(root, depth, **limits)
        return GraphResult(
            root=root[1],
            depth_reached=walk.depth_reached,
            paths=tuple(
                GraphPath(edges=tuple(self._edge(edge, kinds) for edge in path.edges))
                for path in walk.paths
            ),
            stopped_by=walk.stopped_by,
            next_level_edges=walk.next_level_edges if walk.stopped_by == "budget" else None,
            hubs=tuple(Hub(name=node[1], edges=degree) for node, degree in walk.hubs),
        )

    def best_simple_paths(self, root):
        """D12 taken at its word: of all simple paths to each node the best, in order."""
        best = {}

        def follow(path):
            rank = (len(path.edges), *self._preference(path))
            if path.edges and (path.end not in best or rank < best[path.end][0]):
                best[path.end] = (rank, path)
            for longer in self._longer(path):
                if longer.end not in path.nodes:
                    follow(longer)

        follow(Path((root,)))
        return [path for _, path in sorted(best.values())]

    def surest(self):
        """Of the edges between two nodes the one that decides (D41): pair -> its number."""
        best = {}
        for number, (start, end, relation, confidence, *_) in enumerate(self):
            rank = (-confidence, relation, number)
            pair = frozenset((start, end))
            if len(pair) == 2 and (pair not in best or rank < best[pair][0]):
                best[pair] = (rank, number)
        return {pair: number for pair, (_, number) in best.items()}

    def connections(self, start, goal, *, hub_edges, most_edges=6):
        """D72 taken at its word: every simple path that the walk could take from either end."""
        surest, found = self.surest(), []
        near = defaultdict(list)
        for pair, number in surest.items():
            for one, other in (tuple(pair), tuple(pair)[::-1]):
                near[one].append((other, number))

        def crossable(node):
            return self.degree(node) <= hub_edges

        def follow(path):
            if path.end == goal:
                ends = [self[edge][2] in ENDING for edge in path.edges]
                # Only the last edge of a walk may be one that ends it: seen from either end.
                if not any(ends[:-1]) or not any(ends[1:]):
                    found.append(path)
                return
            if len(path.edges) < most_edges and (path.end == start or crossable(path.end)):
                for other, edge in near[path.end]:
                    if other not in path.nodes:
                        follow(Path((*path.nodes, other), (*path.edges, edge)))

        follow(Path((start,)))
        return sorted(found, key=self._best_connection)

    def _best_connection(self, path):
        names = [name for _, name in path.nodes]
        product = round(self.product(path), 12)
        return (len(path.edges), -product, names, list(map(_loans_first, path.nodes)))

    def not_crossed(self, start, goal, *, hub_edges, within=3):
        """D72: nodes that walks of three edges reach from both ends and go on from in neither;
        and those that end one of them.
        """
        sides = [self._ended(*ends, hub_edges, within) for ends in ((start, goal), (goal, start))]
        both = sides[0] & sides[1]
        listed = [(node, self.degree(node)) for node in both]
        listed.sort(key=lambda one: (-one[1], one[0][1], _loans_first(one[0])))
        return listed, len(sides[0] | sides[1])

    def _ended(self, start, goal, hub_edges, within):
        surest = self.surest()
        touched, crossed, level = set(), set(), {start}
        for _ in range(within):
            following = set()
            for pair, number in surest.items():
                for node, other in (tuple(pair), tuple(pair)[::-1]):
                    if node in level and other != start:
                        touched.add(other)
                        ending = self[number][2] in ENDING
                        if not ending and other != goal and self.degree(other) <= hub_edges:
                            following.add(other)
            level = following - crossed
            crossed |= following
        return touched - crossed - {start, goal}

    def _longer(self, path):
        return [
            Path((*path.nodes, other), (*path.edges, edge)) for edge, other in self.at(path.end)
        ]

    def _goes_on(self, path, hub_edges):
        """D12: a hub ends a path, and so does a node entered by what relates nobody."""
        if not path.edges:
            return True
        return self[path.edges[-1]][2] not in ENDING and self.degree(path.end) <= hub_edges

    def _preference(self, path):
        """Smaller comes first (D3, D12): product descending, names, the surer of parallel edges."""
        names = [name for _, name in path.nodes]
        surest = [(-self[edge][3], self[edge][2], edge) for edge in path.edges]
        return (-self.product(path), names, list(map(_loans_first, path.nodes)), surest)

    def _edge(self, number, kinds):
        start, end, relation, confidence, *_ = self[number]
        ends = {"from_kind": start, "to_kind": end}
        return Edge(
            source=start[1],
            target=end[1],
            relation=relation,
            confidence=confidence,
            extra={
                name: "loan" if node[0] == "loan" else kinds[node[1]] for name, node in ends.items()
            },
        )


def _loans_first(node):
    return node[0] != "loan"
