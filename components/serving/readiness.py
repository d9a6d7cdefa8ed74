"""What a load balancer asks: whether the process is alive, and whether pages can be read."""

import asyncio

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from services.contract.errors import CreditAtlasError


class Readiness:
    """Whether this server can answer a visitor now."""

    def routes(self) -> list[BaseRoute]:
        """/healthz is 200 while the process runs; /readyz is 200 when pages can be read, else 503
        with a sentence.
        """
        return [Route("/healthz", _alive), Route("/readyz", self._ready)]

    async def _ready(self, _request: Request) -> Response:
        fault = await asyncio.to_thread(unreadable)
        said = fault or "The store is open."
        return PlainTextResponse(
            said + "\n", 503 if fault else 200, headers={"Cache-Control": "no-store"}
        )


async def _alive(_request: Request) -> Response:
    return PlainTextResponse("Alive.\n", headers={"Cache-Control": "no-store"})


def unreadable() -> str | None:
    """Why there is nothing to read, as a sentence; None where there is."""
    # Here, for Streamlit's caches look for its runtime when the module is imported.
    from components.frame import session

    try:
        with session.opened(session.kinds()[0]).lease():
            return None
    except CreditAtlasError as error:
        return f"{error}."
