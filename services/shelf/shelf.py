"""The shelf: which snapshots lie there whole, where each environment stands, what nodes report.

    objects/ab/<sha256>                        a piece of a file, by its content
    snapshots/<id>.json                        manifest of a snapshot whose objects are all there
    retired/<id>.json                          manifest that `gc` has taken out, with its date
    environments/<name>/moves/<number>.json    each created only if it is not there; the highest
                                               number says where the environment stands
    environments/<name>/offers/<id>.json       what nodes are asked to fetch before a move
    environments/<name>/nodes/<node>.json      what each node has

No object but those of offers and nodes ever changes.
"""

import getpass
import re
import secrets
import socket
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from services.contract.errors import (
    NotFound,
    SettingsInvalid,
    ShelfDamaged,
    ShelfMoved,
    ShelfUnavailable,
)
from services.contract.queries import shortened

from .manifest import Manifest
from .objects import Found, Objects
from .sealed import Move, NodeReport, Offer

SNAPSHOTS: Final = "snapshots"
RETIRED: Final = "retired"
PIECES: Final = "objects"
ENVIRONMENTS: Final = "environments"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Shelf:
    """Snapshots in one place. Every method raises ShelfUnavailable, and ShelfDamaged where what it
    reads is not as it was written.
    """

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self.url = objects.url

    def manifest(self, snapshot_id: str, *, or_retired: bool = False) -> Manifest:
        """What a snapshot consists of; `or_retired` finds one that `gc` was just taking out when an
        environment moved to it. Raises NotFound for one that does not lie there.
        """
        name = manifest_name(snapshot_id)
        content = self.objects.read(name)
        if content is None and or_retired:
            content = self.objects.read(retired_name(snapshot_id))
        if content is None:
            there = ", ".join(sorted(self.snapshots(), reverse=True)) or "none yet"
            raise NotFound(
                f"The shelf '{self.url}' has no snapshot '{shortened(snapshot_id)}'; it has {there}"
            )
        manifest = Manifest.opened(content, name, self.url)
        if manifest.snapshot_id != snapshot_id:
            raise ShelfDamaged(f"'{name}' on the shelf '{self.url}' is of another snapshot")
        return manifest

    def snapshots(self) -> dict[str, Found]:
        """The manifests of all whole snapshots, by id."""
        return {_id_of(one): one for one in self.objects.listed(SNAPSHOTS)}

    def pieces(self) -> dict[str, Found]:
        """All objects that hold pieces, by name."""
        return {one.name: one for one in self.objects.listed(PIECES)}

    def environments(self) -> list[str]:
        """Names of the environments that have ever stood somewhere."""
        names = {one.name.split("/")[1] for one in self.objects.listed(ENVIRONMENTS)}
        return sorted(names)


class Environment:
    """One audience of a shelf, such as production: it stands at one snapshot, for all its nodes."""

    def __init__(self, shelf: Shelf, name: str) -> None:
        """Raises SettingsInvalid for a name that cannot be part of an object's."""
        self.shelf = shelf
        self.name = named(name, "an environment")
        self._folder = f"{ENVIRONMENTS}/{name}"
        self._objects = shelf.objects

    def step(self) -> int:
        """The number of the newest step, readable or not; 0 before the first."""
        return max((_number_of(one) for one in self._steps()), default=0)

    def stands(self) -> Move | None:
        """The newest step: where the environment stands; null before the first."""
        number = self.step()
        return self._move(number) if number else None

    def moves(self) -> Iterator[Move]:
        """All steps that are kept, newest first."""
        for number in sorted(map(_number_of, self._steps()), reverse=True):
            yield self._move(number)

    def move(self, snapshot_id: str, *, after: int) -> Move:
        """Moves the environment on from the step `after`. Whoever was first there wins: of several
        publishers, on a folder and on S3 alike, exactly one creates the next number.

        Raises ShelfMoved, which names the winner.
        """
        move = Move(
            number=after + 1,
            snapshot_id=snapshot_id,
            by=caller(),
            at=datetime.now(UTC),
            token=secrets.token_hex(8),
        )
        self.refuse_if_moved(after)
        if not after:
            self._refuse_without_conditions(move.token)
        if not self._objects.create(self._move_name(move.number), move.sealed()):
            raise self._moved_by(self._move(move.number))
        return move

    def refuse_if_moved(self, after: int) -> None:
        """Raises ShelfMoved once the environment does not stand at that step any more."""
        if (now := self.step()) != after:
            raise self._moved_by(self._move(now))

    def offer(self, snapshot_id: str, *, after: int) -> None:
        """Asks the nodes to fetch a snapshot before the environment moves to it."""
        offer = Offer(snapshot_id=snapshot_id, after=after, by=caller(), at=datetime.now(UTC))
        self._objects.write(f"{self._folder}/offers/{snapshot_id}.json", offer.sealed())

    def offers(self, *, after: int) -> list[Offer]:
        """What nodes are asked to fetch while the environment stands at that step, newest first."""
        valid = (one for one in self._offers() if one.after == after)
        return sorted(valid, key=lambda one: one.at, reverse=True)

    def void_offers(self, *, after: int) -> list[Offer]:
        """Offers that came to nothing, for the environment has gone on to that step."""
        return [one for one in self._offers() if one.after != after]

    def withdraw(self, snapshot_id: str) -> None:
        """Takes an offer back."""
        self._objects.delete([f"{self._folder}/offers/{snapshot_id}.json"])

    def report(self, report: NodeReport) -> None:
        """What a node says of itself, over what it said last."""
        self._objects.write(f"{self._folder}/nodes/{report.node}.json", report.sealed())

    def reports(self) -> list[NodeReport]:
        """The last report of every node, by its name. One that does not read says nothing."""
        reports = []
        for one in self._objects.listed(f"{self._folder}/nodes"):
            with suppress(ShelfDamaged):
                content = self._objects.read(one.name)
                reports.append(NodeReport.opened(content, one.name, self.shelf.url))
        return reports

    def forget_before(self, number: int) -> None:
        """Removes the steps before that number."""
        old = [one.name for one in self._steps() if _number_of(one) < number]
        self._objects.delete(old)

    def _refuse_without_conditions(self, token: str) -> None:
        """Raises ShelfUnavailable for a store that writes over what was to be created: there two
        publishers could both believe that they had won.
        """
        name = f"{self._folder}/probe-{token}"
        self._objects.create(name, b"first")
        obeyed = not self._objects.create(name, b"second")
        self._objects.delete([name])
        if not obeyed:
            raise ShelfUnavailable(
                f"The shelf '{self.shelf.url}' does not know conditional writes (If-None-Match), so"
                " that two publishers could not be told apart; use another store, or a folder"
            )

    def _moved_by(self, winner: Move) -> ShelfMoved:
        return ShelfMoved(
            f"'{self.name}' was moved meanwhile: {winner.by} moved it to {winner.snapshot_id} at"
            f" {winner.at:%H:%M:%S} UTC, and this publisher moved nothing; publish again to move on"
            " from there"
        )

    def _offers(self) -> list[Offer]:
        """All offers that read: one that does not asks for nothing."""
        offers = []
        for one in self._objects.listed(f"{self._folder}/offers"):
            with suppress(ShelfDamaged):
                content = self._objects.read(one.name)
                offers.append(Offer.opened(content, one.name, self.shelf.url))
        return offers

    def _steps(self) -> list[Found]:
        return self._objects.listed(f"{self._folder}/moves")

    def _move(self, number: int) -> Move:
        name = self._move_name(number)
        move = Move.opened(self._objects.read(name), name, self.shelf.url)
        if move.number != number:
            raise ShelfDamaged(f"'{name}' on the shelf '{self.shelf.url}' is of another step")
        return move

    def _move_name(self, number: int) -> str:
        return f"{self._folder}/moves/{number:08d}.json"


def manifest_name(snapshot_id: str) -> str:
    """Where a snapshot's manifest lies."""
    return f"{SNAPSHOTS}/{snapshot_id}.json"


def retired_name(snapshot_id: str) -> str:
    """Where the manifest of one that was taken out lies."""
    return f"{RETIRED}/{snapshot_id}.json"


def caller() -> str:
    """Who is at work here: user@machine."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container may have no user of that number
        user = "somebody"
    return f"{user}@{socket.gethostname()}"


def named(text: str, what: str) -> str:
    """A name that may be part of an object's. Raises SettingsInvalid."""
    if not _NAME.fullmatch(text):
        raise SettingsInvalid(
            f"'{shortened(text)}' cannot be the name of {what}: letters, digits, '.', '_' and"
            " '-', 64 at most"
        )
    return text


def _id_of(found: Found) -> str:
    return found.name.rpartition("/")[2].removesuffix(".json")


def _number_of(found: Found) -> int:
    text = _id_of(found)
    return int(text) if text.isdecimal() else 0
