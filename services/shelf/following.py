"""A node: keeps a store's folder at the snapshot at which its environment stands, fetches what the
environment may move to, and reports what it has. Readers switch by their leases.
"""

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from services.contract.book import Progress
from services.contract.errors import (
    CreditAtlasError,
    ShelfUnavailable,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreMissing,
)
from services.contract.queries import shortened
from services.store.checksums import verify
from services.store.snapshot import (
    INCOMING,
    adopt,
    current_id,
    fetched,
    go_back,
    published,
    refuse_others,
)

from .fetching import Fetched, fetch
from .sealed import NodeReport
from .shelf import Environment, named

#: Longest time that a node lets pass without a report, seconds.
_REPORTS: Final = 60.0
_LONGEST_PROBLEM: Final = 500


@dataclass(frozen=True, slots=True)
class Turn:
    """What one look at the shelf came to."""

    #: What readers read now.
    reads: str
    #: Whether that is new to them since this look.
    switched: bool
    #: Bytes that came from the shelf.
    received: int


class Node:
    """One machine's store as a follower of an environment."""

    def __init__(
        self, environment: Environment, store: Path, name: str | None, *, keep: int, every: float
    ) -> None:
        """`name` is what it reports under; one without a name reports nothing. `keep` snapshots
        stay here. It is asked for a turn every `every` seconds.
        """
        self._environment = environment
        self._store = store
        self._name = None if name is None else named(name, "a node")
        self._keep = keep
        self._every = every
        #: Fetched and verified by this process, and not yet published.
        self._ready: dict[str, Fetched] = {}
        self._reported: tuple[object, ...] = ()
        self._reported_at = 0.0

    def turn(self, progress: Progress) -> Turn:
        """Looks at the shelf once: moves the store to where the environment stands, fetches what is
        offered, reports.

        Raises StoreMissing where nothing was published yet; StoreBusy, StoreFull, StoreDamaged for
        another format, ShelfUnavailable, ShelfDamaged. The store then reads what it read before.
        """
        with _alone(self._store):
            try:
                turn = self._turn(progress)
            except CreditAtlasError as error:
                self._report(shortened(error.message, _LONGEST_PROBLEM))
                raise
            self._report(None)
            return turn

    def _turn(self, progress: Progress) -> Turn:
        environment = self._environment
        stands = environment.stands()
        before, received = self._reads(), 0
        if stands is not None and stands.snapshot_id != before:
            received += self._switch(stands.snapshot_id, progress)
        offers = environment.offers(after=0 if stands is None else stands.number)
        wanted = [one.snapshot_id for one in offers]
        self._forget_all_but(wanted)
        for snapshot_id in wanted:
            if snapshot_id not in published(self._store):
                received += self._fetch(snapshot_id, progress)
        reads = self._reads()
        if stands is None or reads is None:
            self._report(None)
            raise StoreMissing(
                f"Nothing was published to '{environment.name}' of the shelf"
                f" '{environment.shelf.url}' yet; 'creditatlas publish --to"
                f" {environment.shelf.url}' does it"
            )
        return Turn(reads, reads != before, received)

    def _switch(self, snapshot_id: str, progress: Progress) -> int:
        """Makes a snapshot the store's current one, fetching what is not here; how much came."""
        if snapshot_id in published(self._store):
            with suppress(StoreDamaged):
                go_back(self._store, snapshot_id, keep=self._keep, check=verify)
                return 0
        received = self._fetch(snapshot_id, progress)
        adopt(self._store, snapshot_id, self._ready.pop(snapshot_id).folder, keep=self._keep)
        return received

    def _fetch(self, snapshot_id: str, progress: Progress) -> int:
        if snapshot_id in self._ready:
            return 0
        shelf = self._environment.shelf
        here = fetch(
            shelf,
            shelf.manifest(snapshot_id, or_retired=True),
            self._store,
            lambda part: progress(f"fetching {snapshot_id}", part),
        )
        self._ready[snapshot_id] = here
        return here.received

    def _forget_all_but(self, wanted: list[str]) -> None:
        """Removes what was fetched for a move that did not come."""
        self._ready = {one: here for one, here in self._ready.items() if one in wanted}
        for folder in fetched(self._store):
            if folder.name not in wanted:
                shutil.rmtree(folder, ignore_errors=True)

    def _reads(self) -> str | None:
        """The current snapshot; None where there is none that reads."""
        with suppress(StoreMissing, StoreDamaged):
            return current_id(self._store)
        return None

    def _has(self) -> list[str]:
        """What is published here; nothing where that cannot be told."""
        with suppress(StoreDamaged):
            return published(self._store)
        return []

    def _report(self, problem: str | None) -> None:
        """Says on the shelf what this node has, when that changed or was long ago."""
        if self._name is None:
            return
        here = [one for one in (*self._has(), *self._ready) if one != self._reads()]
        said = (self._reads(), tuple(here), problem)
        now = time.monotonic()
        if said == self._reported and now - self._reported_at < min(_REPORTS, self._every * 3):
            return
        with suppress(ShelfUnavailable):  # a node that may not write there follows all the same
            self._environment.report(
                NodeReport(
                    node=self._name,
                    reads=said[0],
                    ready=said[1],
                    problem=problem,
                    at=datetime.now(UTC),
                    every=self._every,
                )
            )
            self._reported, self._reported_at = said, now


@contextmanager
def _alone(store: Path) -> Iterator[None]:
    """One follower at a time fetches into a store. Raises StoreBusy, StoreFull, SettingsInvalid."""
    refuse_others(store)
    try:
        folder = store / INCOMING
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StoreFull(
            f"The store '{store}' cannot be written ({error.strerror or error})"
        ) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise StoreBusy(
            f"Another 'creditatlas follow' keeps '{store}'; one at a time is enough"
        ) from None
    try:
        yield
    finally:
        os.close(handle)
