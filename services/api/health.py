"""Whether the service runs, and whether it can be read: what a load balancer asks, without a key,
without a limit and without a line of log.
"""

import asyncio
from collections.abc import Iterable
from typing import Final

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from services.contract.errors import CreditAtlasError
from services.contract.lease import Leasable

from .exchange import SHOWN_ALONE

ALIVE: Final = "/healthz"
READY: Final = "/readyz"
_ASKING: Final = frozenset({"GET", "HEAD"})


class Health:
    """Answers /healthz (200 while the process runs) and /readyz (200 when every source can be read,
    else 503 with a sentence); all else is the application's.
    """

    def __init__(self, app: ASGIApp, sources: Iterable[object]) -> None:
        self._app = app
        self._sources = [source for source in sources if isinstance(source, Leasable)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if (
            scope["type"] == "http"
            and scope["path"] in (ALIVE, READY)
            and scope["method"] in _ASKING
        ):
            await (await self._answer(scope["path"]))(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(self, path: str) -> Response:
        if path == ALIVE:
            return _said("Alive.")
        fault = await asyncio.to_thread(self._fault)
        return _said("The store can be read.") if fault is None else _said(fault, 503)

    def _fault(self) -> str | None:
        """Why a source cannot be read; None when all can."""
        try:
            for source in self._sources:
                with source.lease():
                    pass
        except CreditAtlasError as error:
            return f"{error}."
        return None


def _said(sentence: str, status: int = 200) -> Response:
    answer = PlainTextResponse(f"{sentence}\n", status)
    answer.raw_headers.extend(SHOWN_ALONE)
    return answer
