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

Ask = Callable[[], object]
#: "loan" or "entity", and its name.
End = tuple[str, str]


def figures(reader: Reader, pool: Questions, runs: int, floor_ms: float) -> Iterator[Figure]:
    """Each with the target of its kind; nothing is remembered of any answer."""

    def measured(name: str, target: float | None, draw: Callable[[], Ask]) -> Figure:
        asked, taken = [draw() for _ in range(WARM_UP + runs)], []
        for ask in asked:
            reader.clear()
            taken.append(timed(ask))
        return spread("graph", name, taken[WARM_UP:], target=target, floor=floor_ms)

    draws = Draws(reader, pool)
    yield Figure("graph", "edges", float(reader.graph.edge_count), "")
    yield Figure("graph", "edges of the largest hub", float(np.diff(reader.graph.indptr).max()), "")
    ends = {"loan": draws.loan, "party": draws.party, "large party": draws.large}
    for name in ("loan", "party"):
        yield measured(f"paths, depth 6, from any {name}", WALK_MS, draws.walk(ends[name]))
    yield measured("connection of two related nodes", CONNECTION_MS, draws.related)
    for one, other in (("loan", "loan"), ("loan", "party"), ("party", "party"),
                       ("loan", "large party"), ("large party", "large party")):  # fmt: skip
        name = f"connection of a {one} and a {other}"
        yield measured(name, CONNECTION_MS, draws.connection(ends[one], ends[other]))
    yield measured(f"edges among {BOARD} nodes", BOARD_MS, draws.board)
    yield measured("branches of a large party", None, draws.branches)


class Draws:
    """Questions about the graph. The same store and seed give the same questions."""

    def __init__(self, reader: Reader, pool: Questions) -> None:
        self._source, self._graph, self._pool = StoreSource(reader), reader.graph, pool
        self._rng = random.Random(20_261_123)

    def loan(self) -> End:
        return "loan", self._pool.loan_number()

    def party(self) -> End:
        return "entity", self._pool.entity_name()

    def large(self) -> End:
        return "entity", self._pool.large_party()

    def walk(self, root: Callable[[], End]) -> Callable[[], Ask]:
        def draw() -> Ask:
            kind, name = root()
            of = {"loan_number" if kind == "loan" else "entity_name": name}
            query = PathQuery.model_validate(of | {"depth": 6})
            return lambda: self._source.paths(query)

        return draw

    def connection(self, first: Callable[[], End], second: Callable[[], End]) -> Callable[[], Ask]:
        def draw() -> Ask:
            one, other = first(), second()
            while one == other:
                other = second()
            return self._joined(one, other)

        return draw

    def _joined(self, one: End, other: End) -> Ask:
        ends = {f"from_{one[0]}": one[1], f"to_{other[0]}": other[1]}
        query = ConnectionQuery.model_validate(ends)
        return lambda: self._source.connections(query)

    def related(self) -> Ask:
        """Two nodes of one walk: they are connected."""
        ends: list[int] = []
        while len(ends) < 2:
            found = walk(self._graph, self._rng.randrange(self._graph.node_count), 6)
            ends = [path[-1] for path in found.path_nodes(0, 2_000)]
        one, other = (
            ("loan" if node < self._graph.loan_count else "entity", self._graph.name(node))
            for node in self._rng.sample(ends, 2)
        )
        return self._joined(one, other)

    def board(self) -> Ask:
        """The nodes of a walk, and the largest parties beside them."""
        found = walk(self._graph, self._rng.randrange(self._graph.loan_count), 6)
        large = self._pool.large_parties
        nodes = {node for path in found.path_nodes(0, BOARD - len(large)) for node in path}
        names = (*self._graph.names(nodes), *large)
        return lambda: self._source.edges_among(names)

    def branches(self) -> Ask:
        query = BranchQuery(entity_name=self._pool.large_party())
        return lambda: self._source.branches(query)
