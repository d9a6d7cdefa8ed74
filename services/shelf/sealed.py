"""What a shelf says in small objects: JSON with a SHA-256 of itself, by which a flipped byte is
seen.
"""

import json
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Final, Self

from pydantic import AfterValidator, ConfigDict, Field, ValidationError

from services.contract.errors import ShelfDamaged
from services.contract.records import Record
from services.store.snapshot import ID

_SEAL: Final = "sha256"


def _snapshot_id(text: str) -> str:
    if not ID.fullmatch(text):
        raise ValueError("is not the id of a snapshot")
    return text


#: As a snapshot's folder has it: nothing that leads elsewhere when it becomes a path.
SnapshotId = Annotated[str, AfterValidator(_snapshot_id)]


class Sealed(Record):
    """A small object of a shelf. What a later version adds to one is passed over."""

    model_config = ConfigDict(extra="ignore")

    def sealed(self) -> bytes:
        """The object's content; of the same facts always the same."""
        facts = self.model_dump(mode="json")
        return json.dumps({**facts, _SEAL: _digest(facts)}, sort_keys=True).encode()

    @classmethod
    def opened(cls, content: bytes | None, name: str, url: str) -> Self:
        """What an object says. Raises ShelfDamaged for one that is missing, or does not hold."""
        if content is None:
            raise damaged(name, url, "is missing")
        try:
            facts = json.loads(content)
            if facts.pop(_SEAL) == _digest(facts):
                return cls.model_validate(facts)
        except (ValueError, LookupError, TypeError, AttributeError, ValidationError):
            pass
        raise damaged(name, url, "is not as it was written")


class Move(Sealed):
    """One step of an environment to a snapshot. Steps are numbered; the highest speaks."""

    number: int = Field(ge=1)
    snapshot_id: SnapshotId
    #: Who moved it: user@machine.
    by: str
    at: datetime
    #: Tells this step from that of another publisher who wanted the same at the same time.
    token: str


class Offer(Sealed):
    """A snapshot that nodes are asked to fetch before an environment moves to it."""

    snapshot_id: SnapshotId
    #: The step that the environment stood at. Once it has gone on the offer is void.
    after: int
    by: str
    at: datetime


class NodeReport(Sealed):
    """What one node has: written by the node, each time over the last."""

    node: str
    #: What its readers read; null before the first snapshot.
    reads: SnapshotId | None
    #: What it has fetched and verified besides, for an environment that may move there.
    ready: tuple[SnapshotId, ...] = ()
    at: datetime
    #: Seconds between two looks at the shelf.
    every: float
    #: Why it does not have what it should; None where all is well.
    problem: str | None = None

    def has(self, snapshot_id: str) -> bool:
        """Whether readers of this node could read that snapshot at once."""
        return snapshot_id == self.reads or snapshot_id in self.ready


def damaged(name: str, url: str, what: str) -> ShelfDamaged:
    """The error of an object that is not what was published, and what to do about it."""
    return ShelfDamaged(
        f"'{name}' on the shelf '{url}' {what}; publish the snapshot again with"
        f" 'creditatlas publish --to {url} --mend' from where it was built, or move to another with"
        f" 'creditatlas snapshots use ID --on {url}'"
    )


def _digest(facts: object) -> str:
    return sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
