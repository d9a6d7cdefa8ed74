"""Publishes a snapshot in two phases: objects and manifest, nodes that fetch it and say so, and
only then does the environment move. Stopped or killed anywhere, it leaves the environment at a
whole snapshot; the next publisher goes on with what is there.
"""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from services.contract.book import Progress
from services.contract.errors import NodesNotReady, NotFound, ShelfDamaged
from services.store.checksums import damaged as file_damaged
from services.store.snapshot import current_id, folder_of

from .manifest import Manifest, Piece
from .objects import Found
from .sealed import NodeReport
from .sealed import damaged as object_damaged
from .shelf import Environment, Shelf, manifest_name

#: Objects under way at once.
THREADS: Final = 4
#: How long `gc` lets an object be that no manifest names; a publisher counts on half of it.
UNNAMED_FOR: Final = timedelta(hours=24)
#: Seconds between two looks at what nodes report.
_LOOK: Final = 0.5
#: A node that has said nothing for so long, or for three of its own turns, is not there.
_SILENT: Final = 300


@dataclass(frozen=True, slots=True)
class Published:
    """What a publisher did."""

    snapshot_id: str
    objects: int
    #: Bytes of the objects that had to be sent.
    sent: int
    size: int
    #: False where the environment stood there already.
    moved: bool


def publish(
    environment: Environment,
    store: Path,
    *,
    wait_for: int = 0,
    patience: float = 300,
    mend: bool = False,
    beside: Callable[[str], None] | None = None,
    progress: Progress,
) -> Published:
    """Puts the current snapshot of a store on the shelf, and moves the environment to it.

    `wait_for` nodes must have it before, within `patience` seconds. `mend` reads every object that
    is on the shelf already, and replaces those that are not as they were. `beside` hears of the id
    when all of it is there, before any node does: what goes with a snapshot is written then.
    Raises StoreMissing, StoreDamaged, ShelfUnavailable, ShelfDamaged, ShelfMoved, NodesNotReady.
    """
    after = environment.step()
    folder = folder_of(store, current_id(store))
    manifest = Manifest.of(folder)
    sent = upload(
        environment.shelf,
        manifest,
        folder,
        mend=mend,
        progress=lambda part: progress("sending", 0.9 * part),
    )
    if beside:
        beside(manifest.snapshot_id)
    moved = move_to(
        environment,
        manifest,
        after=after,
        wait_for=wait_for,
        patience=patience,
        progress=lambda part: progress("waiting for nodes", 0.9 + 0.1 * part),
    )
    digests = {piece.digest for piece in manifest.pieces()}
    return Published(manifest.snapshot_id, len(digests), sent, manifest.size, moved)


def use(
    environment: Environment,
    snapshot_id: str,
    *,
    wait_for: int = 0,
    patience: float = 300,
    progress: Progress,
) -> bool:
    """Moves an environment to a snapshot that lies on the shelf whole; False where it stood there.

    Raises NotFound, ShelfUnavailable, ShelfDamaged, ShelfMoved, NodesNotReady.
    """
    after = environment.step()
    shelf = environment.shelf
    manifest = shelf.manifest(snapshot_id)
    there = shelf.pieces()
    for piece in manifest.pieces():
        found = there.get(piece.name)
        if found is None or found.size != piece.size:
            raise object_damaged(piece.name, shelf.url, _what_is_wrong(found, piece))
    return move_to(
        environment,
        manifest,
        after=after,
        wait_for=wait_for,
        patience=patience,
        progress=lambda part: progress("waiting for nodes", part),
    )


def upload(
    shelf: Shelf,
    manifest: Manifest,
    folder: Path,
    *,
    mend: bool,
    progress: Callable[[float], None],
) -> int:
    """Sends what the shelf lacks of a snapshot, then its manifest; how many bytes were sent.

    Every byte of the snapshot is hashed once, those that are sent as they go: of a damaged one the
    shelf may get objects that are sound, and which nothing names. Raises StoreDamaged.
    """
    lacking = set(_lacking(shelf, {piece.name: piece for piece in manifest.pieces()}, mend=mend))
    staying = [piece for piece in manifest.pieces() if piece not in lacking]
    size = max(manifest.size, 1)
    done = 0

    def send(piece: Piece) -> int:
        shelf.objects.write(piece.name, _content(folder, piece))
        return piece.size

    def check(piece: Piece) -> int:
        _content(folder, piece)
        return piece.size

    with ThreadPoolExecutor(THREADS, thread_name_prefix="publish") as pool:
        try:
            for handle, pieces in ((check, staying), (send, lacking)):
                for ended in as_completed([pool.submit(handle, piece) for piece in pieces]):
                    done += ended.result()
                    progress(done / size)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    name, sealed = manifest_name(manifest.snapshot_id), manifest.sealed()
    if shelf.objects.read(name) != sealed:
        shelf.objects.write(name, sealed)
    return sum(piece.size for piece in lacking)


def move_to(
    environment: Environment,
    manifest: Manifest,
    *,
    after: int,
    wait_for: int,
    patience: float,
    progress: Callable[[float], None],
) -> bool:
    """The second phase: nodes fetch the snapshot, then the environment moves; False where it stood
    there already.

    Raises NodesNotReady and leaves the environment alone, for the nodes to fetch on; ShelfMoved.
    """
    snapshot_id = manifest.snapshot_id
    with suppress(ShelfDamaged):  # a step that does not read is gone on from
        now = environment.stands()
        if now is not None and now.number == after and now.snapshot_id == snapshot_id:
            return False
    if wait_for:
        environment.offer(snapshot_id, after=after)
        _wait(environment, snapshot_id, after, wait_for, patience, progress)
    environment.move(snapshot_id, after=after)
    if wait_for:
        environment.withdraw(snapshot_id)
    return True


def _lacking(shelf: Shelf, wanted: dict[str, Piece], *, mend: bool) -> Iterable[Piece]:
    """The pieces that are not on the shelf as they should be, or may be removed before the manifest
    names them (collecting.py).
    """
    named: set[str] = set()
    for snapshot_id in shelf.snapshots():
        with suppress(NotFound, ShelfDamaged):  # what no manifest names is sent again
            named.update(piece.name for piece in shelf.manifest(snapshot_id).pieces())
    fresh = datetime.now(UTC) - UNNAMED_FOR / 2
    there = shelf.pieces()
    for name, piece in wanted.items():
        found = there.get(name)
        sound = found is not None and found.size == piece.size
        if sound and found is not None and (name in named or found.modified > fresh):
            if not mend:
                continue
            content = shelf.objects.read(name)
            if content is not None and piece.holds(content):
                continue
        yield piece


def _content(folder: Path, piece: Piece) -> bytes:
    try:
        with (folder / piece.path).open("rb") as file:
            file.seek(piece.start)
            content = file.read(piece.size)
    except OSError as error:
        raise file_damaged(folder, piece.path, f"does not read ({error.strerror})") from None
    if not piece.holds(content):
        raise file_damaged(folder, piece.path, "is not as it was written")
    return content


def _wait(
    environment: Environment,
    snapshot_id: str,
    after: int,
    wait_for: int,
    patience: float,
    progress: Callable[[float], None],
) -> None:
    ends = time.monotonic() + patience
    while True:
        reports = environment.reports()
        ready = [one for one in reports if one.has(snapshot_id) and not _silent(one)]
        progress(min(1.0, len(ready) / wait_for))
        if len(ready) >= wait_for:
            return
        environment.refuse_if_moved(after)
        if time.monotonic() >= ends:
            raise NodesNotReady(
                f"{len(ready)} of {wait_for} nodes had snapshot {snapshot_id} after {patience:g} s"
                f" ({_said(reports, snapshot_id)}); '{environment.name}' was not moved. The nodes"
                " go on fetching: try again, or without --wait-for"
            )
        time.sleep(min(_LOOK, max(0.0, ends - time.monotonic())))


def _said(reports: list[NodeReport], snapshot_id: str) -> str:
    """What is known of each node, for a sentence."""
    if not reports:
        return "no node has ever reported"
    return "; ".join(_state(one, snapshot_id) for one in reports)


def _state(report: NodeReport, snapshot_id: str) -> str:
    if _silent(report):
        return f"{report.node} has been silent since {report.at:%d %b %H:%M} UTC"
    if report.has(snapshot_id):
        return f"{report.node} is ready"
    return f"{report.node} is missing" + (f" ({report.problem})" if report.problem else "")


def _silent(report: NodeReport) -> bool:
    return report.at < datetime.now(UTC) - timedelta(seconds=max(_SILENT, 3 * report.every))


def _what_is_wrong(found: Found | None, piece: Piece) -> str:
    if found is None:
        return "is missing"
    return f"has {found.size:,} bytes where {piece.size:,} were published"
