"""A store rebuilt from what its newest snapshot was built of, whatever became of that snapshot.

Reported sources come from its archive; made-up loans are made again by their seed. Where only
`current` is damaged, what it should name is made current again.
"""

import json
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import date
from pathlib import Path
from typing import Any

from services.contract.book import Progress
from services.contract.errors import StoreDamaged
from services.contract.loaded import Snapshot
from services.contract.portfolio import Portfolio
from services.importers import demo
from services.pipeline import load, silent
from services.signals.assumptions import Assumptions
from services.store import archive
from services.store.checksums import FILE, Checksums, verify
from services.store.publisher import SnapshotPublisher
from services.store.snapshot import (
    START_AFRESH,
    SUMMARY,
    accounted,
    current_id,
    folder_of,
    relist,
    there,
)

#: Snapshots of before 2026-11-22 do not say by which seed their loans were made up.
_USUAL_SEED = 1


def rebuild(
    store: Path,
    *,
    keep: int,
    assumptions: Assumptions,
    progress: Progress = silent,
    say: Callable[[str], None] = lambda _: None,
) -> Snapshot:
    """Publishes a snapshot of the loans of the newest one, scored by today's rules. Where `current`
    is damaged, the newest snapshot that is as it was written is made current again as it is.

    `keep` is how many snapshots stay; `say` is told what could not be used. Raises StoreMissing
    where there is none; StoreDamaged, which says what to import again, where what it was built of
    does not read; StoreBusy, StoreFull.
    """
    try:
        snapshot_id = current_id(store)
        accounted(store)
    except StoreDamaged as damage:
        found = there(store)
        if not found:
            raise StoreDamaged(
                f"{damage.message.partition(';')[0]}, and no snapshot is left; {START_AFRESH}, then"
                " run 'creditatlas demo' or import its files again"
            ) from None
        portfolios = _first_usable(store, found, progress, say)
        if isinstance(portfolios, Snapshot):
            return portfolios
        keep = max(keep, len(found) + 1)  # nobody knows what was listed
    else:
        portfolios = _built_of(folder_of(store, snapshot_id), _first_part(progress))
    return load(
        portfolios,
        assumptions=assumptions,
        into=SnapshotPublisher(store, keep=keep),
        alone=True,
        progress=lambda stage, part: progress(stage, 0.3 + 0.7 * part),
    )


def _first_usable(
    store: Path, found: list[str], progress: Progress, say: Callable[[str], None]
) -> Snapshot | list[Portfolio]:
    """The newest snapshot that is as it was written, listed again; or what the newest was built of,
    where it is damaged and that reads. Raises StoreDamaged, about the newest.
    """
    faults = []
    for snapshot_id in found:
        folder = folder_of(store, snapshot_id)
        with suppress(StoreDamaged):
            verify(folder, lambda part: progress("reading", 0.3 * part))
            relist(store, snapshot_id)
            return Snapshot.model_validate_json((folder / SUMMARY).read_bytes())
        try:
            portfolios = _built_of(folder, _first_part(progress))
        except StoreDamaged as fault:
            faults.append(fault)
            say(
                f"Snapshot {snapshot_id} does not read and was passed over; it was built of"
                f" {archive.files_of(folder)}"
            )
        else:
            relist(store, snapshot_id)
            return portfolios
    raise faults[0]


def _first_part(progress: Progress) -> Progress:
    return lambda stage, part: progress(stage, 0.3 * part)


def _built_of(snapshot: Path, progress: Progress) -> list[Portfolio]:
    """Its sources. Raises StoreDamaged."""
    reported = archive.load(snapshot)
    if any(one.info.importer == "mirror" for one in reported):
        raise StoreDamaged(
            f"This is the mirror of an API; {START_AFRESH} ({snapshot.parent}), then run"
            " 'creditatlas mirror' to fill it again"
        )
    if reported:
        return reported
    try:
        if (snapshot / FILE).exists():
            with closing(Checksums.open(snapshot, only=SUMMARY)) as checksums:
                checksums.check_all()
        (source,) = json.loads((snapshot / SUMMARY).read_bytes())["sources"]
        return [_made_up(source, progress)]
    except (OSError, ValueError, LookupError, TypeError, StoreDamaged):
        raise StoreDamaged(
            f"'{SUMMARY}' of the newest snapshot does not say what it was built of; {START_AFRESH},"
            " then run 'creditatlas demo' or import its files again"
        ) from None


def _made_up(source: dict[str, Any], progress: Progress) -> Portfolio:
    seed = source.get("seed")
    return demo.portfolio(
        loans=int(source["records_read"]),
        seed=_USUAL_SEED if seed is None else int(seed),
        as_of=date.fromisoformat(source["as_of"]),
        progress=progress,
    )
