"""How fast the capital graph answers: walks of six edges, connections, the edges of a board."""

import random
from collections.abc import Callable, Iterator

import numpy as np

from services.contract.connections import BranchQuery, ConnectionQuery
from services.contract.queries import PathQuery
from services.store.graph import walk
from services.store.reader import Reader
from services.store.source import StoreSource
from tests.bench.figures import Figure, spread, timed
from tests.bench.questions import Questions

WALK_MS, CONNECTION_MS, BOARD_MS = 50, 100, 100
WARM_UP = 5
#: Nodes on a board.
BOARD = 300


def figures(reader: Reader, pool: Questions, runs: int, floor_ms: float) -> Iterator[Figure]:
    """Each with the target of its kind; nothing is remembered of any answer."""
    source, rng = StoreSource(reader), random.Random(20_261_123)
    graph = reader.graph

    def measured(name: str, target: float | None, draw: Callable[[], Callable[[], object]]) -> Figure:
        asked, taken = [draw() for _ in range(WARM_UP + runs)], []
        for ask in asked:
            reader.clear()
            taken.append(timed(ask))
        return spread("graph", name, taken[WARM_UP:], target=target, floor=floor_ms)

    def walked(root: Callable[[], dict[str, str]]) -> Callable[[], Callable[[], object]]:
        def draw() -> Callable[[], object]:
            query = PathQuery(**root(), depth=6)
            return lambda: source.paths(query)

        return draw

    def joined(
        first: Callable[[], dict[str, str]], second: Callable[[], dict[str, str]]
    ) -> Callable[[], Callable[[], object]]:
        def draw() -> Callable[[], object]:
            ends = [{f"{at}_{kind}": name for kind, name in one.items()}
                    for at, one in (("from", first()), ("to", second()))]  # fmt: skip
            if list(ends[0].values()) == list(ends[1].values()):
                return draw()
            query = ConnectionQuery(**ends[0], **ends[1])
            return lambda: source.connections(query)

        return draw

    def loan() -> dict[str, str]:
        return {"loan": pool.loan_number()}

    def party() -> dict[str, str]:
        return {"entity": pool.entity_name()}

    def large() -> dict[str, str]:
        return {"entity": pool.large_party()}

    def related() -> Callable[[], object]:
        """Two nodes of one walk: they are connected."""
        while True:
            found = walk(graph, rng.randrange(graph.node_count), 6)
            if found.total > 1:
                break
        ends = [path[-1] for path in found.path_nodes(0, 2_000)]
        one, other = rng.sample(ends, 2)
        names = [{"loan" if node < graph.loan_count else "entity": graph.name(node)}
                 for node in (one, other)]  # fmt: skip
        return joined(lambda: names[0], lambda: names[1])()

    def board() -> Callable[[], object]:
        """The nodes of a walk, and the largest parties beside them."""
        found = walk(graph, rng.randrange(graph.loan_count), 6)
        nodes = {node for path in found.path_nodes(0, BOARD - 40) for node in path}
        names = (*graph.names(nodes), *pool.large_parties)
        return lambda: source.edges_among(names)

    def branches() -> Callable[[], object]:
        query = BranchQuery(entity_name=pool.large_party())
        return lambda: source.branches(query)

    yield Figure("graph", "edges", float(graph.edge_count), "")
    yield Figure("graph", "edges of the largest hub", float(np.diff(graph.indptr).max()), "")
    yield measured("paths, depth 6, from a loan", WALK_MS,
                   walked(lambda: {"loan_number": pool.loan_number()}))  # fmt: skip
    yield measured("paths, depth 6, from any party", WALK_MS,
                   walked(lambda: {"entity_name": pool.entity_name()}))  # fmt: skip
    yield measured("connection of two loans", CONNECTION_MS, joined(loan, loan))
    yield measured("connection of two related nodes", CONNECTION_MS, related)
    yield measured("connection of a loan and any party", CONNECTION_MS, joined(loan, party))
    yield measured("connection of a loan and a large party", CONNECTION_MS, joined(loan, large))
    yield measured("connection of two large parties", CONNECTION_MS, joined(large, large))
    yield measured(f"edges among {BOARD} nodes", BOARD_MS, board)
    yield measured("branches of a large party", None, branches)
