"""What is not answered gets a sentence, over HTTP and in place of a session alike."""

import logging
from typing import Final

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from services.api.front import FAULT
from services.contract.errors import CreditAtlasError

log = logging.getLogger("credit_atlas")

#: What a load balancer asks, by an address and without a secret; it holds nothing of the book.
OPEN: Final = frozenset({"/healthz", "/readyz"})


async def refuse(scope: Scope, receive: Receive, send: Send, status: int, sentence: str) -> None:
    """Answers with a status and a sentence, which stand in the log too."""
    peer = (scope.get("client") or ("an unknown address",))[0]
    log.warning("refused with %d, asked from %s: %s", status, peer, sentence)
    kept = {"Cache-Control": "no-store"}
    await PlainTextResponse(f"{sentence}.\n", status, headers=kept)(scope, receive, send)


class Faults:
    """Answers what services/api/protocol.py found to be no request, or too much of one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The fault in a sentence; a request as it is answered."""
        fault: CreditAtlasError | None = scope.get("extensions", {}).get(FAULT)
        if fault is None:
            await self._app(scope, receive, send)
        else:
            await refuse(scope, receive, send, fault.status, fault.message)
