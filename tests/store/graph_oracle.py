"""D12 written to be read, not to be fast: the oracle that the walk is compared with."""

import math
from dataclasses import dataclass

ENDING = {"capital_source", "originator", "servicer", "tenant"}


@dataclass(frozen=True)
class Graph:
    """Nodes are numbers into `names`, loans first; an edge is (from, to, relation, confidence)."""

    loans: list[str]
    entities: list[str]
    edges: list[tuple[int, int, str, float]]

    @property
    def names(self):
        return self.loans + self.entities

    def at(self, node):
        """(edge, neighbour) of every edge at a node."""
        for edge, (one, other, _, _) in enumerate(self.edges):
            if one == node:
                yield edge, other
            elif other == node:
                yield edge, one


@dataclass(frozen=True)
class Path:
    nodes: tuple[int, ...]
    edges: tuple[int, ...] = ()


def product(graph, path):
    return math.prod(graph.edges[edge][3] for edge in path.edges)


def preference(graph, path):
    """Smaller is better, and comes first: D3 and D12 rule 2 among paths of equal length."""
    parallel = [(-graph.edges[e][3], graph.edges[e][2], e) for e in path.edges]
    names = [graph.names[node] for node in path.nodes]
    return (-product(graph, path), names, path.nodes, parallel)


def goes_on(graph, path, hub_edges):
    """D12 rule 3."""
    if not path.edges:
        return True
    if len(list(graph.at(path.nodes[-1]))) > hub_edges:
        return False
    return graph.edges[path.edges[-1]][2] not in ENDING


def walk(graph, root, depth, hub_edges, budget_edges):
    """The fields of a walk as a dict, its paths in order."""
    levels = [[Path((root,))]]
    stopped_by, next_level_edges = None, 0
    while True:
        onward = [path for path in levels[-1] if goes_on(graph, path, hub_edges)]
        reached = {path.nodes[-1] for level in levels for path in level}
        edges_ahead = sum(len(list(graph.at(path.nodes[-1]))) for path in onward)
        candidates = [
            Path((*path.nodes, other), (*path.edges, edge))
            for path in onward
            for edge, other in graph.at(path.nodes[-1])
            if other not in reached
        ]
        if len(levels) > depth:
            if candidates or edges_ahead > budget_edges:
                stopped_by, next_level_edges = "depth", edges_ahead
            break
        if len(levels) > 1 and edges_ahead > budget_edges:
            stopped_by, next_level_edges = "budget", edges_ahead
            break
        best = {}
        for path in sorted(candidates, key=lambda path: preference(graph, path)):
            best.setdefault(path.nodes[-1], path)
        if not best:
            break
        levels.append(list(best.values()))
    paths = [path for level in levels[1:] for path in level]
    degrees = {path.nodes[-1]: len(list(graph.at(path.nodes[-1]))) for path in paths}
    hubs = [(node, degree) for node, degree in degrees.items() if degree > hub_edges]
    return {
        "paths": [(list(path.edges), product(graph, path)) for path in paths],
        "nodes": [list(path.nodes) for path in paths],
        "total": len(paths),
        "depth_reached": len(levels) - 1,
        "stopped_by": stopped_by,
        "next_level_edges": next_level_edges,
        "hubs": tuple(sorted(hubs, key=lambda hub: (-hub[1], graph.names[hub[0]], hub[0]))),
    }


def best_simple_paths(graph, root):
    """D12 rule 2 taken at its word: of all simple paths to each node the best, in order."""
    best = {}

    def follow(path):
        rank = (len(path.edges), *preference(graph, path))
        end = path.nodes[-1]
        if path.edges and (end not in best or rank < best[end]):
            best[end] = rank
        for edge, other in graph.at(end):
            if other not in path.nodes:
                follow(Path((*path.nodes, other), (*path.edges, edge)))

    follow(Path((root,)))
    return [list(rank[3]) for rank in sorted(best.values())]
