"""The commands `creditatlas desk`: copy what users wrote, put it back, prepare a database."""

from pathlib import Path
from typing import Annotated

import typer

from services.contract.audit import AUDIT_ACTIONS, LONGEST_NAME, AuditFilter
from services.contract.errors import InvalidRequest
from services.contract.queries import parse, shortened
from services.contract.rounding import number_of
from services.settings import load
from services.terminal import StoreFolder

from .copying import dump as dumped
from .copying import restore as restored
from .opening import checked, opened
from .sqlite import SqliteDesk

desk = typer.Typer(
    no_args_is_help=True, help="What users write: copy, restore, migrate; and the audit."
)


@desk.command()
def dump(
    file: Annotated[Path, typer.Argument(help="Overwritten, as lines of JSON.")],
    store: StoreFolder = None,
    *,
    damaged: Annotated[
        bool, typer.Option("--damaged", help="Also what still reads of a damaged desk.")
    ] = False,
) -> None:
    """Copy everything that users wrote into a file; nobody who writes waits for it."""
    rows = dumped(checked(load(store=store)), file, damaged=damaged)
    typer.echo(f"{number_of(rows, 'row')} in {file}")


@desk.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What 'desk dump' wrote.")],
    store: StoreFolder = None,
    *,
    damaged: Annotated[
        bool, typer.Option("--damaged", help="Also where the copy is not as it was written.")
    ] = False,
) -> None:
    """Fill an empty desk from such a file."""
    rows = restored(file, checked(load(store=store)), damaged=damaged)
    typer.echo(f"{number_of(rows, 'row')} restored from {file}")


@desk.command()
def audit(
    since: Annotated[
        str | None, typer.Option(help="First day (UTC), YYYY-MM-DD.", show_default="all")
    ] = None,
    store: StoreFolder = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each.")] = False,
) -> None:
    """Print who wrote, took away or changed what, the newest first."""
    query = parse(AuditFilter, {"since": since} if since else {})
    for entry in checked(load(store=store)).every_entry(query):
        if as_json:
            typer.echo(entry.model_dump_json())
        else:
            said = f"{AUDIT_ACTIONS[entry.action]}: {shortened(entry.name, LONGEST_NAME)}"
            line = f"{entry.at:%Y-%m-%d %H:%M:%S}  {entry.by} ({entry.role})  {said}"
            typer.echo(f"{line}, {entry.detail}" if entry.detail else line)


@desk.command()
def migrate(
    grant: Annotated[
        str | None,
        typer.Option(help="Role that may then read and write, and only add to the audit."),
    ] = None,
) -> None:
    """Bring the tables of the PostgreSQL database in CREDIT_ATLAS_DESK up to date."""
    found = opened(load())
    if isinstance(found, SqliteDesk):
        raise InvalidRequest(
            "CREDIT_ATLAS_DESK names no PostgreSQL database; a file is brought up to date by "
            "itself, with the first write"
        )
    before, now = found.migrate(grant)
    typer.echo(
        f"The tables are up to date, at migration {now}"
        + ("" if before == now else f"; they were at {before}")
    )
