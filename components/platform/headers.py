"""What the server tells every browser not to do."""

import base64
import hashlib
import re
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INLINE: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def streamlits_page() -> bytes:
    """The page that Streamlit serves at every address of a page."""
    return (Path(st.__file__).parent / "static" / "index.html").read_bytes()


def content_security_policy(index: bytes) -> str:
    """What pages may load and run: what this server sends, and nothing else.

    `index` is the page that is sent; its inline scripts are allowed by their hashes. Besides:
    styles that React writes (`unsafe-inline`), scripts of components of version 2 (`blob:`), the
    WebAssembly of ownership diagrams, a font and an empty topology of Plotly's (`data:`).
    """
    found = _INLINE.findall(index)
    hashes = [base64.b64encode(hashlib.sha256(one).digest()).decode() for one in found]
    scripts = ["'self'", "blob:", "'wasm-unsafe-eval'", *(f"'sha256-{one}'" for one in hashes)]
    allowed = {
        "default-src": "'none'",
        "script-src": " ".join(scripts),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' data:",
        "manifest-src": "'self'",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {places}" for name, places in allowed.items())


class SecurityHeaders:
    """Adds them to every answer."""

    def __init__(self, app: ASGIApp, *, policy: str) -> None:
        self._app = app
        self._added = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            # An address holds filters and names of parties: they are nobody else's business.
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The answer with the headers."""

        async def sending(message: Message) -> None:
            # A session that is refused is answered too, and a browser may be shown that answer.
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                MutableHeaders(scope=message).update(self._added)
            await send(message)

        await self._app(scope, receive, sending)
