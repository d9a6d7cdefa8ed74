"""The API under /v1, and assistants at /mcp, in the process of the dashboard: one machine serves
both.
"""

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

_PATHS: Final = ("/v1/", "/openapi.json")
#: Where assistants ask.
_DOOR: Final = "/mcp"


class WithService:
    """Passes what is asked of the API on to it; it asks for keys of its own."""

    def __init__(self, app: ASGIApp, *, service: ASGIApp) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What the API answers, or the dashboard."""
        path = scope["path"] if scope["type"] == "http" else ""
        asked = path == _DOOR or path.startswith(_PATHS)
        await (self._service if asked else self._app)(scope, receive, send)
