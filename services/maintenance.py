"""The commands that look after a store: say what it holds, verify it, rebuild it."""

import json
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from services.contract.errors import CreditAtlasError, DeskUnavailable
from services.contract.rounding import number_of
from services.contract.snapshot_info import Snapshot
from services.settings import Settings, load
from services.terminal import StoreFolder, progress_bar


def status(
    store: StoreFolder = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Say what the store holds."""
    from services.store.leases import Store as Snapshots
    from services.store.snapshot import accounted

    snapshots = Snapshots(load(store=store).store)
    try:
        with snapshots.lease() as source:
            snapshot = source.snapshot()
    finally:
        snapshots.close()
    if as_json:
        typer.echo(json.dumps(snapshot.model_dump(mode="json"), indent=2, ensure_ascii=False))
    else:
        _print(snapshot)
    # Newer loans may lie in a snapshot that nothing lists.
    accounted(snapshots.folder)


def verify(store: StoreFolder = None) -> None:
    """Check the files of the current snapshot, and what users wrote, against their checksums."""
    settings = load(store=store)
    damage = _verify_desk(settings)
    try:
        _verify_snapshot(settings.store)
    except CreditAtlasError as error:
        raise error if damage is None else type(error)(f"{error}. {damage}") from None
    if damage:
        raise damage


def _verify_desk(settings: Settings) -> DeskUnavailable | None:
    """Says that the desk is whole; what is wrong where it is not."""
    from services.desk.opening import opened

    found = opened(settings)
    try:
        rows = found.verify()
    except DeskUnavailable as error:
        return error
    if rows:
        counts = ", ".join(f"{count:,} {table.replace('_', ' ')}" for table, count in rows.items())
        typer.echo(f"The desk {found.shown} is as it was written: {counts}")
    return None


def _verify_snapshot(folder: Path) -> None:
    from services.store import checksums
    from services.store.snapshot import accounted, current_id, folder_of

    snapshot_id = current_id(folder)
    started = time.perf_counter()
    with progress_bar() as report:
        files, size = checksums.verify(
            folder_of(folder, snapshot_id), lambda part: report("reading", part)
        )
    seconds = time.perf_counter() - started
    typer.echo(
        f"Snapshot {snapshot_id} is as it was written: {number_of(files, 'file')},"
        f" {size / 2**20:,.1f} MiB, read in {seconds:.2f} s"
    )
    accounted(folder)


def rebuild(store: StoreFolder = None) -> None:
    """Build the store again from what it was built of: after damage, or by another version."""
    from services.desk.opening import verdicts
    from services.rebuilding import rebuild as built
    from services.startup_checks import assumptions
    from services.store.snapshot import there

    settings = load(store=store)
    scored_by = assumptions(settings)
    before = there(settings.store)
    with progress_bar() as report:
        snapshot = built(
            settings.store,
            keep=settings.keep_snapshots,
            assumptions=scored_by,
            verdicts=verdicts(settings),
            progress=report,
            say=typer.echo,
        )
    again = f"Snapshot {snapshot.snapshot_id} is as it was written, and current again"
    titles = ", ".join(source.title for source in snapshot.sources)
    how = again if snapshot.snapshot_id in before else "Rebuilt"
    typer.echo(f"{how}: {number_of(snapshot.loans, 'loan')} of {titles} in {settings.store}")


def _print(snapshot: Snapshot) -> None:
    console = Console()
    table = Table("", *(source.title for source in snapshot.sources), "together")
    rows: tuple[tuple[str, str], ...] = (
        ("loans", "loans"),
        ("book value, USD", "book_value"),
        ("properties", "properties"),
        ("entities", "entities"),
        ("edges", "edges"),
        ("signals", "signals"),
        ("rejected records", "rejected"),
    )
    for label, field in rows:
        given = [getattr(source, field) for source in snapshot.sources]
        parts = ["-" if one is None else f"{one:,}" for one in given]
        table.add_row(label, *parts, f"{getattr(snapshot, field):,}")
    table.add_row("provenance", *(source.provenance for source in snapshot.sources), "")
    coupon = snapshot.weighted_coupon
    console.print(f"Snapshot {snapshot.snapshot_id}, as of {snapshot.as_of:%-d %b %Y}")
    console.print(f"Weighted coupon {'-' if coupon is None else f'{coupon:.4f} %'}")
    console.print(table)
    for used in snapshot.rests_on:
        console.print(f"{used.table.capitalize()}: {used.source}", markup=False, soft_wrap=True)
