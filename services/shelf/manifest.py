"""What a snapshot consists of: its files, cut into pieces that are objects by the hash of their
content. Two snapshots that share a file, or a beginning of one, share its objects.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, model_validator

from services.contract.errors import StoreDamaged
from services.contract.records import Record
from services.store import checksums
from services.store.snapshot import FILE_FORMAT, FROM_BACKUP, REBUILD, SUMMARY

from .sealed import Sealed, SnapshotId

#: Bytes of a piece: small enough to be fetched again after a cut, and to be held in memory by
#: several threads; large enough for 100 GB to be 6,400 objects.
PIECE: Final = 16 * 2**20
_HASH: Final = 64


def _inside(text: str) -> str:
    """A path that stays in the folder it is put in."""
    path = PurePosixPath(text)
    if path.is_absolute() or not path.parts or ".." in path.parts or str(path) != text:
        raise ValueError("leads out of the snapshot")
    return text


Digest = Annotated[str, Field(pattern=rf"^[0-9a-f]{{{_HASH}}}$")]


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bytes of a file, and the object that holds them."""

    path: str
    start: int
    size: int
    digest: str

    @property
    def name(self) -> str:
        """The object's name on a shelf."""
        return object_name(self.digest)


class FileListed(Record):
    """One file of a snapshot."""

    path: Annotated[str, AfterValidator(_inside)]
    bytes: int = Field(ge=0)
    #: SHA-256 of each piece, in order.
    pieces: tuple[Digest, ...]


class Manifest(Sealed):
    """All of a snapshot, by hash. Of the same snapshot always the same bytes."""

    snapshot_id: SnapshotId
    as_of: date
    file_format: int
    built_at: datetime
    loans: int
    sources: tuple[str, ...]
    piece: int = Field(gt=0)
    files: tuple[FileListed, ...]

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if len({one.path for one in self.files}) != len(self.files):
            raise ValueError("names a file twice")
        if any(len(one.pieces) != -(-one.bytes // self.piece) for one in self.files):
            raise ValueError("has other pieces than its files have bytes")
        return self

    @classmethod
    def of(cls, folder: Path, progress: Callable[[float], None]) -> Self:
        """That of a snapshot's folder, once every file was seen to be as it was written.

        Raises StoreDamaged.
        """
        checksums.verify(folder, lambda part: progress(part / 2))
        with closing(checksums.Checksums.open(folder)) as listed:
            names, size = sorted([*listed.names, checksums.FILE]), max(listed.size, 1)
        said = json.loads((folder / SUMMARY).read_bytes())
        files, done = [], 0
        for name in names:
            pieces = [sha256(piece).hexdigest() for piece in _read(folder / name)]
            length = (folder / name).stat().st_size
            files.append(FileListed(path=name, bytes=length, pieces=tuple(pieces)))
            done += length
            progress(min(1.0, 0.5 + done / size / 2))
        return cls(
            snapshot_id=said["snapshot_id"],
            as_of=said["as_of"],
            file_format=said["file_format"],
            built_at=said["built_at"],
            loans=said["loans"],
            sources=tuple(source["title"] for source in said["sources"]),
            piece=PIECE,
            files=tuple(files),
        )

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.bytes for file in self.files)

    def pieces(self) -> Iterator[Piece]:
        """Every piece of every file, in their order; one object may be several of them."""
        for file in self.files:
            for at, digest in enumerate(file.pieces):
                start = at * self.piece
                size = min(self.piece, file.bytes - start)
                yield Piece(file.path, start, size, digest)

    def refuse_other_format(self) -> None:
        """Raises StoreDamaged for a snapshot of another format than is read here."""
        if self.file_format != FILE_FORMAT:
            younger = self.file_format > FILE_FORMAT
            advice = (
                "upgrade Credit Atlas here"
                if younger
                else f"{REBUILD} where it was built and publish it again"
            )
            raise StoreDamaged(
                f"Snapshot {self.snapshot_id} of the shelf was written by another version of Credit"
                f" Atlas (format {self.file_format}, here {FILE_FORMAT}); {advice}"
            )


def object_name(digest: str) -> str:
    """Where the bytes of that SHA-256 lie on a shelf."""
    return f"objects/{digest[:2]}/{digest}"


def _read(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from iter(lambda: file.read(PIECE), b"")
    except OSError as error:
        raise StoreDamaged(
            f"'{path.name}' of the snapshot does not read ({error.strerror or error});"
            f" {REBUILD}, {FROM_BACKUP}"
        ) from None
