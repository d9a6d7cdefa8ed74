"""Leases: readers hold a snapshot for as long as they need it, while newer ones are published."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from services.contract.citations import FiledRecords
from services.contract.errors import NotFound, StoreDamaged
from services.contract.queries import shortened
from services.contract.rescoring import Rescorer

from .checksums import CHECKED_AT_ONCE
from .reader import Reader
from .snapshot import CURRENT, current_id, folder_of, published
from .source import StoreSource


class Store:
    """A folder of snapshots. Hands out any of them on a lease, by default the current one.

    After an import new leases get the new snapshot. Any other than the current closes when its
    last lease ends.
    """

    def __init__(
        self,
        folder: Path,
        *,
        hub_edges: int = 1_000,
        budget_edges: int = 50_000,
        rescorer: Rescorer | None = None,
        records: FiledRecords | None = None,
        checked_at_once: int = CHECKED_AT_ONCE,
    ) -> None:
        self.folder = folder
        self._rescorer, self._records = rescorer, records
        self._checked_at_once = checked_at_once
        self._manifest = str(folder / CURRENT)
        self._limits = {"hub_edges": hub_edges, "budget_edges": budget_edges}
        self._guard = Lock()
        #: Id of the snapshot that stays open without a lease.
        self._current: str | None = None
        #: The file that named it. A newer one replaces the file.
        self._as_seen: tuple[int, int] | None = None
        #: Open snapshots by id, and how many leases each has.
        self._open: dict[str, Reader] = {}
        self._leases: dict[str, int] = {}

    @contextmanager
    def lease(self, snapshot_id: str | None = None) -> Iterator[StoreSource]:
        """A snapshot, by default the current one, open until the block ends.

        Raises NotFound for an id that the store does not hold; StoreMissing; StoreDamaged, also
        where a check in the background has found damage since the last lease.
        """
        lent, reader = self._lend(snapshot_id)
        try:
            yield StoreSource(
                reader, **self._limits, rescorer=self._rescorer, records=self._records
            )
        finally:
            self._give_back(lent)

    def snapshot_ids(self) -> list[str]:
        """Ids of the snapshots that can be leased, newest first."""
        return published(self.folder)

    def close(self) -> None:
        """Closes every snapshot once no lease holds it."""
        with self._guard:
            self._current = self._as_seen = None
            self._close_unused()

    def _lend(self, snapshot_id: str | None) -> tuple[str, Reader]:
        with self._guard:
            try:
                lent = self._opened(snapshot_id)
            except StoreDamaged:
                # A writer may have removed the snapshot between its name being read and its files.
                lent = self._opened(snapshot_id)
            self._open[lent].checksums.raise_damage()
            self._leases[lent] += 1
            return lent, self._open[lent]

    def _opened(self, snapshot_id: str | None) -> str:
        """Id of an open snapshot: the one asked for, or the current one."""
        if snapshot_id is None:
            return self._newest()
        kept = published(self.folder)
        if snapshot_id not in kept:
            raise NotFound(
                f"The store has no snapshot '{shortened(snapshot_id)}'; it has"
                f" {', '.join(kept) or 'none yet'}"
            )
        self._hold_open(snapshot_id)
        return snapshot_id

    def _newest(self) -> str:
        seen = _seen(self._manifest)
        if self._current is None or seen is None or seen != self._as_seen:
            newest = current_id(self.folder)
            self._hold_open(newest)
            self._current, self._as_seen = newest, seen
            self._close_unused()
        return self._current

    def _hold_open(self, snapshot_id: str) -> None:
        if snapshot_id not in self._open:
            folder = folder_of(self.folder, snapshot_id)
            self._open[snapshot_id] = Reader(folder, checked_at_once=self._checked_at_once)
            self._leases[snapshot_id] = 0

    def _give_back(self, snapshot_id: str) -> None:
        with self._guard:
            self._leases[snapshot_id] -= 1
            self._close_unused()

    def _close_unused(self) -> None:
        """Closes what no lease holds, but for the current snapshot."""
        unused = [one for one, leases in self._leases.items() if not leases]
        for snapshot_id in unused:
            if snapshot_id != self._current:
                del self._leases[snapshot_id]
                self._open.pop(snapshot_id).close()


def _seen(manifest: str) -> tuple[int, int] | None:
    try:
        status = os.stat(manifest)  # noqa: PTH116 - each request looks; Path is slow
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino
