"""One open snapshot: its database, its capital graph, its name index, and what was just asked.

Everything here is read-only and safe to use from many threads at once.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import duckdb
import numpy as np
import numpy.typing as npt

from services.cache import ByteCache
from services.contract.aggregates import Standing
from services.contract.errors import StoreDamaged, StoreMissing
from services.contract.loaded import Snapshot
from services.names.index import NameIndex

from .adjacency import Adjacency
from .details import Details
from .snapshot import DATABASE, DETAILS, FILE_FORMAT, GRAPH, NAMES, SHARES, STANDING, SUMMARY

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")
Ids = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]

#: What a snapshot keeps of answers, in bytes: id vectors and walks of recent questions.
CACHE_BYTES: Final = 128 * 2**20
_ENTRY_BYTES: Final = 512
#: Loans from one of `loan_marks` to the next.
MARK_EVERY: Final = 64
#: What DuckDB says of a file that is cut short or was written over.
_UNREADABLE: Final = (duckdb.IOException, duckdb.SerializationException, duckdb.FatalException)


class Reader:
    """An open snapshot. Close it when its last lease has ended."""

    def __init__(self, folder: Path, *, complete: bool = True) -> None:
        try:
            self.snapshot = Snapshot.model_validate_json((folder / SUMMARY).read_bytes())
            if self.snapshot.file_format != FILE_FORMAT:
                raise StoreDamaged(
                    f"Snapshot {self.snapshot.snapshot_id} was written by another version of"
                    " Credit Atlas; run 'creditatlas demo' or import its files again"
                )
            #: Null only while the snapshot is being written.
            self.standing = (
                Standing.model_validate_json((folder / STANDING).read_bytes()) if complete else None
            )
            self._connection = duckdb.connect(
                str(folder / DATABASE),
                read_only=True,
                config={
                    "enable_external_access": "false",
                    "autoinstall_known_extensions": "false",
                    "autoload_known_extensions": "false",
                },
            )
            self.graph = Adjacency.open(folder / GRAPH)
            self.shares = np.load(folder / GRAPH / SHARES, mmap_mode="r")
            self.names = NameIndex.open(folder / NAMES)
            self.details = Details.open(folder / DETAILS)
        except (OSError, ValueError, LookupError, EOFError, duckdb.Error, StoreMissing) as error:
            kind = type(error).__name__
            raise StoreDamaged(
                f"Snapshot '{folder.name}' does not open ({kind}); remove the store's folder and"
                " import its files again"
            ) from error
        self._answers: ByteCache[Any] = ByteCache(CACHE_BYTES, _size)

    def close(self) -> None:
        """Releases files and memory; the reader answers nothing after it."""
        self._connection.close()
        self.graph.close()
        self.names.close()
        self.details.close()
        self.clear()

    @cached_property
    def loan_marks(self) -> list[str]:
        """The numbers of every 64th loan, in order: where to look for any other."""
        return self.graph.names(range(0, self.graph.loan_count, MARK_EVERY))

    @cached_property
    def _entity_kinds(self) -> tuple[Bytes, list[Any]]:
        """Code of each entity's kind by entity_id, and the kinds by code."""
        kinds = self.arrow("SELECT kind FROM entities ORDER BY entity_id")["kind"]
        coded = kinds.combine_chunks()
        return coded.indices.to_numpy().astype(np.uint8), coded.dictionary.to_pylist()

    def kind(self, node: int) -> str:
        """What a node of the capital graph is: "loan", or its entity's kind."""
        loans = self.graph.loan_count
        if node < loans:
            return "loan"
        codes, kinds = self._entity_kinds
        kind: str = kinds[codes[node - loans]]
        return kind

    def clear(self) -> None:
        """Forgets all kept answers."""
        self._answers.clear()

    @contextmanager
    def _asking(self) -> Iterator[duckdb.DuckDBPyConnection]:
        try:
            with self._connection.cursor() as cursor:
                yield cursor
        except _UNREADABLE as error:
            raise StoreDamaged(
                f"Snapshot {self.snapshot.snapshot_id} does not read ({type(error).__name__}); "
                "remove the store's folder and import its files again"
            ) from error

    def rows(self, sql: str, params: Sequence[object] | Mapping[str, object] = ()) -> list[Any]:
        """All rows of a statement, as tuples."""
        with self._asking() as cursor:
            return cursor.execute(sql, params).fetchall()

    def records(
        self, sql: str, params: Sequence[object] | Mapping[str, object] = ()
    ) -> list[dict[str, Any]]:
        """All rows of a statement, by column name."""
        with self._asking() as cursor:
            cursor.execute(sql, params)
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def arrow(self, sql: str, params: Sequence[object] | Mapping[str, object] = ()) -> "pa.Table":
        """All rows of a statement, as an Arrow table."""
        with self._asking() as cursor:
            return cursor.sql(sql, params=params or None).to_arrow_table()

    def ids(self, sql: str, params: Sequence[object] | Mapping[str, object] = ()) -> Ids:
        """The only column of a statement, as a vector of ids."""
        with self._asking() as cursor:
            columns = cursor.execute(sql, params).fetchnumpy()
        return np.ascontiguousarray(next(iter(columns.values())), dtype=np.int32)

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` answers, remembered by `key` until newer answers need the room.

        Two threads may both make the same answer; one of the two is kept.
        """
        answer: T = self._answers.get_or_make(key, make)
        return answer


def _size(answer: object) -> int:
    return int(getattr(answer, "nbytes", 0)) + _ENTRY_BYTES
