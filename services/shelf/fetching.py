"""Fetches a snapshot from a shelf into a folder that no reader looks at, piece by piece, each
hashed once, before it counts. What is on this disk already, from a fetch that was cut or in an
earlier snapshot, is not fetched again.
"""

import errno
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from services.contract.errors import StoreDamaged, StoreFull
from services.store.checksums import damaged as file_damaged
from services.store.checksums import refuse_other_format
from services.store.snapshot import INCOMING, PERIODS, folder_of, not_written, published

from .manifest import Manifest, Piece, files_of
from .publishing import THREADS
from .sealed import damaged
from .shelf import Shelf

_BLOCK: Final = 512
#: By a piece's name the files, and the bytes at which it begins in them.
_Places = dict[str, list[tuple[Path, int]]]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A snapshot as it was fetched: complete, verified, and not yet published."""

    folder: Path
    #: Bytes that came from the shelf; the others were here.
    received: int


def fetch(
    shelf: Shelf, manifest: Manifest, store: Path, progress: Callable[[float], None]
) -> Fetched:
    """Brings a snapshot into the store's folder, out of its readers' sight.

    Raises StoreDamaged for one of another format, ShelfDamaged, ShelfUnavailable, StoreFull. What
    was fetched and verified until then stays for the next try; but where the disk became full.
    """
    manifest.refuse_other_format()
    folder = store / INCOMING / manifest.snapshot_id
    donors = [folder_of(store, one) for one in published(store)]
    try:
        _make_room(store, folder, manifest)
        places = _places(folder, manifest, donors)
        linked = set(_linked(folder, manifest, donors, places))
        _lay_out(folder, manifest)
        left = [piece for piece in manifest.pieces() if piece.path not in linked]
        received = _fill(shelf, folder, left, places, progress)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            shutil.rmtree(folder, ignore_errors=True)
        raise not_written(store, error) from error
    _refuse_forged(folder, manifest)
    return Fetched(folder, received)


def _make_room(store: Path, folder: Path, manifest: Manifest) -> None:
    """Refuses at once what the disk cannot hold. Raises StoreFull."""
    store.mkdir(parents=True, exist_ok=True)
    here = sum(path.stat().st_blocks * _BLOCK for path in folder.rglob("*") if path.is_file())
    free, lacking = shutil.disk_usage(store).free, manifest.size - here
    if lacking > free:
        raise StoreFull(
            f"Snapshot {manifest.snapshot_id} needs {_mib(lacking)} more in '{store}', where"
            f" {_mib(free)} are left; make room and try again: the store is as it was"
        )


def _mib(size: int) -> str:
    return f"{size / 2**20:,.0f} MiB"


def _places(folder: Path, manifest: Manifest, donors: Iterable[Path]) -> _Places:
    """Where on this disk pieces lie, as far as is said: what a fetch that was cut has put into the
    folder, then the snapshots here, by their checksums.
    """
    places: _Places = {}
    for piece in manifest.pieces():
        if (folder / piece.path).exists():
            places.setdefault(piece.name, []).append((folder / piece.path, piece.start))
    for donor in donors:
        with suppress(StoreDamaged):  # what it has comes from the shelf
            for file in files_of(donor):
                for piece in file.cut(manifest.piece):
                    places.setdefault(piece.name, []).append((donor / piece.path, piece.start))
    return places


def _linked(
    folder: Path, manifest: Manifest, donors: Iterable[Path], places: _Places
) -> Iterator[str]:
    """Links the files of periods that a snapshot here has whole: they are never changed. Gives
    their paths.
    """
    for file in manifest.files:
        path, pieces = folder / file.path, list(file.cut(manifest.piece))
        if not file.path.startswith(f"{PERIODS}/") or path.exists():
            continue
        for donor in donors:
            there = donor / file.path
            if all(
                (there, one.start) in places.get(one.name, ()) and _content(there, one.start, one)
                for one in pieces
            ):
                path.parent.mkdir(parents=True, exist_ok=True)
                with suppress(OSError):  # a disk without links
                    path.hardlink_to(there)
                    yield file.path
                break


def _lay_out(folder: Path, manifest: Manifest) -> None:
    """Every file, as long as it will be."""
    for file in manifest.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as opened:
            if opened.tell() != file.bytes:
                opened.truncate(file.bytes)


def _fill(
    shelf: Shelf,
    folder: Path,
    pieces: Sequence[Piece],
    places: _Places,
    progress: Callable[[float], None],
) -> int:
    """Puts every piece where it belongs, several at once; how many bytes came from the shelf."""
    size = max(sum(piece.size for piece in pieces), 1)
    received = done = 0

    def bring(piece: Piece) -> tuple[int, int]:
        return _bring(shelf, folder, piece, places.get(piece.name, ())), piece.size

    with ThreadPoolExecutor(THREADS, thread_name_prefix="fetch") as pool:
        try:
            for ended in as_completed([pool.submit(bring, one) for one in pieces]):
                came, length = ended.result()
                received, done = received + came, done + length
                progress(done / size)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return received


def _bring(shelf: Shelf, folder: Path, piece: Piece, places: Iterable[tuple[Path, int]]) -> int:
    """Puts a piece where it belongs; how many bytes of it came from the shelf."""
    own = folder / piece.path
    for path, start in places:
        content = _content(path, start, piece)
        if content is not None:
            if (path, start) != (own, piece.start):
                _put(own, piece, content)
            return 0
    content = _received(shelf, piece)
    _put(own, piece, content)
    return len(content)


def _content(path: Path, start: int, piece: Piece) -> bytes | None:
    """The piece's content, where a file on this disk has it there."""
    with suppress(OSError), path.open("rb") as file:
        content = os.pread(file.fileno(), piece.size, start)
        if piece.holds(content):
            return content
    return None


def _received(shelf: Shelf, piece: Piece) -> bytes:
    """A piece from the shelf. Raises ShelfDamaged for one that is not what was published."""
    content = shelf.objects.read(piece.name)
    if content is None:
        raise damaged(piece.name, shelf.url, "is missing")
    if len(content) != piece.size:
        what = f"has {len(content):,} bytes where {piece.size:,} were published"
        raise damaged(piece.name, shelf.url, what)
    if not piece.holds(content):
        raise damaged(piece.name, shelf.url, "is not as it was published")
    return content


def _put(path: Path, piece: Piece, content: bytes) -> None:
    with path.open("r+b", buffering=0) as file:
        file.seek(piece.start)
        left = memoryview(content)
        while left:
            left = left[file.write(left) :]


def _refuse_forged(folder: Path, manifest: Manifest) -> None:
    """Raises StoreDamaged where the snapshot's own checksums are of other files than the manifest,
    which may have been made of anything.
    """
    refuse_other_format(folder)
    own = {file.path: file for file in files_of(folder)}
    published = {file.path: file for file in manifest.files}
    for path in sorted(own.keys() | published.keys()):
        if own.get(path) != published.get(path):
            raise file_damaged(folder, path, "is not as it was written")
