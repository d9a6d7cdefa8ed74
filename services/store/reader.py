"""One open snapshot: its database, its capital graph, its name index, and what was just asked.

Everything here is read-only and safe to use from many threads at once.
"""

import json
from collections.abc import Callable, Hashable
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from services.cache import ByteCache
from services.contract.aggregates import Overview
from services.contract.errors import StoreDamaged, StoreMissing
from services.contract.snapshot_info import Snapshot
from services.names.index import NameIndex

from .adjacency import Adjacency
from .checksums import CHECKED_AT_ONCE, Checksums, refuse_other_format
from .database import Database
from .details import BLOCKS, ROWS, Details
from .faults import is_fault
from .periods import listed
from .snapshot import (
    DATABASE,
    DETAILS,
    FROM_BACKUP,
    GRAPH,
    HISTORY_FILE,
    NAMES,
    OVERVIEW,
    PERIODS_LISTED,
    REBUILD,
    SHARES,
    SUMMARY,
    TABLES,
)

T = TypeVar("T")
Bytes = npt.NDArray[np.uint8]

#: What a snapshot keeps of answers, in bytes: id vectors and walks of recent questions.
CACHE_BYTES: Final = 128 * 2**20
#: And of columns of all loans, which answers are made of: all of them for a million loans.
COLUMN_BYTES: Final = 768 * 2**20
_ENTRY_BYTES: Final = 512
#: Loans from one number of the sparse index to the next.
INDEXED_EVERY: Final = 64


class Reader(Database):
    """An open snapshot: its database, and what lies beside it. Close it with its last lease."""

    def __init__(self, folder: Path, *, checked_at_once: int = CHECKED_AT_ONCE) -> None:
        """Raises StoreDamaged.

        A snapshot of up to `checked_at_once` bytes is checked whole, a larger one before its parts
        are used; each in the background as long as it is open (checksums.py).
        """
        refuse_other_format(folder)
        self.folder = folder
        self.checksums = Checksums.open(folder)
        try:
            self._open(folder, checked_at_once)
        except BaseException as error:
            with closing(self.checksums):
                if not is_fault(error) and not isinstance(error, StoreMissing):
                    raise
                self.checksums.check_again()
            kind = type(error).__name__
            raise StoreDamaged(
                f"Snapshot {folder.name.removeprefix('snap-')} does not open ({kind}); {REBUILD},"
                f" {FROM_BACKUP}"
            ) from error
        self._answers: ByteCache[Any] = ByteCache(CACHE_BYTES, _size)
        self._columns: ByteCache[Any] = ByteCache(COLUMN_BYTES, _size)

    def _open(self, folder: Path, checked_at_once: int) -> None:
        large = self.checksums.size > checked_at_once
        if large:  # read before anything else, or by a library that trusts its files
            self.checksums.check(SUMMARY, OVERVIEW, TABLES, NAMES, PERIODS_LISTED)
            self.checksums.check_beginnings(GRAPH, f"{DETAILS}/{BLOCKS}")
        else:
            self.checksums.check_all()
        self.snapshot = Snapshot.model_validate_json((folder / SUMMARY).read_bytes())
        self.overview = Overview.model_validate_json((folder / OVERVIEW).read_bytes())
        #: Limits and spreads that scored the snapshot, as their files have them, by name.
        self.tables: dict[str, str] = json.loads((folder / TABLES).read_bytes())
        self.names = NameIndex.open(folder / NAMES)
        self._graph = Adjacency.open(folder / GRAPH)
        self._shares: npt.NDArray[np.float64] = np.load(folder / GRAPH / SHARES, mmap_mode="r")
        self._details = Details.open(folder / DETAILS, self.checksums.of(f"{DETAILS}/{ROWS}"))
        self.periods = listed(folder)
        super().__init__(folder / DATABASE, {"history": folder / HISTORY_FILE})
        self.checksums.check_in_background()

    @cached_property
    def graph(self) -> Adjacency:
        """The capital graph. Raises StoreDamaged."""
        self.checksums.check(GRAPH)
        return self._graph

    @cached_property
    def shares(self) -> npt.NDArray[np.float64]:
        """Fraction owned by edge id, NaN where not known. Raises StoreDamaged."""
        self.checksums.check(f"{GRAPH}/{SHARES}")
        return self._shares

    @cached_property
    def details(self) -> Details:
        """Whole loans. Raises StoreDamaged."""
        self.checksums.check(f"{DETAILS}/{BLOCKS}")
        return self._details

    def close(self) -> None:
        """Releases files and memory; the reader answers nothing after it."""
        self.checksums.close()
        super().close()
        self._graph.close()
        self.names.close()
        self._details.close()
        self.clear()
        self._columns.clear()

    @cached_property
    def sparse_index(self) -> list[str]:
        """The number of every 64th loan, in order: between which two to look for any other."""
        return self.graph.names(range(0, self.graph.loan_count, INDEXED_EVERY))

    @cached_property
    def entity_kinds(self) -> tuple[Bytes, list[Any]]:
        """Code of each entity's kind by entity_id, and the kinds by code."""
        kinds = self.arrow("SELECT kind FROM entities ORDER BY entity_id")["kind"]
        coded = kinds.combine_chunks()
        return coded.indices.to_numpy().astype(np.uint8), coded.dictionary.to_pylist()

    def kind(self, node: int) -> str:
        """What a node of the capital graph is: "loan", or its entity's kind."""
        loans = self.graph.loan_count
        if node < loans:
            return "loan"
        codes, kinds = self.entity_kinds
        kind: str = kinds[codes[node - loans]]
        return kind

    def clear(self) -> None:
        """Forgets all answers."""
        self._answers.clear()

    def column(self, key: Hashable, make: Callable[[], T]) -> T:
        """A column of all loans, in memory from when it is first asked for."""
        found: T = self._columns.get_or_make(key, make)
        return found

    def remembered(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` answers, remembered by `key` until newer answers need the room."""
        answer: T = self._answers.get_or_make(key, make)
        return answer


def _size(answer: object) -> int:
    parts = answer if isinstance(answer, tuple) else (answer,)
    return sum(int(getattr(part, "nbytes", 0)) for part in parts) + _ENTRY_BYTES
