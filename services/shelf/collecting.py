"""Removes from a shelf what no environment needs any more, while others publish and follow.

A snapshot goes in two steps: its manifest is retired, and a day later its objects are removed. A
publisher counts on an object only where a manifest that is not retired names it, or where it is
less than half a day old, and sends it again otherwise; so no snapshot loses an object between the
time that its publisher saw it and the time that its manifest names it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from .manifest import Manifest
from .publishing import UNNAMED_FOR
from .shelf import RETIRED, Environment, Shelf, manifest_name, retired_name

#: Steps of an environment that stay.
_STEPS: Final = 100


@dataclass(frozen=True, slots=True)
class Collected:
    """What was removed, and what stays."""

    retired: tuple[str, ...]
    objects: int
    freed: int
    #: Bytes of objects that nothing needs, which are too young to be removed yet.
    waiting: int
    snapshots: tuple[str, ...]


def collect(shelf: Shelf, *, keep: int, unnamed_for: timedelta = UNNAMED_FOR) -> Collected:
    """Keeps of every environment the snapshot it stands at and the others it stood at last, `keep`
    together; what is offered; and what was published less than `unnamed_for` ago. With nothing for
    `unnamed_for` all else goes at once, and nobody may be publishing meanwhile.

    Raises ShelfUnavailable; ShelfDamaged for a manifest that does not read, for without it nobody
    knows which objects are needed, so that nothing is removed.
    """
    now = datetime.now(UTC)
    before = now - unnamed_for if unnamed_for else now + UNNAMED_FOR
    needed: set[str] = set()
    for name in shelf.environments():
        needed |= _needed(Environment(shelf, name), keep)
    _bring_back(shelf, needed)
    there = shelf.snapshots()
    needed |= {one for one, found in there.items() if found.modified > before}
    manifests = {one: shelf.manifest(one) for one in there}
    retired = tuple(sorted(set(there) - needed))
    for snapshot_id in retired:
        sealed = manifests.pop(snapshot_id).sealed()
        shelf.objects.write(retired_name(snapshot_id), sealed)
        shelf.objects.delete([manifest_name(snapshot_id)])
    objects, freed, waiting = _remove_objects(shelf, manifests.values(), before)
    for name in shelf.environments():
        _tidy(Environment(shelf, name))
    freed += shelf.objects.remove_half_written(unnamed_for.total_seconds())
    return Collected(retired, objects, freed, waiting, tuple(sorted(manifests)))


def _needed(environment: Environment, keep: int) -> set[str]:
    """Where an environment stands and stood last, and what is offered to its nodes."""
    kept: dict[str, None] = {}
    for move in environment.moves():
        if len(kept) == keep and move.snapshot_id not in kept:
            break
        kept[move.snapshot_id] = None
    return {*kept, *(one.snapshot_id for one in environment.offers(after=environment.step()))}


def _bring_back(shelf: Shelf, snapshot_ids: set[str]) -> None:
    """An environment may have been moved to a snapshot while it was being retired."""
    for snapshot_id in snapshot_ids - set(shelf.snapshots()):
        content = shelf.objects.read(retired_name(snapshot_id))
        if content is not None:
            shelf.objects.write(manifest_name(snapshot_id), content)
            shelf.objects.delete([retired_name(snapshot_id)])


def _remove_objects(
    shelf: Shelf, staying: Iterable[Manifest], before: datetime
) -> tuple[int, int, int]:
    """Removes the objects that no manifest names and that are old enough: how many, their bytes,
    and the bytes of those that are too young.
    """
    named = {piece.name for manifest in staying for piece in manifest.pieces()}
    past: list[str] = []
    for found in shelf.objects.listed(RETIRED):
        if found.modified > before:
            manifest = Manifest.opened(shelf.objects.read(found.name), found.name, shelf.url)
            named.update(piece.name for piece in manifest.pieces())
        else:
            past.append(found.name)
    every = shelf.pieces().values()
    gone = [one for one in every if one.name not in named and one.modified <= before]
    waiting = [one for one in every if one.name not in named and one.modified > before]
    shelf.objects.delete([*(one.name for one in gone), *past])
    return len(gone), sum(one.size for one in gone), sum(one.size for one in waiting)


def _tidy(environment: Environment) -> None:
    """Takes back offers that are void, and forgets steps of long ago."""
    step = environment.step()
    for offer in environment.void_offers(after=step):
        environment.withdraw(offer.snapshot_id)
    environment.forget_before(step - _STEPS + 1)
