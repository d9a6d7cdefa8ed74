"""A store built anew from what its newest snapshot was built of, whatever became of that snapshot.

Reported sources come from its archive; made-up loans are made again by their seed.
"""

import json
from contextlib import closing
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
from services.store.checksums import FILE, Checksums
from services.store.publisher import SnapshotPublisher
from services.store.snapshot import SUMMARY, current_id, folder_of, published

#: Snapshots of before 2026-11-22 do not say by which seed their loans were made up.
_USUAL_SEED = 1


def rebuild(
    store: Path, *, keep: int, assumptions: Assumptions, progress: Progress = silent
) -> Snapshot:
    """Publishes a snapshot of the loans of the newest one, scored by today's rules.

    `keep` is how many snapshots stay. Raises StoreMissing where there is none; StoreDamaged, which
    says what to import again, where what it was built of does not read; StoreBusy, StoreFull.
    """
    found = published(store)
    newest = folder_of(store, found[0] if found else current_id(store))
    portfolios = _built_of(newest, lambda stage, part: progress(stage, 0.3 * part))
    return load(
        portfolios,
        assumptions=assumptions,
        into=SnapshotPublisher(store, keep=keep),
        alone=True,
        progress=lambda stage, part: progress(stage, 0.3 + 0.7 * part),
    )


def _built_of(snapshot: Path, progress: Progress) -> list[Portfolio]:
    """Its sources. Raises StoreDamaged."""
    reported = archive.load(snapshot)
    if any(one.info.importer == "mirror" for one in reported):
        raise StoreDamaged(
            "This is the mirror of an API; run 'creditatlas mirror' to fill it again"
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
            f"'{SUMMARY}' of the newest snapshot does not say what it was built of; remove the"
            " store's folder, then run 'creditatlas demo' or import its files again"
        ) from None


def _made_up(source: dict[str, Any], progress: Progress) -> Portfolio:
    seed = source.get("seed")
    return demo.portfolio(
        loans=int(source["records_read"]),
        seed=_USUAL_SEED if seed is None else int(seed),
        as_of=date.fromisoformat(source["as_of"]),
        progress=progress,
    )
