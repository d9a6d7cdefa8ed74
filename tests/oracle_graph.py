"""Ownership, ties and the graph's walk as the decisions promise them, for `tests/oracle.py`.

A node is ("loan", number) or ("entity", name): a party may be named as a loan is.
"""

import math
from collections import defaultdict

from services.contract.records import (
    ChainElement,
    Edge,
    GraphPath,
    GraphResult,
    Hub,
    OwnershipChain,
)
from services.contract.vocabulary import tier_of

#: graph.md rule 3.
ENDING = {"capital_source", "originator", "servicer", "tenant"}


class Links(list):
    """Edges: (from node, to node, relation, confidence, share)."""

    def steps(self, node, relation):
        return [edge for edge in self if edge[0] == node and edge[2] == relation]

    def degree(self, node):
        return sum(node in edge[:2] for edge in self)

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

    def walk(self, root, depth, kinds, *, hub_edges, budget_edges):
        """All paths in order (D3), as one result."""

        def goes_on(path):
            node, edge = path[-1]
            return edge is None or (edge[2] not in ENDING and self.degree(node) <= hub_edges)

        levels, wide, stopped_by = [[[(root, None)]]], 0, None
        while True:
            onward = [path for path in levels[-1] if goes_on(path)]
            best = self._best(onward, {path[-1][0] for level in levels for path in level})
            wide = sum(self.degree(path[-1][0]) for path in onward)
            if len(levels) > depth:
                stopped_by = "depth" if best or wide > budget_edges else None
                break
            if len(levels) > 1 and wide > budget_edges:
                stopped_by = "budget"
                break
            if not best:
                break
            levels.append(best)
        paths = [path for level in levels[1:] for path in level]
        degrees = {path[-1][0]: self.degree(path[-1][0]) for path in paths}
        hubs = [Hub(name=n[1], edges=d) for n, d in degrees.items() if d > hub_edges]
        return GraphResult(
            root=root[1],
            depth_reached=len(levels) - 1,
            paths=tuple(_path(path, kinds) for path in paths),
            stopped_by=stopped_by,
            next_level_edges=wide if stopped_by == "budget" else None,
            hubs=tuple(sorted(hubs, key=lambda hub: (-hub.edges, hub.name))),
        )

    def _best(self, onward, seen):
        """The best path to each new node; a path is [(root, None), (node, edge to it), ...]."""
        best = {}
        for path in onward:
            node = path[-1][0]
            for edge in self:
                if node in edge[:2]:
                    other = edge[1] if edge[0] == node else edge[0]
                    longer = [*path, (other, edge)]
                    if other not in seen and (
                        other not in best or _rank(longer) < _rank(best[other])
                    ):
                        best[other] = longer
        return sorted(best.values(), key=_rank)


def _rank(path):
    """Smaller comes first: product descending, names, then the surer of parallel edges (D12)."""
    product = math.prod(edge[3] for _, edge in path[1:])
    surest = [(-edge[3], edge[2]) for _, edge in path[1:]]
    return (-product, [node[1] for node, _ in path], surest)


def _path(path, kinds):
    """`kinds` by name of an entity (D50)."""

    def kind(node):
        return "loan" if node[0] == "loan" else kinds[node[1]]

    return GraphPath(
        edges=tuple(
            Edge(
                source=edge[0][1],
                target=edge[1][1],
                relation=edge[2],
                confidence=edge[3],
                extra={"from_kind": kind(edge[0]), "to_kind": kind(edge[1])},
            )
            for _, edge in path[1:]
        )
    )
