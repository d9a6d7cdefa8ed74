"""Leases: readers hold a snapshot for as long as they need it, while newer ones are published."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from services.contract.errors import StoreDamaged

from .reader import Reader
from .snapshot import CURRENT, current_id, folder_of
from .source import StoreSource


class Store:
    """A folder of snapshots. Hands out the current one on a lease.

    After an import new leases get the new snapshot; the old one closes when its last lease ends.
    """

    def __init__(self, folder: Path, *, hub_edges: int = 1_000, budget_edges: int = 50_000) -> None:
        self.folder = folder
        self._manifest = str(folder / CURRENT)
        self._limits = {"hub_edges": hub_edges, "budget_edges": budget_edges}
        self._guard = Lock()
        self._current: tuple[str, Reader] | None = None
        #: The file that named it. A newer one replaces the file.
        self._as_seen: tuple[int, int] | None = None
        self._leases: dict[Reader, int] = {}

    @contextmanager
    def lease(self) -> Iterator[StoreSource]:
        """The current snapshot, open until the block ends. Raises StoreMissing, StoreDamaged."""
        reader = self._lend()
        try:
            yield StoreSource(reader, **self._limits)
        finally:
            self._give_back(reader)

    def close(self) -> None:
        """Closes the current snapshot once no lease holds it."""
        with self._guard:
            self._retire()

    def _lend(self) -> Reader:
        with self._guard:
            try:
                reader = self._newest()
            except StoreDamaged:
                # A writer may have removed the snapshot between its name being read and its files.
                reader = self._newest()
            self._leases[reader] += 1
            return reader

    def _newest(self) -> Reader:
        seen = _seen(self._manifest)
        if self._current is not None and seen is not None and seen == self._as_seen:
            return self._current[1]
        newest = current_id(self.folder)
        if self._current is None or self._current[0] != newest:
            reader = Reader(folder_of(self.folder, newest))
            self._retire()
            self._current = (newest, reader)
            self._leases[reader] = 0
        self._as_seen = seen
        return self._current[1]

    def _give_back(self, reader: Reader) -> None:
        with self._guard:
            self._leases[reader] -= 1
            current = self._current is not None and self._current[1] is reader
            if not current and self._leases[reader] == 0:
                del self._leases[reader]
                reader.close()

    def _retire(self) -> None:
        if self._current is None:
            return
        reader = self._current[1]
        self._current = None
        if self._leases[reader] == 0:
            del self._leases[reader]
            reader.close()


def _seen(manifest: str) -> tuple[int, int] | None:
    try:
        status = os.stat(manifest)  # noqa: PTH116 - each request looks; Path is slow
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino
