"""The command line `creditatlas`: fill the embedded store, say what is in it."""

import os
import sys
from datetime import UTC, date, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console

from services.api.commands import keys, plan_beside_pages, serve
from services.assistants.command import mcp
from services.cases.command import cases
from services.contract.errors import (
    CreditAtlasError,
    ImportRefused,
    InvalidRequest,
    StoreDamaged,
    StoreMissing,
)
from services.contract.queries import shortened
from services.contract.rounding import number_of
from services.desk.commands import desk
from services.digest.command import digest
from services.edgar_command import edgar
from services.maintenance import rebuild, status, verify
from services.periods import load_and_say, periods
from services.public_records_commands import add_to
from services.settings import PREFIX, Settings, load
from services.shelf.commands import follow, publish, snapshots, tables
from services.tape_command import tape
from services.terminal import StoreFolder, progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from services.contract.portfolio import Portfolio
    from services.signals.assumptions import Assumptions

LONGEST_ERROR = 2_000

app = typer.Typer(
    name="creditatlas",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Commercial real estate credit intelligence: fill the embedded store, see what is in it.",
)
imports = typer.Typer(
    no_args_is_help=True, help="Import public data, or your own tape, into the store."
)
app.add_typer(imports, name="import")
imports.command()(tape)
imports.command()(edgar)
add_to(imports)
app.add_typer(keys, name="keys")
app.add_typer(snapshots, name="snapshots")
app.add_typer(periods, name="periods")
app.add_typer(desk, name="desk")
app.add_typer(cases, name="cases")
for _command in (status, verify, rebuild, serve, publish, tables, follow, digest, mcp):
    app.command()(_command)


@app.command()
def demo(
    loans: Annotated[int, typer.Option(help="How many loans.")] = 5_000,
    seed: Annotated[int, typer.Option(help="Same seed, same portfolio.")] = 1,
    as_of: Annotated[str, typer.Option(help="Today for all figures, YYYY-MM-DD.")] = "2026-09-30",
    quarters: Annotated[
        int, typer.Option(help="How many quarters up to today are kept, 1 to 12.")
    ] = 12,
    store: StoreFolder = None,
    *,
    if_empty: Annotated[
        bool, typer.Option("--if-empty", help="Do nothing when the store holds data.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Also where the store holds reported data.")
    ] = False,
) -> None:
    """Build the demonstration portfolio: made-up loans that replace what the store holds."""
    from services.importers import demo as importer
    from services.pipeline import Scoring, load_filings
    from services.store.publisher import SnapshotPublisher
    from services.store.snapshot import there

    settings = load(store=store)
    if if_empty and _holds_data(settings.store):
        return
    keep = settings.keep_snapshots
    try:
        titles = _reported(settings.store)
    except StoreDamaged:
        if not replace:
            raise
        keep = max(keep, len(there(settings.store)) + 1)  # nobody knows what would go
    else:
        if titles and not replace:
            raise ImportRefused(
                f"The store {settings.store} holds reported data ({shortened('; '.join(titles))}),"
                " which made-up loans would replace; name another folder by --store, or pass"
                " --replace"
            )
    today = _day(as_of)
    assumptions = _assumptions(settings)
    with progress_bar() as report:
        snapshot = load_filings(
            importer.filings(loans=loans, seed=seed, as_of=today, count=quarters),
            into=SnapshotPublisher(settings.store, keep=keep),
            scoring=Scoring(assumptions),
            progress=report,
        )
    made_up = number_of(snapshot.loans, "made-up loan")
    _say(f"{made_up} as of {snapshot.as_of:%-d %b %Y} in {settings.store}")


def _holds_data(store: Path) -> bool:
    """Whether there is anything. Raises StoreDamaged where that cannot be told."""
    from services.store.snapshot import current_id

    try:
        return bool(current_id(store))
    except StoreMissing:
        return False


def _reported(store: Path) -> list[str]:
    """Titles of the reported sources that a store holds. Raises StoreDamaged."""
    from services.store.leases import Store as Snapshots

    snapshots = Snapshots(store)
    try:
        with snapshots.lease() as source:
            found = source.snapshot().sources
    except StoreMissing:
        return []
    finally:
        snapshots.close()
    return [one.title for one in found if one.provenance == "reported"]


@imports.command("sec-absee")
def sec_absee(
    paths: Annotated[list[Path], typer.Argument(help="Exhibit 102 files, or folders of them.")],
    deal: Annotated[
        str | None, typer.Option(help="Name of the one deal; by default from each file's name.")
    ] = None,
    store: StoreFolder = None,
) -> None:
    """Import SEC ABS-EE Exhibit 102 files (CMBS, Schedule AL): each a period of its deal, in any
    order; the newest of a deal is today's. An import that was stopped goes on where it was.
    """
    from services.importers import sec_absee as importer
    from services.store import filed

    settings = load(store=store)
    _assumptions(settings)
    load_and_say(importer.histories(paths, deal=deal), settings)
    filed.keep_all(settings.store, "sec-absee", importer.filings(paths))


@imports.command("crefc-irp")
def crefc_irp(
    paths: Annotated[
        list[Path], typer.Argument(help="Files as XLSX, CSV or TXT, or folders of them.")
    ],
    deal: Annotated[
        str | None, typer.Option(help="Name of the one deal; by default each transaction id.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option(help="Date of deals whose files state none, YYYY-MM-DD.")
    ] = None,
    store: StoreFolder = None,
) -> None:
    """Import files of CREFC's Investor Reporting Package: Loan Setup, Loan Periodic Update,
    Property, Financial, Servicer Watchlist. Files of a deal join, also with those of earlier
    imports; each distribution date is a period.
    """
    from services.importers import crefc_irp as importer
    from services.store import filed

    settings = load(store=store)
    _assumptions(settings)
    package = importer.package(
        paths,
        deal=deal,
        as_of=None if as_of is None else _day(as_of),
        earlier=partial(filed.kept, settings.store, "crefc-irp"),
    )
    load_and_say(package.filings, settings)
    for name, files in package.files.items():
        filed.keep(settings.store, "crefc-irp", name, files, named=deal is not None)


@imports.command()
def parties(
    path: Annotated[Path, typer.Argument(help="A CSV or JSON file of parties and links.")],
    as_of: Annotated[str, typer.Option(help="The day that it speaks of, YYYY-MM-DD.")],
    title: Annotated[
        str | None,
        typer.Option(help="What it is called, by default the file's name; it replaces its like."),
    ] = None,
    store: StoreFolder = None,
) -> None:
    """Import parties and links that somebody typed: they join the loans that the store holds."""
    from services.importers.parties import portfolio

    _join_parties(store, lambda: portfolio(path, as_of=_day(as_of), title=title))


def _register(name: str, about: str) -> None:
    """A command that imports files of a register of parties."""

    def run(
        paths: Annotated[list[Path], typer.Argument(help="Its files, or folders of them.")],
        as_of: Annotated[str, typer.Option(help="The day that they speak of, YYYY-MM-DD.")],
        store: StoreFolder = None,
    ) -> None:
        importer = import_module(f"services.importers.{name.replace('-', '_')}")
        _join_parties(store, lambda: importer.portfolio(paths, as_of=_day(as_of)))

    imports.command(name, help=about)(run)


_register("bods", "Import statements of the Beneficial Ownership Data Standard 0.4 (JSON).")
_register("gleif", "Import LEI records, relationships, exceptions and deltas of GLEIF (JSON, XML).")
_register("uk-psc", "Import the UK register of people with significant control (JSON).")


def _join_parties(store: Path | None, read: "Callable[[], Portfolio]") -> None:
    """Publishes a source of parties beside what the store holds."""
    from services import pipeline
    from services.desk.opening import verdicts
    from services.store.publisher import SnapshotPublisher

    settings = load(store=store)
    assumptions = _assumptions(settings)
    source = read()
    with progress_bar() as report:
        snapshot = pipeline.load(
            [source],
            into=SnapshotPublisher(settings.store, keep=settings.keep_snapshots),
            assumptions=assumptions,
            verdicts=verdicts(settings),
            progress=report,
        )
    _say(
        f"{source.info.title}: {number_of(source.entities.num_rows, 'party', 'parties')},"
        f" {number_of(source.edges.num_rows, 'link')},"
        f" {number_of(source.rejects.num_rows, 'record')} rejected; see Sources for what found"
        " no loan"
    )
    _say(f"The store {settings.store} now holds {number_of(snapshot.entities, 'party', 'parties')}")


@app.command()
def mirror(
    *,
    chains: Annotated[
        bool, typer.Option("--chains", help="Ownership chains too: one request a loan.")
    ] = False,
) -> None:
    """Copy the API's loans and signals into a local snapshot, within its quota; goes on where it
    stopped.
    """
    from services.sources import open_api_workspace

    workspace = open_api_workspace(load())
    try:
        api = workspace.upstream
        lists, with_chains = api.requests_needed()
        cost = with_chains if chains else lists
        _say(f"This takes about {cost:,} requests; {_left(api.budget.daily_remaining)}")
        with progress_bar() as report:
            filled = api.fill_mirror(chains=chains, progress=report)
    finally:
        workspace.close()
    for name, (kept, total) in filled.counts.items():
        _say(f"{name}: {kept:,} of {total:,}" + ("" if kept == total else ", incomplete"))


def _left(daily: int | None) -> str:
    return "the API does not say how many are left today" if daily is None else f"{daily:,} left"


@app.command("track-record")
def track_record(
    files: Annotated[
        list[Path], typer.Argument(help="Exhibit 102 files, one a month, or folders of them.")
    ],
    deal: Annotated[
        str | None,
        typer.Option(help="Name of the one trust of all files; by default from each file's name."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write here.", show_default="track_record.json in the store")
    ] = None,
    store: StoreFolder = None,
) -> None:
    """Score a history of filings at each date, and say what became of the loans."""
    from services.track_record import printed, saved
    from services.track_record.run import track_record as ran

    settings = load(store=store)
    assumptions = _assumptions(settings)
    with progress_bar() as report:
        today = datetime.now(UTC).date()
        run = ran(files, assumptions, today, deal=deal, progress=report)
    path = out or settings.store / saved.FILE
    saved.save(run, path)
    printed.show(run, Console())
    _say(f"Written to {path}")


@app.command()
def up(
    port: Annotated[int, typer.Option(min=1, max=65_535, help="Port to listen on.")] = 8_501,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 is every one of this machine.")
    ] = "127.0.0.1",
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Processes; each reads the store for itself.")
    ] = 1,
    base_path: Annotated[
        str, typer.Option(help="Path of a site to serve below, such as /atlas; else its root.")
    ] = "",
    store: StoreFolder = None,
    *,
    api: Annotated[
        bool, typer.Option("--api", help="Serve the API under /v1 too, for CREDIT_ATLAS_KEYS.")
    ] = False,
) -> NoReturn:
    """Serve the dashboard: pages, /healthz and /readyz."""
    _holds_data(load(store=store).store)
    if store is not None:
        os.environ[f"{PREFIX}STORE"] = str(store)
    # In place of this process: what serves pages lies above this layer and is not imported here.
    words = [sys.executable, "-m", "components.serving", "--port", str(port)]
    words += ["--host", host, "--processes", str(processes), f"--base-path={base_path}"]
    if api:
        plan_beside_pages(processes)
        words.append("--api")
    os.execv(sys.executable, words)  # noqa: S606


def _assumptions(settings: Settings) -> "Assumptions":
    """Those that settings name, read before anything else: a bad file changes nothing."""
    from services.startup_checks import assumptions

    return assumptions(settings)


def _day(text: str) -> date:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        raise InvalidRequest(
            f"--as-of is '{text}' but must be a day written as YYYY-MM-DD", parameter="as-of"
        ) from None


def _say(text: str) -> None:
    typer.echo(text)


def main() -> NoReturn:
    """Runs the command line; our errors are one sentence and exit code 2."""
    try:
        app(standalone_mode=True)
    except CreditAtlasError as error:
        # A sentence may quote the name of a file, and that may hold anything.
        typer.echo(f"creditatlas: {shortened(str(error), LONGEST_ERROR)}", err=True)
        sys.exit(2)
    except OSError as error:
        said = shortened(f"{error.strerror or error} ({error.filename or 'store'})", LONGEST_ERROR)
        typer.echo(f"creditatlas: {said}; nothing was changed", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        Console(stderr=True).print("creditatlas: stopped; nothing was changed")
        sys.exit(130)
    sys.exit(0)
