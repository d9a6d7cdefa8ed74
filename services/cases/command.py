"""The command `cases`."""

from contextlib import closing
from typing import Annotated

import typer

from services.contract.cases import CaseRule
from services.contract.errors import InvalidRequest, MirrorMissing
from services.contract.vocabulary import SEVERITIES
from services.settings import load
from services.sign_in import local_user
from services.terminal import StoreFolder

cases = typer.Typer(no_args_is_help=True, help="Cases: work on loans, opened by hand or by rule.")


@cases.command()
def follow(
    severity: Annotated[
        str, typer.Option("--from", help="Worst signal from which a loan has a case.")
    ] = "critical",
    close_after: Annotated[
        int | None,
        typer.Option(
            help="Close a case that was opened by rule after so many as-of dates in a row under "
            "that severity.",
            show_default="never",
            min=1,
            max=24,
        ),
    ] = None,
    store: StoreFolder = None,
) -> None:
    """Open cases for loans by their worst signal, open again those that got worse, close those that
    got well. Run it after each import; nothing happens twice for one as-of date.
    """
    from services.sources import open_desk, open_workspace

    from .following import loans_now

    if severity not in SEVERITIES:
        raise InvalidRequest(f"--from is '{severity}' but must be one of {', '.join(SEVERITIES)}")
    rule = CaseRule(severity=severity, close_after=close_after)
    settings = load(store=store)
    with closing(open_workspace(settings)) as workspace, workspace.lease() as lease:
        if lease.analytics is None:
            raise MirrorMissing.of_figures()
        desk = open_desk(settings)
        now = loans_now(lease.analytics.loans_watched, desk.cases(lease.label), rule)
        done = desk.follow_cases(local_user().name, lease.label, now, rule)
    typer.echo(
        f"{done.opened:,} cases opened, {done.reopened:,} opened again, {done.closed:,} closed"
    )
