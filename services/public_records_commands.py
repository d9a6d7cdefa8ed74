"""The commands that import public records of loans: `hud`, `county`, `sba`."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from services.contract.errors import InvalidRequest
from services.contract.queries import shortened
from services.contract.rounding import number_of
from services.settings import load
from services.terminal import StoreFolder, progress_bar

if TYPE_CHECKING:
    from services.contract.portfolio import Portfolio
    from services.settings import Settings
    from services.signals.assumptions import Assumptions

Paths = Annotated[list[Path], typer.Argument(help="CSV or XLSX files, or folders of them.")]
AsOf = Annotated[str, typer.Option(help="The day that they speak of, YYYY-MM-DD.")]


def add_to(imports: typer.Typer) -> None:
    """Adds the commands to a group."""
    imports.command()(hud)
    imports.command()(county)
    imports.command()(sba)


def hud(paths: Paths, as_of: AsOf, store: StoreFolder = None) -> None:
    """Import HUD's list of insured multifamily mortgages, and a catalogue of assisted housing with
    its owners, managers and contracts. They join by project number, also over several imports.
    """
    from services.importers import hud as importer
    from services.store import filed

    settings = load(store=store)
    resting = _assumptions(settings)
    found, brought = importer.portfolio(
        paths,
        as_of=_day(as_of),
        earlier=lambda kind: [path for path, _ in filed.kept(settings.store, "hud", kind)],
    )
    _load([found], settings, resting)
    for kind, files in brought.items():
        filed.replace(settings.store, "hud", kind, files)


def county(
    paths: Paths,
    as_of: AsOf,
    profile: Annotated[
        Path | None, typer.Option(help="What the columns of the files are (TOML).")
    ] = None,
    store: StoreFolder = None,
) -> None:
    """Import county records: mortgages, deeds, assignments, satisfactions, owners by year. A loan
    is a recording, on however many parcels; a trustee is no lender.
    """
    from services.importers import county as importer

    settings = load(store=store)
    resting = _assumptions(settings)
    found = importer.portfolios(paths, as_of=_day(as_of), profile=profile)
    _load(found, settings, resting)


def sba(
    paths: Paths,
    as_of: Annotated[
        str | None, typer.Option(help="Day of files that state none, YYYY-MM-DD.", metavar="DATE")
    ] = None,
    store: StoreFolder = None,
) -> None:
    """Import SBA loans: 7(a), 504 with the third party's loan before the debenture, and the table
    of past loans that studies use.
    """
    from services.importers import sba as importer

    settings = load(store=store)
    resting = _assumptions(settings)
    found = importer.portfolios(paths, as_of=None if as_of is None else _day(as_of))
    _load(found, settings, resting)


def _assumptions(settings: "Settings") -> "Assumptions":
    from services.startup_checks import assumptions

    return assumptions(settings)


def _load(found: "Sequence[Portfolio]", settings: "Settings", resting: "Assumptions") -> None:
    """Publishes sources beside what the store holds, and says what is in them."""
    from services import pipeline
    from services.desk.opening import verdicts
    from services.store.publisher import SnapshotPublisher

    with progress_bar() as report:
        snapshot = pipeline.load(
            found,
            into=SnapshotPublisher(settings.store, keep=settings.keep_snapshots),
            assumptions=resting,
            verdicts=verdicts(settings),
            progress=report,
        )
    for one in found:
        rejected = len(set(one.rejects["record"].to_pylist()))
        typer.echo(
            f"{one.info.title}: {number_of(one.info.records_read, 'record')},"
            f" {one.info.records_read - rejected:,} loaded as"
            f" {number_of(one.loans.num_rows, 'loan')},"
            f" {number_of(one.entities.num_rows, 'party', 'parties')} and"
            f" {number_of(one.edges.num_rows, 'link')},"
            f" {rejected:,} rejected; see Sources for the reasons"
        )
    typer.echo(f"The store {settings.store} now holds {number_of(snapshot.loans, 'loan')}")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidRequest(
            f"--as-of is '{shortened(text)}' but must be a day written as YYYY-MM-DD",
            parameter="as-of",
        ) from None
