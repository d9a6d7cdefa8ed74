"""Whether pages can be read: what a load balancer asks, and when visitors are let in."""

import asyncio

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from services.contract.errors import CreditAtlasError


class Readiness:
    """Whether this server can answer a visitor now."""

    def __init__(self) -> None:
        #: Set once everything is imported and the first page was drawn, or cannot be.
        self.open = asyncio.Event()
        #: Set once the other pages are warm too, or cannot be warmed.
        self.warm = asyncio.Event()

    def routes(self) -> list[BaseRoute]:
        """/healthz is 200 while the process runs; /readyz is 200 when sessions may begin and the
        store can be read, else 503 with a sentence. Its words say whether every page is warm.
        """
        return [Route("/healthz", _alive), Route("/readyz", self._ready)]

    async def _ready(self, _request: Request) -> Response:
        if not self.open.is_set():
            return said("The first page is being warmed up; it can be read in some seconds.", 503)
        fault = await asyncio.to_thread(unreadable)
        if fault:
            return said(fault, 503)
        if not self.warm.is_set():
            return said("The store is open; the other pages are being warmed up.")
        return said("The store is open and the pages are warm.")


class Doorkeeper:
    """Lets sessions begin when the first page is warm.

    A browser loads Streamlit's scripts in the meantime, and shows that it is connecting.
    """

    def __init__(self, app: ASGIApp, *, readiness: Readiness) -> None:
        self._app = app
        self._readiness = readiness

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The session, once there is nothing left to wait for; everything else at once."""
        if scope["type"] == "websocket":
            await self._readiness.open.wait()
        await self._app(scope, receive, send)


async def _alive(_request: Request) -> Response:
    return said("Alive.")


def said(sentence: str, status: int = 200) -> Response:
    """An answer of one sentence, which nobody keeps."""
    return PlainTextResponse(f"{sentence}\n", status, headers={"Cache-Control": "no-store"})


def unreadable() -> str | None:
    """Why there is nothing to read, as a sentence; None where there is."""
    # Here, for Streamlit's caches look for its runtime when the module is imported.
    from components.frame import session

    try:
        with session.opened(session.kinds()[0]).lease():
            return None
    except CreditAtlasError as error:
        return f"{error}."
