"""What a snapshot consists of: its files, cut into pieces that are objects by their content. Two
snapshots that share a file, or a beginning of one, share its objects.

A piece is named by the SHA-256 of those of its blocks, which the snapshot's checksums have already:
so one look at its bytes says that they are what was built and what was published.
"""

import json
from collections.abc import Iterable, Iterator
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
from services.store.snapshot import FILE_FORMAT, REBUILD, SUMMARY

from .sealed import Sealed, SnapshotId

#: Blocks of a piece, 16 MiB: small enough to be fetched again after a cut, and to be held in memory
#: by several threads; large enough for 100 GB to be 6,400 objects.
BLOCKS: Final = 16
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

    def holds(self, content: bytes) -> bool:
        """Whether these are its bytes."""
        return len(content) == self.size and digest_of(checksums.digests(content)) == self.digest


class FileListed(Record):
    """One file of a snapshot."""

    path: Annotated[str, AfterValidator(_inside)]
    bytes: int = Field(ge=0)
    #: Of each piece the SHA-256 of those of its blocks, in order.
    pieces: tuple[Digest, ...]

    def cut(self, size: int) -> Iterator[Piece]:
        """Its pieces of that size, in order."""
        for at, digest in enumerate(self.pieces):
            yield Piece(self.path, at * size, min(size, self.bytes - at * size), digest)


class Manifest(Sealed):
    """All of a snapshot, by hash. Of the same snapshot always the same bytes."""

    snapshot_id: SnapshotId
    as_of: date
    file_format: int
    built_at: datetime
    loans: int
    sources: tuple[str, ...]
    piece: int = Field(gt=0)
    #: Bytes of a block; 0 in manifests of before, whose pieces are named otherwise.
    block: int = 0
    files: tuple[FileListed, ...]

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if len({one.path for one in self.files}) != len(self.files):
            raise ValueError("names a file twice")
        if any(len(one.pieces) != -(-one.bytes // self.piece) for one in self.files):
            raise ValueError("has other pieces than its files have bytes")
        return self

    @classmethod
    def of(cls, folder: Path) -> Self:
        """That of a snapshot's folder, where all files are there, as long as they were: by what its
        checksums say, whether the files still are so or not.

        Raises StoreDamaged.
        """
        checksums.refuse_other_format(folder)
        with closing(checksums.Checksums.open(folder)) as held:
            held.check(SUMMARY)
        said = json.loads((folder / SUMMARY).read_bytes())
        return cls(
            snapshot_id=said["snapshot_id"],
            as_of=said["as_of"],
            file_format=said["file_format"],
            built_at=said["built_at"],
            loans=said["loans"],
            sources=tuple(source["title"] for source in said["sources"]),
            piece=BLOCKS * checksums.BLOCK,
            block=checksums.BLOCK,
            files=files_of(folder),
        )

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.bytes for file in self.files)

    def pieces(self) -> Iterator[Piece]:
        """Every piece of every file, in their order; one object may be several of them."""
        for file in self.files:
            yield from file.cut(self.piece)

    def refuse_other_format(self) -> None:
        """Raises StoreDamaged for a snapshot of another format than is read here, or whose pieces
        are named otherwise.
        """
        named = (self.piece, self.block) == (BLOCKS * checksums.BLOCK, checksums.BLOCK)
        if self.file_format == FILE_FORMAT and not named:
            raise StoreDamaged(
                f"Snapshot {self.snapshot_id} of the shelf was published by another version of"
                " Credit Atlas, which named its objects otherwise; publish it again with this one"
            )
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


def files_of(folder: Path) -> tuple[FileListed, ...]:
    """The files of a snapshot by path, as its checksums have them. Raises StoreDamaged."""
    written = checksums.written(folder)
    own = (folder / checksums.FILE).read_bytes()
    written[checksums.FILE] = checksums.Written(len(own), checksums.digests(own))
    return tuple(
        FileListed(
            path=name,
            bytes=one.bytes,
            pieces=tuple(
                digest_of(one.blocks[at : at + BLOCKS]) for at in range(0, len(one.blocks), BLOCKS)
            ),
        )
        for name, one in sorted(written.items())
    )


def digest_of(blocks: Iterable[str]) -> str:
    """What names a piece, by what its blocks are."""
    return sha256(bytes.fromhex("".join(blocks))).hexdigest()


def object_name(digest: str) -> str:
    """Where the piece of that digest lies on a shelf."""
    return f"objects/{digest[:2]}/{digest}"
