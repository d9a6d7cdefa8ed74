"""Fetches a snapshot from a shelf into a folder that no reader looks at, piece by piece, each
verified before it counts. What is on this disk already, from a fetch that was cut or in an earlier
snapshot, is not fetched again.
"""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from services.contract.errors import StoreFull
from services.store.snapshot import INCOMING, folder_of, not_written, published

from .manifest import Manifest, Piece
from .publishing import THREADS
from .sealed import damaged
from .shelf import Shelf

_BLOCK: Final = 512


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
    donors = [folder, *(folder_of(store, one) for one in published(store))]
    try:
        _make_room(store, folder, manifest)
        _lay_out(folder, manifest)
        received = _fill(shelf, manifest, donors, progress)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            shutil.rmtree(folder, ignore_errors=True)
        raise not_written(store, error) from error
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


def _lay_out(folder: Path, manifest: Manifest) -> None:
    """Every file, as long as it will be."""
    for file in manifest.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as opened:
            if opened.tell() != file.bytes:
                opened.truncate(file.bytes)


def _fill(
    shelf: Shelf, manifest: Manifest, donors: list[Path], progress: Callable[[float], None]
) -> int:
    """Fetches the pieces that no donor has, several at once; how many bytes came."""

    def bring(piece: Piece) -> tuple[int, int]:
        return _bring(shelf, piece, donors), piece.size

    received = done = 0
    with ThreadPoolExecutor(THREADS, thread_name_prefix="fetch") as pool:
        try:
            for ended in as_completed([pool.submit(bring, one) for one in manifest.pieces()]):
                came, size = ended.result()
                received, done = received + came, done + size
                progress(done / max(manifest.size, 1))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return received


def _bring(shelf: Shelf, piece: Piece, donors: list[Path]) -> int:
    """Puts a piece where it belongs; how many bytes of it came from the shelf."""
    own = donors[0]
    for donor in donors:
        for content in _content(donor / piece.path, piece):
            if donor != own:
                _put(own / piece.path, piece, content)
            return 0
    content = _received(shelf, piece)
    _put(own / piece.path, piece, content)
    return len(content)


def _content(path: Path, piece: Piece) -> Iterator[bytes]:
    """The piece's content, where a file on this disk has it at its place."""
    with suppress(OSError), path.open("rb") as file:
        content = os.pread(file.fileno(), piece.size, piece.start)
        if sha256(content).hexdigest() == piece.digest:
            yield content


def _received(shelf: Shelf, piece: Piece) -> bytes:
    """A piece from the shelf. Raises ShelfDamaged for one that is not what was published."""
    content = shelf.objects.read(piece.name)
    if content is None:
        raise damaged(piece.name, shelf.url, "is missing")
    if len(content) != piece.size:
        what = f"has {len(content):,} bytes where {piece.size:,} were published"
        raise damaged(piece.name, shelf.url, what)
    if sha256(content).hexdigest() != piece.digest:
        raise damaged(piece.name, shelf.url, "is not as it was published")
    return content


def _put(path: Path, piece: Piece, content: bytes) -> None:
    with path.open("r+b", buffering=0) as file:
        file.seek(piece.start)
        left = memoryview(content)
        while left:
            left = left[file.write(left) :]
