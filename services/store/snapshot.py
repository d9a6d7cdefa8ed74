"""The folder of a store: immutable snapshots, one manifest that names the current one.

    .store/
      current              ids of the published snapshots: the one that readers open, then the
                           others, newest first. Replaced atomically
      lock                 held by the one process that writes
      leaving              while `current` is replaced: ids of the snapshot that is to be published
                           and of those that are to go
      snap-<id>/           complete, never changed again
      build-<id>/          being written; left behind only by a process that was killed
      incoming/            being fetched from a shelf (services/shelf)
      staged/              whole periods whose snapshot is not published yet (periods.py)

A writer builds in build-<id>, renames it, then replaces `current`: killed at any moment, it
leaves the old snapshot whole and current (D27). The next writer removes each snap-<id> that
`leaving` names and a `current` that reads does not list, and nothing else: another snapshot that
is not listed, or a `current` that does not read, is damage, and no writer begins (D99).
"""

import errno
import fcntl
import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import duckdb

from services.contract.errors import (
    NotFound,
    SettingsInvalid,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreMissing,
)
from services.contract.queries import shortened

CURRENT: Final = "current"
LEAVING: Final = "leaving"
DATABASE: Final = "atlas.duckdb"
GRAPH, NAMES = "graph", "names"
#: Whole loans, one at a time; see details.py.
DETAILS: Final = "details"
#: Fraction owned, by edge id, NaN where not known; beside the graph's own arrays.
SHARES: Final = "edge_share.npy"
#: What reported sources said (archive.py); what was said and scored of every date (periods.py), and
#: the same as tables (history_tables.py).
ARCHIVE, PERIODS, PERIODS_LISTED, STAGED = "archive", "periods", "periods.json", "staged"
HISTORY_FILE: Final = "history.duckdb"
#: What it says of itself, answers about the whole book, and limits and spreads that scored it.
SUMMARY, OVERVIEW, TABLES = "snapshot.json", "overview.json", "tables.json"
#: Snapshots that are being fetched from a shelf, or were and wait for their turn.
INCOMING: Final = "incoming"
#: Raised whenever files written before can no longer be read.
FILE_FORMAT: Final = 23
#: What mends a store, whatever happened to it.
REBUILD: Final = "run 'creditatlas rebuild'"
FROM_BACKUP: Final = "or copy the store back from a backup"
_MEND: Final = f"{REBUILD}, {FROM_BACKUP}"
#: What is left to do where nothing mends it: users' own files lie beside the snapshots.
START_AFRESH: Final = "move 'current' and all snap-* out of the store's folder"
#: How DuckDB says that it could not write.
_NOT_WRITTEN: Final = (duckdb.IOException, duckdb.FatalException, duckdb.TransactionException)
#: Disk full, or quota used up.
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
#: Bytes free below which a disk is full: the least that a file system hands out.
_NO_ROOM: Final = 64 * 2**10
#: How a snapshot's id is spelled.
ID: Final = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")
#: The part of it that says when it was made.
_WHEN: Final = "%Y%m%d-%H%M%S"
#: What may lie in the folder of a store before its first snapshot does.
_OURS: Final = re.compile(
    rf"\..*|lost\+found|lock|{CURRENT}(\.new)?|{LEAVING}|{INCOMING}|{STAGED}|filed|edgar|partial"
    rf"|sandbox|mirror-.*|(desk\.sqlite|keys\.json|track_record\.json).*|(snap|build)-{ID.pattern}"
)


def listed(store: Path) -> list[str]:
    """Ids that `current` lists, whether they are there or not. Raises StoreMissing, StoreDamaged.

    Without a `current` there is nothing only where no snapshot is: but for the very first, whose
    writer is about to list it, or was killed.
    """
    manifest = store / CURRENT
    try:
        text = manifest.read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, NotADirectoryError):
        if (found := there(store)) and (found[1:] or found != leaving(store)):
            raise StoreDamaged(
                f"'{manifest}' is missing, and snapshots lie beside it; {_MEND}"
            ) from None
        raise StoreMissing(
            f"There is no data in the store '{store}' yet; run 'creditatlas demo' or "
            "'creditatlas import sec-absee FILE' to fill it"
        ) from None
    except OSError as error:
        raise StoreDamaged(
            f"'{manifest}' cannot be read ({error.strerror or error}); make it readable or move it"
            f" away, then {REBUILD}"
        ) from None
    ids = text.removesuffix("\n").split("\n")
    if not all(map(ID.fullmatch, ids)):
        raise StoreDamaged(f"'{manifest}' does not name a snapshot; {_MEND}")
    return list(dict.fromkeys(ids))


def current_id(store: Path) -> str:
    """Id of the current snapshot. Raises StoreMissing, StoreDamaged."""
    snapshot_id = listed(store)[0]
    if not (folder_of(store, snapshot_id) / SUMMARY).is_file():
        raise StoreDamaged(f"Snapshot {snapshot_id} of '{store}' is gone; {_MEND}")
    return snapshot_id


def published(store: Path) -> list[str]:
    """Ids of the snapshots that `current` lists and that are there: the current one, then the
    others, newest first. Raises StoreDamaged.
    """
    try:
        return [one for one in listed(store) if folder_of(store, one).is_dir()]
    except StoreMissing:
        return []


def accounted(store: Path) -> list[str]:
    """As `published`; also raises StoreDamaged where a snapshot is there of which nothing says that
    it was never published, or may go: `current` may be an older one, from a backup. Where no
    snapshot is there, nothing can be lost, whatever `current` says.
    """
    found = there(store)
    known = published(store) if found else []
    for stray in found:
        if stray not in known and stray not in leaving(store):
            raise StoreDamaged(f"'{store / CURRENT}' does not list snapshot {stray}; {_MEND}")
    return known


def there(store: Path) -> list[str]:
    """Ids of all snapshots that lie in the folder, whoever lists them, newest first."""
    return sorted((path.name.removeprefix("snap-") for path in _own(store, "snap")), reverse=True)


def leaving(store: Path) -> list[str]:
    """Ids of snapshots that may be removed unless `current` lists them."""
    try:
        text = (store / LEAVING).read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    # The last may be cut, by a writer that was killed before anything of it was true.
    return list(filter(ID.fullmatch, text.split("\n")))


def _own(store: Path, kind: str) -> list[Path]:
    """The folders of a kind that we made: others, whatever they are named, are somebody's."""
    found = store.glob(f"{kind}-*")
    return [one for one in found if ID.fullmatch(one.name, len(kind) + 1) and one.is_dir()]


def format_of(folder: Path) -> int | None:
    """The file format of a snapshot, as it says itself; None where it does not say."""
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

    Raises StoreBusy when another process writes, StoreDamaged when the folder takes no lock,
    SettingsInvalid when it is somebody else's.
    """
    refuse_others(store)
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


def refuse_others(store: Path) -> None:
    """Raises SettingsInvalid for a folder that is no store and holds what no store has."""
    if there(store) or not store.is_dir():
        return
    others = sorted(one.name for one in store.iterdir() if not _OURS.fullmatch(one.name))
    if others:
        raise SettingsInvalid(
            f"The folder '{store}' is no store and holds other files"
            f" ({shortened(', '.join(others))}); name an empty or a new one by --store or"
            " CREDIT_ATLAS_STORE"
        )


@contextmanager
def writing(store: Path) -> Iterator[tuple[str, Path]]:
    """A new snapshot's id and its empty build folder, for the one process that may write.

    On leaving without an error the folder must have been published; otherwise it is removed.
    Raises StoreBusy when another process writes, StoreDamaged where it is not known what is there,
    StoreFull when the folder cannot be written.
    """
    with locked(store):
        _settled(store)
        snapshot_id = _new_id(store)
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
    for path in filter(Path.is_file, build.rglob("*")):
        sync(path)
    _make_current(store, snapshot_id, accounted(store), keep=keep, build=build)


def adopt(store: Path, snapshot_id: str, build: Path, *, keep: int) -> None:
    """Publishes a complete folder that was written elsewhere, on the disk of the store. It takes
    the place of the same snapshot where that did not read any more.

    Raises StoreBusy, StoreDamaged, StoreFull.
    """
    with locked(store):
        _settled(store)
        unread, aside = folder_of(store, snapshot_id), store / f"build-{snapshot_id}"
        try:
            if unread.exists():
                unread.rename(aside)
            publish(store, snapshot_id, build, keep=keep)
        except OSError as error:
            if aside.exists():
                aside.rename(unread)
            raise not_written(store, error) from error
        shutil.rmtree(aside, ignore_errors=True)


def go_back(store: Path, snapshot_id: str, *, keep: int, check: Callable[[Path], object]) -> None:
    """Makes a snapshot that is still there the current one, once `check` has passed its folder.

    Raises NotFound, StoreMissing, StoreBusy, StoreDamaged, StoreFull, and what `check` raises.
    """
    with locked(store):
        known = _settled(store)
        if snapshot_id not in known:
            current_id(store)
            named, listed = shortened(snapshot_id), ", ".join(known)
            raise NotFound(f"The store '{store}' has no snapshot '{named}'; it has {listed}")
        check(folder_of(store, snapshot_id))
        _make_current_or_say(store, snapshot_id, known, keep=max(keep, len(known)))


def tidy(store: Path, *, keep: int) -> list[str]:
    """Removes all but `keep` snapshots, and what killed writers left; ids of those that stay.

    Raises StoreMissing, StoreBusy, StoreDamaged, StoreFull.
    """
    snapshot_id = current_id(store)
    with locked(store):
        known = _settled(store)
        for left in [*fetched(store), store / STAGED]:
            shutil.rmtree(left, ignore_errors=True)
        _make_current_or_say(store, snapshot_id, known, keep=keep)
    return published(store)


def relist(store: Path, snapshot_id: str) -> None:
    """Makes a snapshot the current one of a store whose `current` is damaged, and lists all others
    that are there. Raises StoreBusy, StoreDamaged, StoreFull.
    """
    with locked(store):
        if (store / CURRENT).is_dir():
            listed(store)  # which says so
        found = there(store)
        _make_current_or_say(store, snapshot_id, found, keep=len(found))


def fetched(store: Path) -> list[Path]:
    """Folders of snapshots that were fetched from a shelf, or begun to be."""
    return [one for one in (store / INCOMING).glob("*-*") if ID.fullmatch(one.name)]


def _settled(store: Path) -> list[str]:
    """As `accounted`, once what killed writers left behind is removed; the lock is ours."""
    known = accounted(store)
    for left in _own(store, "build"):
        shutil.rmtree(left, ignore_errors=True)
    _remove(store, [one for one in leaving(store) if one not in known])
    return known


def _new_id(store: Path) -> str:
    """An id that comes after all others, whatever became of the clock."""
    now = datetime.now(UTC)
    with suppress(IndexError, ValueError, OverflowError):  # none, or one that names no day
        newest = datetime.strptime(there(store)[0].rpartition("-")[0], _WHEN).replace(tzinfo=UTC)
        now = max(now, newest + timedelta(seconds=1))
    return f"{now:{_WHEN}}-{secrets.token_hex(3)}"


def _make_current_or_say(store: Path, snapshot_id: str, known: list[str], *, keep: int) -> None:
    try:
        _make_current(store, snapshot_id, known, keep=keep)
    except OSError as error:
        raise not_written(store, error) from error


def _make_current(
    store: Path, snapshot_id: str, known: list[str], *, keep: int, build: Path | None = None
) -> None:
    """Names a snapshot in `current`, atomically, and removes all but `keep` of those known. Where
    there is a `build`, it becomes the snapshot.
    """
    others = [one for one in known if one != snapshot_id]
    kept, new = [snapshot_id, *others[: keep - 1]], [snapshot_id] if build else []
    going = [*new, *others[keep - 1 :], *leaving(store)]
    fresh = store / f"{CURRENT}.new"
    try:
        if going:
            _write(store / LEAVING, going)
            sync(store)  # before anything of it is true
        if build:
            build.rename(folder_of(store, snapshot_id))
            sync(store)
        _write(fresh, kept)
        fresh.replace(store / CURRENT)
    except OSError:
        fresh.unlink(missing_ok=True)
        _remove(store, new)
        raise
    sync(store)
    _remove(store, [one for one in going if one not in kept])


def _write(path: Path, ids: list[str]) -> None:
    path.write_text("".join(f"{one}\n" for one in ids), encoding="ascii")
    sync(path)


def _remove(store: Path, ids: list[str]) -> None:
    """Removes snapshots that nothing lists; what cannot be removed now, the next writer tries."""
    for one in ids:
        shutil.rmtree(folder_of(store, one), ignore_errors=True)
    if not any(folder_of(store, one).exists() for one in ids):
        with suppress(OSError):
            (store / LEAVING).unlink(missing_ok=True)


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


def sync(path: Path) -> None:
    """Flushes a file or folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
