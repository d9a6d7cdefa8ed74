"""Streamlit's page, told where its server is.

Its script takes the address of a page for that of the server first: on all pages but that of `/`
it asks for /loans/_stcore/health, is refused, waits, and asks again before it connects. That takes
0.1 s on one machine and two round trips on a slow link. What stands in `window.__streamlit` it need
not ask.
"""

import gzip
import hashlib
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.serving.bundles import takes_gzip

_FILE: Final = Path(st.__file__).parent / "static" / "index.html"
# The server is where the page's own scripts are, "./", whatever path a proxy puts before it.
_TOLD: Final = (
    b"<script>window.__streamlit={"
    b'BACKEND_BASE_URL:new URL("./",location.href).href,'
    b"HOST_CONFIG:{allowedOrigins:[location.origin],useExternalAuthToken:false}"
    b"}</script>"
)


class IndexPage:
    """The page as Streamlit has it, and as it is sent."""

    def __init__(self, plain: bytes | None = None) -> None:
        self.plain = _FILE.read_bytes() if plain is None else plain
        self.told = self.plain.replace(b"<head>", b"<head>" + _TOLD, 1)
        self.packed = gzip.compress(self.told, compresslevel=9, mtime=0)
        self.etag = f'"{hashlib.sha256(self.told).hexdigest()[:32]}"'


class ToldIndex:
    """Sends browsers the page that is told in place of Streamlit's own, and everything else as it
    is.
    """

    def __init__(self, app: ASGIApp, *, page: IndexPage) -> None:
        self._app = app
        self._page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The page; on a second visit, that it has not changed."""
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if scope.get("method") not in {"GET", "HEAD"} or "text/html" not in headers.get(
            "accept", ""
        ):
            await self._app(scope, receive, send)
            return
        # Streamlit would compress it before anybody sees which it is.
        kept = [one for one in scope["headers"] if one[0] != b"accept-encoding"]
        told = _Answer(self._page, headers, scope["method"], send)
        await self._app({**scope, "headers": kept}, receive, told.send)


class _Answer:
    """One answer: held where it may be the page, until its body says whether it is."""

    def __init__(self, page: IndexPage, asked: Headers, method: str, send: Send) -> None:
        self._page = page
        self._asked = asked
        self._method = method
        self._send = send
        self._held: list[Message] = []

    async def send(self, message: Message) -> None:
        """Sends what Streamlit sends, or the page in its place."""
        if message["type"] == "http.response.start" and self._may_be_it(message):
            self._held.append(message)
        elif not self._held:
            await self._send(message)
        else:
            self._held.append(message)
            if not message.get("more_body", False):
                for one in self._messages():
                    await self._send(one)

    def _may_be_it(self, start: Message) -> bool:
        headers = Headers(raw=start["headers"])
        return (
            start["status"] == 200  # noqa: PLR2004 - OK
            and headers.get("content-type", "").startswith("text/html")
            and headers.get("content-length") == str(len(self._page.plain))
        )

    def _messages(self) -> list[Message]:
        start, *bodies = self._held
        body = b"".join(one.get("body", b"") for one in bodies)
        if self._method == "GET" and body != self._page.plain:
            return self._held
        headers = MutableHeaders(raw=list(start["headers"]))
        del headers["last-modified"], headers["accept-ranges"], headers["content-length"]
        headers["ETag"] = self._page.etag
        headers["Vary"] = "Accept-Encoding"
        if self._page.etag in self._asked.get("if-none-match", ""):
            del headers["content-type"]
            return [{**start, "status": 304, "headers": headers.raw}, {**bodies[-1], "body": b""}]
        told = self._page.told
        if takes_gzip(self._asked.get("accept-encoding", "")):
            told = self._page.packed
            headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = str(len(told))
        sent = told if self._method == "GET" else b""
        return [{**start, "headers": headers.raw}, {**bodies[-1], "body": sent}]
