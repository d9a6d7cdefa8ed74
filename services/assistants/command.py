"""The command `mcp`: an assistant on this machine asks over standard input and output."""

import json
import logging
import sys
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from services.contract.access import LicenceTier
from services.settings import Settings, load
from services.sign_in import local_user
from services.terminal import StoreFolder

from .asking import Caller

if TYPE_CHECKING:
    from services.sources import Workspace

_LOG = logging.getLogger("creditatlas.assistants")


def mcp(
    store: StoreFolder = None,
    tier: Annotated[
        LicenceTier, typer.Option(help="Answer as a key of this licence tier is answered.")
    ] = "complete",
    api: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Ask a service instead of a store, by the key of CREDIT_ATLAS_API_KEY.",
            show_default="none",
        ),
    ] = None,
) -> None:
    """Serve an assistant on this machine over standard input and output (MCP)."""
    from services.sources import open_workspace

    settings = load(store=store) if api is None else load(api_url=api, source="api")
    with closing(open_workspace(settings, "store" if api is None else "api")) as workspace:
        with workspace.lease():
            pass  # what is wrong with it is said before an assistant asks
        _serve(settings, workspace, tier)


def _serve(settings: Settings, workspace: "Workspace", tier: LicenceTier) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    from .server import server

    # Standard output carries the protocol; everything else goes where clients keep their logs.
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    user = local_user().name

    def noted(asked: str) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        typer.echo(json.dumps({"time": at, "user": user, "asked": asked}), err=True)

    caller = Caller(
        tier=tier,
        source=workspace,
        local=True,
        noted=noted,
        failed=lambda error: _LOG.error("An answer failed", exc_info=error),
    )

    async def talk() -> None:
        found = server(lambda _: caller, settings.dashboard_url)
        async with stdio_server() as (heard, said):
            await found.run(heard, said, found.create_initialization_options())

    anyio.run(talk)
