"""The folder of a store: immutable snapshots, one manifest that names the current one.

    .store/
      current              ids of the published snapshots: the one that readers open, then the
                           others, newest first. Replaced atomically
      lock                 held by the one process that writes
      snap-<id>/           complete, never changed again
      build-<id>/          being written; left behind only by a process that was killed
      incoming/            being fetched from a shelf (services/shelf)

A writer builds in build-<id>, renames it, then replaces `current`: killed at any moment, it
leaves the old snapshot whole and current (D27). What it left behind the next writer removes:
a snap-<id> that `current` does not list was never published, or is no longer.
"""

import errno
import fcntl
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import duckdb

from services.contract.errors import NotFound, StoreBusy, StoreDamaged, StoreFull, StoreMissing
from services.contract.queries import shortened

CURRENT: Final = "current"
DATABASE: Final = "atlas.duckdb"
GRAPH: Final = "graph"
NAMES: Final = "names"
#: Whole loans, one at a time; see details.py.
DETAILS: Final = "details"
#: Fraction owned, by edge id, NaN where not known; beside the graph's own arrays.
SHARES: Final = "edge_share.npy"
#: What reported sources said, for later imports; see archive.py.
ARCHIVE: Final = "archive"
SUMMARY: Final = "snapshot.json"
#: Answers about the whole book; see overview.py.
OVERVIEW: Final = "overview.json"
#: Limits and spreads that scored the snapshot; see scenario_tables.py.
TABLES: Final = "tables.json"
#: Snapshots that are being fetched from a shelf, or were and wait for their turn.
INCOMING: Final = "incoming"
#: Raised whenever files written before can no longer be read.
FILE_FORMAT: Final = 11
#: What mends a store, whatever happened to it.
REBUILD: Final = "run 'creditatlas rebuild'"
FROM_BACKUP: Final = "or copy the store back from a backup"
_MEND: Final = f"{REBUILD}, {FROM_BACKUP}"
#: How DuckDB says that it could not write.
_NOT_WRITTEN: Final = (duckdb.IOException, duckdb.FatalException, duckdb.TransactionException)
#: Disk full, or quota used up.
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
#: Bytes free below which a disk is full: the least that a file system hands out.
_NO_ROOM: Final = 64 * 2**10
#: How a snapshot's id is spelled.
ID: Final = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")


def current_id(store: Path) -> str:
    """Id of the current snapshot. Raises StoreMissing, StoreDamaged."""
    try:
        name = (store / CURRENT).read_text(encoding="ascii").partition("\n")[0].strip()
    except (FileNotFoundError, NotADirectoryError):
        raise StoreMissing(
            f"There is no data in the store '{store}' yet; run 'creditatlas demo' or "
            "'creditatlas import sec-absee FILE' to fill it"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise StoreDamaged(f"The store '{store}' cannot be read: {error}") from None
    if not ID.fullmatch(name):
        raise StoreDamaged(f"'{store / CURRENT}' does not name a snapshot; {_MEND}")
    if not (store / f"snap-{name}" / SUMMARY).is_file():
        raise StoreDamaged(f"Snapshot {name} of '{store}' is gone; {_MEND}")
    return name


def format_of(folder: Path) -> int | None:
    """The file format of a snapshot, as it says itself; null where it does not say."""
    try:
        found = json.loads((folder / SUMMARY).read_bytes())["file_format"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return found if isinstance(found, int) else None


def folder_of(store: Path, snapshot_id: str) -> Path:
    """Where a snapshot lies."""
    return store / f"snap-{snapshot_id}"


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """The writer's lock, for the one process that may write.

    Raises StoreBusy when another process writes, StoreDamaged when the folder takes no lock.
    """
    try:
        store.mkdir(parents=True, exist_ok=True)
        handle = os.open(store / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StoreDamaged(
            f"The store '{store}' cannot be written: {error.strerror or error}"
        ) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreBusy(
                f"Another import is writing to '{store}'; wait until it ends, then try again"
            ) from None
        yield
    finally:
        os.close(handle)


@contextmanager
def writing(store: Path) -> Iterator[tuple[str, Path]]:
    """A new snapshot's id and its empty build folder, for the one process that may write.

    On leaving without an error the folder must have been published; otherwise it is removed.
    Raises StoreBusy when another process writes, StoreFull when the folder cannot be written.
    """
    with locked(store):
        for left in store.glob("build-*"):  # a killed writer's, for the lock is ours
            shutil.rmtree(left, ignore_errors=True)
        snapshot_id = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        build = store / f"build-{snapshot_id}"
        try:
            build.mkdir()
            yield snapshot_id, build
        except (OSError, *_NOT_WRITTEN) as error:
            raise not_written(store, error) from error
        finally:
            shutil.rmtree(build, ignore_errors=True)


def publish(store: Path, snapshot_id: str, build: Path, *, keep: int) -> None:
    """Makes a complete build the current snapshot, and removes all but the `keep` newest."""
    for path in sorted(build.rglob("*")):
        if path.is_file():
            _sync(path)
    build.rename(folder_of(store, snapshot_id))
    try:
        _make_current(store, snapshot_id, keep)
    except OSError:
        shutil.rmtree(folder_of(store, snapshot_id), ignore_errors=True)
        raise


def adopt(store: Path, snapshot_id: str, build: Path, *, keep: int) -> None:
    """Publishes a complete folder that was written elsewhere, on the disk of the store.

    Raises StoreBusy, StoreDamaged, StoreFull.
    """
    with locked(store):
        try:
            # One that is not listed was never published, or did not read any more.
            shutil.rmtree(folder_of(store, snapshot_id), ignore_errors=True)
            publish(store, snapshot_id, build, keep=keep)
        except OSError as error:
            raise not_written(store, error) from error


def go_back(store: Path, snapshot_id: str, *, keep: int) -> None:
    """Makes a snapshot that is still there the current one.

    Raises NotFound, StoreMissing, StoreBusy, StoreDamaged, StoreFull.
    """
    with locked(store):
        there = published(store)
        if snapshot_id not in there:
            current_id(store)
            raise NotFound(
                f"The store '{store}' has no snapshot '{shortened(snapshot_id)}'; it has"
                f" {', '.join(there)}"
            )
        try:
            _make_current(store, snapshot_id, max(keep, len(there)))
        except OSError as error:
            raise not_written(store, error) from error


def tidy(store: Path, *, keep: int) -> list[str]:
    """Removes all but `keep` snapshots, and what killed writers left; ids of those that stay.

    Raises StoreMissing, StoreBusy, StoreDamaged, StoreFull.
    """
    snapshot_id = current_id(store)
    with locked(store):
        for left in (*store.glob("build-*"), *store.glob(f"{INCOMING}/*-*")):
            shutil.rmtree(left, ignore_errors=True)
        try:
            _make_current(store, snapshot_id, keep)
        except OSError as error:
            raise not_written(store, error) from error
    return published(store)


def _make_current(store: Path, snapshot_id: str, keep: int) -> None:
    """Names a snapshot in `current`, atomically, and removes all but `keep` of them."""
    kept = [snapshot_id, *(one for one in published(store) if one != snapshot_id)][:keep]
    fresh = store / f"{CURRENT}.new"
    try:
        _sync(store)
        fresh.write_text("".join(f"{one}\n" for one in kept), encoding="ascii")
        _sync(fresh)
        fresh.replace(store / CURRENT)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    _sync(store)
    for path in store.glob("snap-*"):
        if path.name.removeprefix("snap-") not in kept:
            shutil.rmtree(path, ignore_errors=True)


def published(store: Path) -> list[str]:
    """Ids of the snapshots that `current` lists, newest first; where it does not read, of all that
    are there.
    """
    try:
        current_id(store)
    except StoreMissing:
        return []
    except StoreDamaged:
        there = (path.name.removeprefix("snap-") for path in store.glob("snap-*"))
        return sorted(filter(ID.fullmatch, there), reverse=True)
    listed = (store / CURRENT).read_text(encoding="ascii").split()
    return [one for one in listed if ID.fullmatch(one) and folder_of(store, one).is_dir()]


def not_written(store: Path, error: Exception) -> StoreFull:
    """What a failure to write to a store says, in one sentence."""
    said = getattr(error, "strerror", None) or str(error).partition("\n")[0]
    left = "the store is as it was"
    full = any(os.strerror(code) in said for code in _FULL)
    # numpy says only how much it could not write.
    if full or shutil.disk_usage(store).free < _NO_ROOM:
        return StoreFull(
            f"There is no room left to write to '{store}'; make some and try again: {left}"
        )
    return StoreFull(f"The store '{store}' cannot be written ({said}); {left}")


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
