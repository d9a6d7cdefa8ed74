"""The commands `publish`, `follow` and `snapshots`. The object store's library is imported where a
command needs it.
"""

import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from services.contract.errors import CreditAtlasError, SettingsInvalid, StoreDamaged
from services.contract.queries import shortened
from services.contract.snapshot_info import Snapshot
from services.settings import PREFIX, Settings, load
from services.terminal import StoreFolder, progress_bar

if TYPE_CHECKING:
    from services.tables.writing import Written

    from .following import Node
    from .shelf import Environment, Shelf

snapshots = typer.Typer(
    no_args_is_help=True,
    help="Snapshots of a shelf (--on URL) or of the store: list them, use one, remove old ones.",
)

_SHELF = f"{PREFIX}SHELF"
_WHERE = "A folder, or s3://bucket/prefix."
_LONGEST_ERROR = 2_000
_STOPPED = 130

To = Annotated[str, typer.Option("--to", envvar=_SHELF, help=f"The shelf. {_WHERE}")]
From = Annotated[str, typer.Option("--from", envvar=_SHELF, help=f"The shelf. {_WHERE}")]
On = Annotated[
    str | None, typer.Option("--on", help=f"The shelf. {_WHERE}", show_default="the store")
]
EnvironmentName = Annotated[
    str, typer.Option("--environment", help="Whose nodes: production, staging, ...")
]
WaitFor = Annotated[
    int, typer.Option("--wait-for", min=0, help="Nodes that must have it before the move.")
]
Patience = Annotated[
    float, typer.Option("--patience", min=0, help="Longest wait for these nodes, seconds.")
]


def publish(
    to: To,
    environment: EnvironmentName = "production",
    wait_for: WaitFor = 0,
    patience: Patience = 300,
    store: StoreFolder = None,
    *,
    mend: Annotated[
        bool, typer.Option("--mend", help="Read back what lies there, and replace what is damaged.")
    ] = False,
    with_tables: Annotated[
        bool, typer.Option("--tables", help="First write it as open tables too (Delta Lake).")
    ] = False,
) -> None:
    """Put the current snapshot on a shelf, then move an environment's nodes to it."""
    from .publishing import publish as published

    settings = _settings(store)
    place = _environment(to, environment, create=True)
    with _stoppable("what was sent is not sent again"), progress_bar() as report:

        def write_tables(snapshot_id: str) -> None:
            from .open_tables import write

            _say_tables(write(place.shelf.objects, settings.store, snapshot_id, report))

        done = published(
            place,
            settings.store,
            wait_for=wait_for,
            patience=patience,
            mend=mend,
            beside=write_tables if with_tables else None,
            progress=report,
        )
    typer.echo(
        f"Snapshot {done.snapshot_id}: {_mib(done.size)} in {done.objects:,} objects on"
        f" {place.shelf.url}, {_mib(done.sent)} of them sent now"
    )
    _say_moved(environment, done.snapshot_id, moved=done.moved)


def tables(
    to: To,
    store: StoreFolder = None,
) -> None:
    """Write the current snapshot and all periods as open tables (Delta Lake), for other engines."""
    from services.store.snapshot import current_id

    from .open_tables import write

    settings = _settings(store)
    shelf = _shelf(to, create=True)
    with _stoppable("a table that was committed stays"), progress_bar() as report:
        _say_tables(write(shelf.objects, settings.store, current_id(settings.store), report))


def follow(
    shelf: From,
    environment: EnvironmentName = "production",
    every: Annotated[
        float, typer.Option("--every", min=0.1, help="Seconds between two looks.")
    ] = 10,
    node: Annotated[
        str | None,
        typer.Option(
            "--node",
            help="Name under which this node reports.",
            show_default="that of the machine; with --once none",
        ),
    ] = None,
    store: StoreFolder = None,
    *,
    once: Annotated[bool, typer.Option("--once", help="Look once, then end.")] = False,
) -> None:
    """Keep the store at the snapshot at which an environment stands; fetch what is to come."""
    from .following import Node

    settings = _settings(store)
    place = _environment(shelf, environment)
    name = socket.gethostname() if node is None and not once else node
    follower = Node(place, settings.store, name, keep=settings.keep_snapshots, every=every)
    with _stoppable("what was fetched is not fetched again"):
        if once:
            with progress_bar() as report:
                turn = follower.turn(report)
            came = f", {_mib(turn.received)} fetched" if turn.received else ""
            typer.echo(f"{settings.store} reads snapshot {turn.reads}{came}")
            return
        _keep_following(follower, settings.store, every)


@snapshots.command("list")
def listed(on: On = None, store: StoreFolder = None) -> None:
    """List snapshots, newest first, and where environments and nodes stand."""
    if on is None:
        _list_store(_settings(store).store)
        return
    shelf = _shelf(on)
    _list_shelf(shelf)


@snapshots.command()
def use(
    snapshot_id: Annotated[str, typer.Argument(metavar="ID", help="As 'snapshots list' shows it.")],
    on: On = None,
    environment: EnvironmentName = "production",
    wait_for: WaitFor = 0,
    patience: Patience = 300,
    store: StoreFolder = None,
) -> None:
    """Move an environment, or without --on the store, to a snapshot that is there."""
    if on is None:
        from services.store.checksums import verify
        from services.store.snapshot import go_back

        settings = _settings(store)
        with progress_bar() as report:
            go_back(
                settings.store,
                snapshot_id,
                keep=settings.keep_snapshots,
                check=lambda folder: verify(folder, lambda part: report("verifying", part)),
            )
        typer.echo(f"{settings.store} reads snapshot {snapshot_id}")
        return
    from .publishing import use as used

    place = _environment(on, environment)
    with _stoppable(f"'{environment}' was not moved"), progress_bar() as report:
        moved = used(place, snapshot_id, wait_for=wait_for, patience=patience, progress=report)
    _say_moved(environment, snapshot_id, moved=moved)


@snapshots.command()
def gc(
    on: On = None,
    keep: Annotated[
        int | None,
        typer.Option(min=1, help="Snapshots to keep.", show_default="3 an environment"),
    ] = None,
    hours: Annotated[
        float,
        typer.Option(min=0, help="On a shelf: let be what is younger; 0 if nobody publishes."),
    ] = 24,
    store: StoreFolder = None,
) -> None:
    """Remove snapshots that no environment needs, and what killed commands left."""
    if on is None:
        from services.store.checksums import verify
        from services.store.snapshot import current_id, folder_of, tidy

        settings = _settings(store)
        # Else what is removed might be all that is whole.
        verify(folder_of(settings.store, current_id(settings.store)))
        stay = tidy(settings.store, keep=keep or settings.keep_snapshots)
        typer.echo(f"{settings.store} keeps {', '.join(stay)}")
        return
    from .collecting import collect

    done = collect(_shelf(on), keep=keep or 3, unnamed_for=timedelta(hours=hours))
    for snapshot_id in done.retired:
        typer.echo(f"retired {snapshot_id}")
    typer.echo(
        f"Removed {done.objects:,} objects, {_mib(done.freed)}; {_mib(done.waiting)} go when they"
        f" are {hours:g} hours old; snapshots that stay: {len(done.snapshots)}"
    )


def _keep_following(node: "Node", store: Path, every: float) -> NoReturn:
    """Follows until the process is stopped. What cannot be done is said once, and tried again
    in the next turn.
    """
    # A service manager says SIGTERM; a script that started this in the background ignores SIGINT.
    for how in (signal.SIGINT, signal.SIGTERM):
        signal.signal(how, signal.default_int_handler)
    problem: str | None = None
    while True:
        try:
            with progress_bar() as report:
                turn = node.turn(report)
        except CreditAtlasError as error:
            if (said := str(error)) != problem:
                problem = said
                typer.echo(f"creditatlas: {shortened(said, _LONGEST_ERROR)}", err=True)
        else:
            if turn.switched or problem is not None:
                typer.echo(f"{store} reads snapshot {turn.reads}")
                sys.stdout.flush()
            problem = None
        time.sleep(every)


def _list_store(folder: Path) -> None:
    from services.store.snapshot import REBUILD, SUMMARY, current_id, folder_of, published

    current = current_id(folder)
    for snapshot_id in published(folder):
        try:
            text = (folder_of(folder, snapshot_id) / SUMMARY).read_bytes()
            one = Snapshot.model_validate_json(text)
        except (OSError, ValueError):
            raise StoreDamaged(
                f"'{SUMMARY}' of snapshot {snapshot_id} does not read; {REBUILD}"
            ) from None
        mark = "  current" if snapshot_id == current else ""
        typer.echo(f"{snapshot_id}  as of {one.as_of}  {one.loans:>12,} loans{mark}")


def _list_shelf(shelf: "Shelf") -> None:
    from .shelf import Environment

    environments = [Environment(shelf, name) for name in shelf.environments()]
    stands = {place.name: place.stands() for place in environments}
    for snapshot_id in sorted(shelf.snapshots(), reverse=True):
        one = shelf.manifest(snapshot_id)
        here = [name for name, move in stands.items() if move and move.snapshot_id == snapshot_id]
        typer.echo(
            f"{snapshot_id}  as of {one.as_of}  {one.loans:>12,} loans  {_mib(one.size):>12}"
            f"  format {one.file_format}" + "".join(f"  {name}" for name in here)
        )
    for place in environments:
        move = stands[place.name]
        if move is not None:
            when = f"{move.at:%Y-%m-%d %H:%M:%S} UTC"
            typer.echo(f"{place.name}: {move.snapshot_id} since {when}, by {move.by}")
        for report in place.reports():
            ready = f", has {', '.join(report.ready)}" if report.ready else ""
            trouble = f"; {report.problem}" if report.problem else ""
            typer.echo(
                f"{place.name}, node {report.node}: reads {report.reads or 'nothing yet'}{ready},"
                f" at {report.at:%Y-%m-%d %H:%M:%S} UTC{trouble}"
            )


@contextmanager
def _stoppable(and_then: str) -> Iterator[None]:
    """Ctrl+C ends a command in one sentence that says what stays."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"creditatlas: stopped; {and_then}", err=True)
        raise typer.Exit(_STOPPED) from None


def _shelf(url: str, *, create: bool = False) -> "Shelf":
    from .objects import Objects
    from .shelf import Shelf

    if not url.strip():
        raise SettingsInvalid(f"{_SHELF} is blank; name a folder or s3://bucket/prefix")
    return Shelf(Objects.at(url.strip(), create=create))


def _environment(url: str, name: str, *, create: bool = False) -> "Environment":
    from .shelf import Environment

    return Environment(_shelf(url, create=create), name)


def _settings(store: Path | None) -> Settings:
    return load(store=store)


def _say_moved(environment: str, snapshot_id: str, *, moved: bool) -> None:
    typer.echo(
        f"'{environment}' {'moved to' if moved else 'stood at'} snapshot {snapshot_id}"
        + ("" if moved else " already; nothing was moved")
    )


def _say_tables(done: "Written") -> None:
    if not done.rows:
        typer.echo(f"Tables under {done.url} had snapshot {done.snapshot_id} already")
        return
    listed = ", ".join(f"{name} {rows:,}" for name, rows in done.rows.items())
    typer.echo(f"Tables under {done.url}, rows written: {listed}")


def _mib(size: int) -> str:
    return f"{size / 2**20:,.1f} MiB"
