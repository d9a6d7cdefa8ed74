"""A store rebuilt from what its newest snapshot was built of, whatever became of that snapshot.

Reported sources come from its archive; made-up loans are made again by their seed. Where only
`current` is damaged, what it should name is made current again.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from datetime import date
from pathlib import Path
from typing import Any

from services.contract.book import Progress
from services.contract.errors import StoreDamaged
from services.contract.period import Filing
from services.contract.resolution import Pair, Verdict
from services.contract.snapshot_info import Snapshot
from services.importers import demo
from services.pipeline import NO_VERDICTS, Scoring, load_filings, silent
from services.signals.assumptions import Assumptions
from services.store import archive, periods
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
    verdicts: Mapping[Pair, Verdict] = NO_VERDICTS,
    progress: Progress = silent,
    say: Callable[[str], None] = lambda _: None,
) -> Snapshot:
    """Publishes a snapshot of the loans of the newest one, scored by today's rules. Where `current`
    is damaged, the newest snapshot that is as it was written is made current again as it is.

    `keep` is how many snapshots stay; `say` gets a sentence for what could not be
    used. Raises StoreMissing where there is none; StoreDamaged, which says what to import again,
    where what it was built of does not read; StoreBusy, StoreFull.
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
        usable = _first_usable(store, found, progress, say)
        if isinstance(usable, Snapshot):
            return usable
        filings, folder = usable
        keep = max(keep, len(found) + 1)  # nobody knows what was listed
    else:
        folder = folder_of(store, snapshot_id)
        filings = _built_of(folder)
    return load_filings(
        filings,
        scoring=Scoring(assumptions),
        into=SnapshotPublisher(store, keep=keep, after=folder, passed_over=say),
        alone=True,
        verdicts=verdicts,
        progress=lambda stage, part: progress(stage, 0.3 + 0.7 * part),
    )


def _first_usable(
    store: Path, found: list[str], progress: Progress, say: Callable[[str], None]
) -> Snapshot | tuple[list[Filing], Path]:
    """The newest snapshot that is as it was written, listed again; or what the newest was built of,
    where it is damaged and that reads, and its folder. Raises StoreDamaged, about the newest.
    """
    faults = []
    for snapshot_id in found:
        folder = folder_of(store, snapshot_id)
        with suppress(StoreDamaged):
            verify(folder, lambda part: progress("reading", 0.3 * part))
            relist(store, snapshot_id)
            return Snapshot.model_validate_json((folder / SUMMARY).read_bytes())
        try:
            filings = _built_of(folder)
        except StoreDamaged as fault:
            faults.append(fault)
            say(
                f"Snapshot {snapshot_id} does not read and was passed over; it was built of"
                f" {archive.files_of(folder)}"
            )
        else:
            relist(store, snapshot_id)
            return filings, folder
    raise faults[0]


def _built_of(snapshot: Path) -> list[Filing]:
    """Its sources. Raises StoreDamaged."""
    reported = archive.load(snapshot)
    if any(one.info.importer == "mirror" for one in reported):
        raise StoreDamaged(
            f"This is the mirror of an API; {START_AFRESH} ({snapshot.parent}), then run"
            " 'creditatlas mirror' to fill it again"
        )
    if reported:
        return [Filing.of(one) for one in reported]
    try:
        if (snapshot / FILE).exists():
            with closing(Checksums.open(snapshot, only=SUMMARY)) as checksums:
                checksums.check_all()
        (source,) = json.loads((snapshot / SUMMARY).read_bytes())["sources"]
        return _made_up(source, quarters=_quarters(snapshot))
    except (OSError, ValueError, LookupError, TypeError, StoreDamaged):
        raise StoreDamaged(
            f"'{SUMMARY}' of the newest snapshot does not say what it was built of; {START_AFRESH},"
            " then run 'creditatlas demo' or import its files again"
        ) from None


def _quarters(snapshot: Path) -> int:
    with suppress(StoreDamaged):
        return len(periods.listed(snapshot))
    return 0


def _made_up(source: dict[str, Any], *, quarters: int) -> list[Filing]:
    """As many quarters as there were; the usual number where no period is listed."""
    seed = source.get("seed")
    return demo.filings(
        loans=int(source["records_read"]),
        seed=_USUAL_SEED if seed is None else int(seed),
        as_of=date.fromisoformat(source["as_of"]),
        count=min(quarters or demo.MOST_QUARTERS, demo.MOST_QUARTERS),
    )
