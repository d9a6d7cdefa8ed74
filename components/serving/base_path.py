"""The dashboard below a path of a site: `creditatlas up --base-path /atlas`."""

import re
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.platform.refusal import OPEN, refuse
from services.contract.errors import SettingsInvalid

_PATH: Final = re.compile(r"(/[A-Za-z0-9_-]+)+")


def base_path(said: str) -> str:
    """A path that begins with a slash and does not end with one; empty for the root of a site.

    Raises SettingsInvalid.
    """
    path = said.rstrip("/")
    if path and not _PATH.fullmatch(path):
        raise SettingsInvalid(
            "--base-path must be a path of letters, digits, - and _ that begins with a slash, "
            "such as /atlas"
        )
    return path


class BelowBase:
    """Takes the base away from the path of what is asked: all else is as at the root of a site."""

    def __init__(self, app: ASGIApp, *, base: str) -> None:
        self._app = app
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What lies below the base; the way there from above it, 404 for the rest."""
        path = scope.get("path", "/")
        if scope["type"] == "lifespan" or path in OPEN:
            await self._app(scope, receive, send)
        elif path.startswith(f"{self._base}/"):
            below = {**scope, "path": path.removeprefix(self._base)}
            await self._app(below, receive, self._led(send))
        elif scope["type"] == "http" and path in {"/", self._base}:
            await RedirectResponse(f"{self._base}/")(scope, receive, send)
        else:
            await refuse(scope, receive, send, 404, f"This server answers below {self._base}/")

    def _led(self, send: Send) -> Send:
        async def said(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                # Streamlit sends "/loans/" on to "/loans".
                if headers.get("location", "").startswith("/"):
                    headers["location"] = f"{self._base}{headers['location']}"
            await send(message)

        return said
