"""The checksums of a snapshot's files: a byte that changed on disk is a sentence, never a figure.

    checksums.json     of every other file: its path, its bytes, a SHA-256 of each block of it;
                       and a SHA-256 of all that, so that it speaks for itself too

Every block is checked before anything of it is answered: all of a small snapshot when it is opened;
of a large one each file before its first use, whole loans block by block, and the rest meanwhile in
the background. The database is checked by DuckDB as well, block by block as it reads. As long as a
snapshot is open the background goes round again, and a read that fails has all of it checked again.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Event, Lock, Thread, get_native_id
from typing import Final, Self

from services.contract.errors import StoreDamaged

from .snapshot import ARCHIVE, FILE_FORMAT, FROM_BACKUP, GRAPH, PERIODS, REBUILD, SUMMARY, format_of

FILE: Final = "checksums.json"
BLOCK: Final = 2**20
#: Snapshots up to here are checked whole when they are opened: about a quarter of a second.
CHECKED_AT_ONCE: Final = 256 * 2**20
#: How willingly the background gives way; 19 is the most.
_NICE: Final = 10
#: Rounds after the first begin so many seconds after the one before, and read no faster than this.
ROUND_EVERY: Final = 60.0
BYTES_A_SECOND: Final = 16 * 2**20
#: Of the time of failing reads, at most one part in so many goes into looking why.
_SELDOM: Final = 20
#: Folders that no answer is made of.
_UNREAD: Final = (ARCHIVE, PERIODS)
#: What programs leave in folders that they read: no part of a snapshot.
_NOT_OURS: Final = ".lock"

#: Checks that the bytes from a start to an end are as they were written. Raises StoreDamaged.
RangeCheck = Callable[[int, int], None]


def write(folder: Path, shared: Path | None = None) -> None:
    """Writes the checksums of all files in a complete build folder. Of a file that it shares with
    the snapshot `shared` it writes what was written there: damage since stays damage.
    """
    said = json.loads((shared / FILE).read_bytes())["files"] if shared else {}
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != FILE and path.suffix != _NOT_OURS:
            name = path.relative_to(folder).as_posix()
            if shared and name in said and _is(path, shared / name):
                files[name] = said[name]
                continue
            with path.open("rb", buffering=0) as file:
                read = iter(lambda: file.read(BLOCK), b"")
                blocks = [sha256(block).hexdigest() for block in read]
                files[name] = {"bytes": file.tell(), "blocks": blocks}
    said = {"block": BLOCK, "files": files}
    (folder / FILE).write_text(json.dumps({**said, "sha256": _digest(said)}), encoding="utf-8")


def _is(path: Path, other: Path) -> bool:
    """Whether they are one file; the other may be gone."""
    try:
        return path.samefile(other)
    except FileNotFoundError:
        return False


def _digest(said: object) -> str:
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def digests(content: bytes) -> list[str]:
    """SHA-256 of each block of what begins with one."""
    view = memoryview(content)
    return [sha256(view[at : at + BLOCK]).hexdigest() for at in range(0, len(view), BLOCK)]


@dataclass(frozen=True, slots=True)
class Written:
    """What a file was when it was written: its bytes, a SHA-256 of each block."""

    bytes: int
    blocks: Sequence[str]


def written(folder: Path) -> dict[str, Written]:
    """What a snapshot's checksums say of every other file, whatever is there.

    Raises StoreDamaged.
    """
    try:
        text = (folder / FILE).read_bytes()
    except OSError as error:
        raise damaged(folder, FILE, _reason(error)) from None
    try:
        said = json.loads(text)
        if said.pop("sha256") == _digest(said) and said["block"] == BLOCK:
            return {name: Written(**facts) for name, facts in said["files"].items()}
    except (ValueError, LookupError, TypeError, AttributeError):
        pass
    raise damaged(folder, FILE, "is not as it was written")


@dataclass(slots=True, eq=False)
class _File:
    path: Path
    size: int
    digests: list[bytes]
    #: Bytes of a block, as they were when the snapshot was opened: files stay open for long.
    block: int
    #: By block: 1 once it was seen to be as it was written. Threads may set one twice.
    seen: bytearray = field(init=False)
    whole: bool = False
    #: Held from the beginning, for the snapshot may be removed while it is leased.
    handle: int | None = None

    def __post_init__(self) -> None:
        self.seen = bytearray(len(self.digests))


class Checksums:
    """What the files of one snapshot were when it was published, and how far they were seen to be
    so still. Safe to use from many threads.
    """

    def __init__(self, folder: Path, files: dict[str, _File]) -> None:
        self._folder = folder
        self._files = files
        self._stopped = Event()
        self._thread: Thread | None = None
        #: The sentence about the first damage that was found.
        self._damage: str | None = None
        #: Held by the one failing read that looks why; and until when the others need not.
        self._looking = Lock()
        self._unchanged_until = 0.0

    @classmethod
    def open(cls, folder: Path, *, only: str | None = None) -> Self:
        """Those of a snapshot, or of one file or folder in it: all is there, as long as it was.

        Raises StoreDamaged.
        """
        files = {
            name: _File(
                folder / name, one.bytes, [bytes.fromhex(digest) for digest in one.blocks], BLOCK
            )
            for name, one in written(folder).items()
        }
        if only is not None:
            files = {name: one for name, one in files.items() if f"{name}/".startswith(f"{only}/")}
        checksums = cls(folder, files)
        try:
            checksums._hold_open()
        except StoreDamaged:
            checksums.close()
            raise
        return checksums

    @property
    def size(self) -> int:
        """All bytes of the snapshot."""
        return sum(file.size for file in self._files.values())

    @property
    def names(self) -> list[str]:
        """Paths of all files, but for that of the checksums."""
        return list(self._files)

    @property
    def count(self) -> int:
        """Files of the snapshot."""
        return len(self._files)

    def raise_damage(self) -> None:
        """Raises StoreDamaged once a check has found damage, whoever asked for it."""
        if self._damage is not None:
            raise StoreDamaged(self._damage)

    def check_again(self) -> None:
        """Checks again all that answers are made of, for a read of it failed. Raises StoreDamaged.

        Where nothing had changed, it lets some time pass before it looks again.
        """
        with self._looking:
            self.raise_damage()
            started = time.monotonic()
            if started < self._unchanged_until:
                return
            for name, file in self._files.items():
                if file.handle is not None:
                    for block in range(len(file.digests)):
                        self._check_block(name, file, block)
            ended = time.monotonic()
            self._unchanged_until = ended + _SELDOM * (ended - started)

    def check(self, *names: str) -> None:
        """Checks these files, and those in these folders, whole. Raises StoreDamaged."""
        for name, file in self._meant(names):
            self._check_whole(name, file)

    def check_beginnings(self, *names: str) -> None:
        """Checks the first block of these files, and of those in these folders: all that is read of
        an array when it is opened. Raises StoreDamaged.
        """
        for name, file in self._meant(names):
            if file.digests:
                self._check_block(name, file, 0)

    def check_all(self, progress: Callable[[float], None] = lambda _: None) -> None:
        """Checks every file. Raises StoreDamaged."""
        done = 0
        for name, file in self._files.items():
            progress(done / max(self.size, 1))
            self._check_whole(name, file)
            done += file.size

    def of(self, name: str) -> RangeCheck:
        """The check of one file that is read in parts."""
        file = self._files[name]

        def check_range(start: int, end: int) -> None:
            if file.whole:
                return
            for block in range(start // file.block, -(-end // file.block)):
                if not file.seen[block]:
                    self._check_block(name, file, block)

        return check_range

    def check_in_background(self) -> None:
        """Begins to check what was not yet, then all of it round after round, giving way to
        everything else, until `close`.
        """
        self._thread = Thread(target=self._run, name="checksums", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops checking, and lets go of the files."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        for file in self._files.values():
            if file.handle is not None:
                os.close(file.handle)
                file.handle = None

    def _hold_open(self) -> None:
        """Opens all files but those of archive and periods, which may be many and give no
        answers.
        """
        for name, file in self._files.items():
            try:
                size = file.path.stat().st_size
                if _folder(name) not in _UNREAD:
                    file.handle = os.open(file.path, os.O_RDONLY)
            except OSError as error:
                raise damaged(self._folder, name, _reason(error)) from None
            if size != file.size:
                what = f"has {size:,} bytes where {file.size:,} were written"
                raise damaged(self._folder, name, what)

    def _meant(self, names: tuple[str, ...]) -> Iterator[tuple[str, _File]]:
        for name, file in self._files.items():
            if name in names or _folder(name) in names:
                yield name, file

    def _check_whole(self, name: str, file: _File) -> None:
        if not file.whole:
            for block in _unseen(file):
                self._check_block(name, file, block)
            file.whole = True

    def _check_block(self, name: str, file: _File, block: int) -> None:
        try:
            same = sha256(_read(file, block)).digest() == file.digests[block]
            what = f"is not as it was written, from byte {block * file.block:,} on"
        except OSError as error:
            same, what = False, _reason(error)
        if not same:
            fault = damaged(self._folder, name, what)
            self._damage = self._damage or str(fault)
            raise fault
        file.seen[block] = 1

    def _run(self) -> None:
        if sys.platform == "linux":  # where a thread has a priority of its own
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, get_native_id(), _NICE)
        with suppress(StoreDamaged):  # which is remembered
            # At most half of a processor.
            self._go_round(_unseen, lambda took, _: took)
            while not self._stopped.wait(ROUND_EVERY):
                self._go_round(
                    lambda file: range(len(file.digests)),
                    lambda took, size: max(took, size / BYTES_A_SECOND),
                )

    def _go_round(
        self, blocks: Callable[[_File], Iterable[int]], rest: Callable[[float, int], float]
    ) -> None:
        """Checks these blocks of each file; after one that took so long, of so many bytes, it rests
        so many seconds.
        """
        # Before anything of the graph is read all of it is.
        for name, file in sorted(self._files.items(), key=lambda one: _folder(one[0]) != GRAPH):
            if file.handle is None and not file.path.exists():
                continue  # of a snapshot that was removed while it is leased
            for block in blocks(file):
                started = time.perf_counter()
                self._check_block(name, file, block)
                took = time.perf_counter() - started
                if self._stopped.wait(rest(took, min(file.block, file.size - block * file.block))):
                    return
            file.whole = True


def verify(folder: Path, progress: Callable[[float], None] = lambda _: None) -> tuple[int, int]:
    """Checks every file of a snapshot: how many there are, and their bytes. Raises StoreDamaged."""
    refuse_other_format(folder)
    with closing(Checksums.open(folder)) as checksums:
        checksums.check_all(progress)
        return checksums.count, checksums.size


def refuse_other_format(folder: Path) -> None:
    """Raises StoreDamaged for a snapshot of another format than is read here."""
    found = format_of(folder)
    if found is None or found == FILE_FORMAT:
        return
    if (folder / FILE).exists():  # else one from before there were checksums
        with closing(Checksums.open(folder, only=SUMMARY)) as checksums:
            checksums.check_all()
    raise StoreDamaged(
        f"Snapshot {folder.name.removeprefix('snap-')} was written by another version of Credit"
        f" Atlas (format {found}, here {FILE_FORMAT}); {REBUILD}"
    )


def damaged(folder: Path, name: str, what: str) -> StoreDamaged:
    """The error of a file that is not what was published, and what to do about it."""
    snapshot_id = folder.name.removeprefix("snap-")
    found = f"'{name}' of snapshot {snapshot_id} {what}"
    return StoreDamaged(f"{found}; {REBUILD}, {FROM_BACKUP}", found=found)


def _folder(name: str) -> str:
    return name.partition("/")[0]


def _unseen(file: _File) -> Iterator[int]:
    yield from (block for block in range(len(file.digests)) if not file.seen[block])


def _read(file: _File, block: int) -> bytes:
    if file.handle is not None:
        return os.pread(file.handle, file.block, block * file.block)
    with file.path.open("rb", buffering=0) as opened:
        return os.pread(opened.fileno(), file.block, block * file.block)


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "is missing"
    return f"does not read ({error.strerror or error})"
