"""The command `digest`."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from services.contract.errors import MirrorMissing
from services.contract.history import ChangeQuery
from services.contract.queries import parse
from services.settings import load
from services.terminal import StoreFolder


def digest(
    since: Annotated[
        str | None,
        typer.Option(
            help="Day to compare with, YYYY-MM-DD.", show_default="the date before the newest"
        ),
    ] = None,
    user: Annotated[
        str | None, typer.Option(help="Whose cases and watchlist come first.", show_default="none")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write a page of HTML for mail here.", show_default="none")
    ] = None,
    store: StoreFolder = None,
    *,
    text: Annotated[
        bool, typer.Option("--text", help="Print plain text; also the default without --html.")
    ] = False,
) -> None:
    """Say what changed in the book, worst first: as plain text or as a page for mail."""
    from services.sources import open_audit, open_desk, open_workspace

    from . import cases, contents, page, plain

    query = parse(ChangeQuery, {"since": since} if since else {})
    settings = load(store=store)
    with closing(open_workspace(settings)) as workspace, workspace.lease() as lease:
        if lease.analytics is None:
            raise MirrorMissing.of_figures()
        watched, inbox = None, None
        if user is not None:
            desk = open_desk(settings)
            watches = desk.watched(user, lease.label)
            watched = tuple(one.subject.name for one in watches if one.subject.kind == "loan")
            inbox = cases.inbox(desk, open_audit(settings), lease.label, user)
        found = contents.digest(lease.analytics, query.since, watched, inbox)
    if html is not None:
        html.write_text(page.html(found), encoding="utf-8")
    if text or html is None:
        typer.echo(plain.text(found), nl=False)
