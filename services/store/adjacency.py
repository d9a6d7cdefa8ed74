"""The capital graph as compressed sparse rows in memory maps, written with a snapshot (D12, D28).

Node ids: loans 0 to L-1 in order of loan_number (loan_id), entities L to L+E-1 in order of name.
Edge ids: rows of the edge arrays as they were given. A node's row holds every edge at it, in
either direction and a self loop once, ordered by the neighbour's name and, where several edges
join the same two nodes, the most confident first (then the smaller relation name, then edge id).
That order lets a walk break ties by names without comparing names (D12 rule 2).
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.errors import ImportRefused, StoreDamaged

from .snapshot import REBUILD

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

#: File name -> type of its array. `edge_*` are by edge id, `name_*` by node id.
ARRAYS: Final[dict[str, type[np.generic]]] = {
    "indptr": np.int64,  # row of node n: indptr[n] to indptr[n + 1]
    "neighbour": np.int32,
    "edge": np.int32,
    "edge_from": np.int32,
    "edge_to": np.int32,
    "edge_relation": np.uint8,  # index into the relations
    "edge_confidence": np.float64,
    "name_rank": np.int32,  # over loans and entities together, by code point, equal for equal
    "name_offsets": np.int64,
    "name_bytes": np.uint8,  # UTF-8
}
FACTS: Final = "graph.json"
VERSION: Final = 1
MAX_RELATIONS: Final = 256  # codes are uint8
#: Edges up to which a row is read whole where nodes are looked for in it; in a longer one they
#: are searched for, one by one.
_READ_WHOLE: Final = 1_000


def build(
    folder: Path,
    *,
    loan_numbers: pa.Array | pa.ChunkedArray,
    entity_names: pa.Array | pa.ChunkedArray,
    edge_from: Ints,
    edge_to: Ints,
    relation: Bytes,
    relations: Sequence[str],
    confidence: Floats,
) -> None:
    """Write the graph into `folder`, which must exist (D12, D28).

    `loan_numbers` and `entity_names` are strings, each ascending by code point and unique: their
    places are the node ids, entities after loans. `edge_from` and `edge_to` are node ids, in the
    stored direction; `relation` holds indexes into `relations`, `confidence` scores from 0 to 1.

    Raises ImportRefused when any of this does not hold.
    """
    names = pa.concat_arrays([_names(loan_numbers, "loan"), _names(entity_names, "entity")])
    arrays: dict[str, npt.NDArray[Any]] = {
        "edge_from": np.asarray(edge_from, np.int32),
        "edge_to": np.asarray(edge_to, np.int32),
        "edge_relation": np.asarray(relation, np.uint8),
        "edge_confidence": np.asarray(confidence, np.float64),
        "name_rank": (pc.rank(names, tiebreaker="dense").to_numpy() - 1).astype(np.int32),
        **_packed(names),
    }
    _check_edges(arrays, len(names), relations)
    arrays |= _rows(arrays, len(names), relations)
    for name in ARRAYS:
        np.save(folder / f"{name}.npy", arrays[name])
    facts = {
        "version": VERSION,
        "loans": len(loan_numbers),
        "entities": len(entity_names),
        "edges": len(arrays["edge_from"]),
        "relations": list(relations),
        "shared_names": int(arrays["name_rank"].max(initial=-1)) + 1 < len(names),
    }
    (folder / FACTS).write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")


def _names(given: pa.Array | pa.ChunkedArray, kind: str) -> pa.Array:
    """The names as one array that starts at its own offset 0; refused unless ascending."""
    chunks = given.chunks if isinstance(given, pa.ChunkedArray) else [given]
    # 64-bit offsets: ten million names pass 2 GiB.
    names = pa.concat_arrays(
        [pa.array([], pa.large_string()), *(c.cast(pa.large_string()) for c in chunks)]
    )
    if names.null_count:
        raise ImportRefused(f"{names.null_count} {kind} names of the graph are missing: name each.")
    rising = pc.less(names[:-1], names[1:])
    if not pc.all(rising, min_count=0).as_py():
        at = pc.index(rising, value=False).as_py()
        raise ImportRefused(
            f"The {kind} names of the graph are not ascending and unique at "
            f"{names[at + 1].as_py()!r}: sort them by code point and number equal ones (D30)."
        )
    return names


def _packed(names: pa.Array) -> dict[str, npt.NDArray[Any]]:
    offsets = np.frombuffer(names.buffers()[1], np.int64, len(names) + 1, 8 * names.offset)
    text = np.frombuffer(names.buffers()[2] or b"", np.uint8)
    return {"name_offsets": offsets - offsets[0], "name_bytes": text[offsets[0] : offsets[-1]]}


def _check_edges(
    arrays: dict[str, npt.NDArray[Any]], node_count: int, relations: Sequence[str]
) -> None:
    count = len(arrays["edge_from"])
    if any(len(arrays[f"edge_{part}"]) != count for part in ("to", "relation", "confidence")):
        raise ImportRefused("The edge columns of the graph differ in length: fill each.")
    if len(relations) > MAX_RELATIONS or len(set(relations)) < len(relations):
        raise ImportRefused(
            f"Relations of the graph must be distinct, {MAX_RELATIONS} at most: merge some."
        )
    ends = np.stack((arrays["edge_from"], arrays["edge_to"]))
    confidence = arrays["edge_confidence"]
    faults = {
        f"an end that is none of the {node_count} nodes": (ends < 0) | (ends >= node_count),
        "an unnamed relation": arrays["edge_relation"] >= len(relations),
        # Written so that NaN fails it too.
        "a confidence that is not from 0 to 1": ~((confidence >= 0) & (confidence <= 1)),
    }
    for what, faulty in faults.items():
        if faulty.any():
            edge = int(faulty.argmax()) % count
            raise ImportRefused(f"Edge {edge} of the graph has {what}: mend it.")


def _rows(
    arrays: dict[str, npt.NDArray[Any]], node_count: int, relations: Sequence[str]
) -> dict[str, npt.NDArray[Any]]:
    """`indptr`, `neighbour` and `edge`, ordered as the module says."""
    by_word = np.argsort(np.argsort(np.array(relations, dtype=object))).astype(np.int32)
    best_first = np.lexsort((by_word[arrays["edge_relation"]], -arrays["edge_confidence"]))
    # The two directions of an edge lie side by side, so that a stable sort keeps best first.
    ends = np.stack((arrays["edge_from"][best_first], arrays["edge_to"][best_first]), axis=1)
    once = np.ones(2 * len(ends), bool)
    once[1::2] = ends[:, 0] != ends[:, 1]  # a self loop is one edge of its node
    at = ends.ravel()[once]
    neighbour = ends[:, ::-1].ravel()[once]
    edge = np.repeat(best_first.astype(np.int32), 2)[once]
    # A loan and an entity of one name: equal ranks, told apart by node id.
    place = np.empty(node_count, np.int64)
    place[np.argsort(arrays["name_rank"], kind="stable")] = np.arange(node_count)
    order = np.argsort(at * np.int64(node_count) + place[neighbour], kind="stable")
    indptr = np.zeros(node_count + 1, np.int64)
    np.cumsum(np.bincount(at, minlength=node_count), out=indptr[1:])
    return {"indptr": indptr, "neighbour": neighbour[order], "edge": edge[order]}


def _mapped(folder: Path, nodes: int, edges: int) -> dict[str, npt.NDArray[Any]]:
    """Every array as a memory map; ValueError for one of another type or length than is due."""
    # A plain view: fancy indexing of np.memmap costs several times as much.
    arrays = {
        name: np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray) for name in ARRAYS
    }
    due = dict.fromkeys(ARRAYS, edges)
    due |= {"name_rank": nodes, "indptr": nodes + 1, "name_offsets": nodes + 1}
    due |= dict.fromkeys(("neighbour", "edge"), int(arrays["indptr"][-1]))
    due["name_bytes"] = int(arrays["name_offsets"][-1])
    for name, array in arrays.items():
        if array.dtype != ARRAYS[name] or array.shape != (due[name],):
            raise ValueError(f"{name} is {array.shape} {array.dtype}, due are {due[name]} values")
    return arrays


class Adjacency:
    """An opened graph. Read-only and safe to share between threads until it is closed."""

    def __init__(self, facts: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        self.loan_count: int = facts["loans"]
        self.node_count: int = facts["loans"] + facts["entities"]
        self.edge_count: int = facts["edges"]
        self.relations: tuple[str, ...] = tuple(facts["relations"])
        #: Whether a loan and an entity bear the same name.
        self.shared_names: bool = facts["shared_names"]
        self.indptr: Longs = arrays["indptr"]
        self.neighbour: Ints = arrays["neighbour"]
        self.edge: Ints = arrays["edge"]
        self.edge_from: Ints = arrays["edge_from"]
        self.edge_to: Ints = arrays["edge_to"]
        self.edge_relation: Bytes = arrays["edge_relation"]
        self.edge_confidence: Floats = arrays["edge_confidence"]
        self.name_rank: Ints = arrays["name_rank"]
        self._name_offsets: Longs = arrays["name_offsets"]
        self._name_bytes: Bytes = arrays["name_bytes"]

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The graph that `build` wrote into `folder`, as memory maps.

        Raises StoreDamaged when a file is missing, does not read, or does not fit the others.
        """
        try:
            facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
            if facts["version"] == VERSION:
                return cls(
                    facts, _mapped(folder, facts["loans"] + facts["entities"], facts["edges"])
                )
            reason = f"{FACTS} is of version {facts['version']}, not {VERSION}"
        except (OSError, ValueError, LookupError, TypeError, EOFError) as error:
            reason = f"{type(error).__name__}: {error}"
        raise StoreDamaged(
            f"The capital graph of snapshot {folder.name} does not read ({reason}): {REBUILD}."
        )

    def close(self) -> None:
        """Let go of the files; the maps end when the last array taken from them does."""
        for name in [name for name, value in vars(self).items() if isinstance(value, np.ndarray)]:
            delattr(self, name)

    def name(self, node: int) -> str:
        """Loan number or entity name of a node."""
        start, end = self._name_offsets[node : node + 2].tolist()
        text: bytes = self._name_bytes[start:end].tobytes()
        return text.decode()

    def names(self, nodes: Iterable[int]) -> list[str]:
        """Names of the nodes, in the order given."""
        return [self.name(int(node)) for node in nodes]

    def texts(self, nodes: pa.Array) -> pa.Array:
        """The same as text of Arrow, None for a null node; read from the map, so that no more than
        these names is in memory.
        """
        buffers = map(pa.py_buffer, (self._name_offsets, self._name_bytes))
        every = pa.LargeStringArray.from_buffers(self.node_count, *buffers)
        return every.take(nodes).cast(pa.string())

    def degree(self, node: int) -> int:
        """Edges at a node, in both directions, parallel ones each, a self loop once."""
        start, end = self.indptr[node : node + 2].tolist()
        return int(end - start)

    def degrees(self, nodes: Ints) -> Longs:
        """Edges at each of the nodes, in the order given."""
        return self.indptr[nodes + 1] - self.indptr[nodes]

    def rows(self, nodes: Ints) -> tuple[Longs, Longs]:
        """The rows of the nodes, one after the other: place of the node in `nodes`, and place in
        `neighbour` and `edge`.
        """
        counts = self.degrees(nodes)
        before = np.cumsum(counts) - counts
        owner = np.repeat(np.arange(len(nodes)), counts)
        return owner, np.arange(len(owner)) + (self.indptr[nodes] - before)[owner]

    def among(self, nodes: Ints) -> Ints:
        """Ids of the edges that join any two of the nodes, ascending, each once.

        A long row is never read whole, so that a lender's million edges cost nothing.
        """
        nodes = np.unique(nodes)
        is_long = self.degrees(nodes) > _READ_WHOLE
        long = nodes[is_long]
        _, at = self.rows(nodes[~is_long])
        place = np.minimum(np.searchsorted(nodes, self.neighbour[at]), max(len(nodes) - 1, 0))
        short = at[nodes[place] == self.neighbour[at]] if len(at) else at
        first, second = np.triu_indices(len(long))
        return np.unique(
            self.edge[np.concatenate((short, self.joining(long[first], long[second])))]
        )

    def joining(self, nodes: Ints, others: Ints) -> Longs:
        """Places in `edge` of the edges between each of the nodes and the other beside it, those
        of one pair most confident first. Searched for in the shorter of the two rows.
        """
        swap = self.degrees(nodes) > self.degrees(others)
        nodes, others = np.where(swap, others, nodes), np.where(swap, nodes, others)
        first = self._bisected(nodes, others, after=False)
        counts = self._bisected(nodes, others, after=True) - first
        before = np.cumsum(counts) - counts
        places: Longs = np.arange(counts.sum()) + np.repeat(first - before, counts)
        return places

    def _bisected(self, nodes: Ints, others: Ints, *, after: bool) -> Longs:
        """Where in the rows of `nodes` the edges to `others` begin, or end."""
        low, high = self.indptr[nodes], self.indptr[nodes + 1]
        rank = self.name_rank[others]
        while (open_ := low < high).any():
            middle = np.where(open_, (low + high) // 2, 0)
            there = self.neighbour[middle]
            theirs = self.name_rank[there]
            # Rows are in order of name, then of node id.
            below = (theirs < rank) | ((theirs == rank) & (there < others))
            if after:
                below |= there == others
            low = np.where(open_ & below, middle + 1, low)
            high = np.where(open_ & ~below, middle, high)
        return low

    def relation(self, edge: int) -> str:
        """Relation of an edge (D28)."""
        return self.relations[int(self.edge_relation[edge])]

    def step(self, node: int, relation: str) -> list[tuple[int, int]]:
        """(edge, neighbour) of the edges of `relation` that leave `node` in stored direction,
        by the neighbour's name, then most confident first. Empty for an unknown relation.
        """
        return self._at(node, relation, self.edge_from)

    def entering(self, node: int, relation: str) -> list[tuple[int, int]]:
        """(edge, neighbour) of the edges of `relation` that end at `node`; order as `step`."""
        return self._at(node, relation, self.edge_to)

    def _at(self, node: int, relation: str, end: Ints) -> list[tuple[int, int]]:
        if relation not in self.relations:
            return []
        row = slice(*self.indptr[node : node + 2].tolist())
        edge = self.edge[row]
        hit = (self.edge_relation[edge] == self.relations.index(relation)) & (end[edge] == node)
        return list(zip(edge[hit].tolist(), self.neighbour[row][hit].tolist(), strict=True))
