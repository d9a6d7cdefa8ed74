"""Only what is asked of this server by a name of its own, by a page of its own.

Any page of the web can have its reader's browser ask this machine: under a name of its own that
leads here (DNS rebinding), or across origins. Without sign-in it would read the book.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final, NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from components.platform.refusal import OPEN, refuse

#: How a browser on this machine calls it.
LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
#: Addresses to listen on that are all addresses of this machine.
_EVERY: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - to be told from a name
_PLACE: Final = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^\s\[\]:/?#@\\%,]+))(?::([0-9]{1,5}))?")
_PORTS: Final = {"http": 80, "https": 443}


class _Place(NamedTuple):
    name: str
    port: int | None


class OnlyAsked:
    """Answers what names this server as it is called, and comes from no page but its own.

    `host` is what it listens on. Where that is every address, any address is its own: only a name
    can be led here from elsewhere. Further names are `hosts`.
    """

    def __init__(self, app: ASGIApp, *, host: str, hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._names = LOCAL | {one.lower() for one in (host, *hosts)} - _EVERY
        self._every = host in _EVERY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The answer; 421 for another's name, 403 for another's page."""
        if scope["type"] not in {"http", "websocket"} or scope["path"] in OPEN:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        asked = _place(headers.get("host", ""))
        if asked is None or not self._is_own(asked.name):
            said = "This server is not called so; name its host in CREDIT_ATLAS_HOSTS"
            await refuse(scope, receive, send, 421, said)
        elif not _is_own_page(headers, asked):
            said = "A page of another address asked; open this server by its own address"
            await refuse(scope, receive, send, 403, said)
        else:
            # Streamlit compares without ports, and asks a host outside about names it does not
            # know: what was compared here it need not see.
            kept = [one for one in scope["headers"] if one[0] != b"origin"]
            await self._app({**scope, "headers": kept}, receive, send)

    def _is_own(self, name: str) -> bool:
        return name in self._names or (self._every and _is_address(name))


def _is_own_page(headers: Headers, asked: _Place) -> bool:
    """Whether a request comes from a page of the host that it asks, from a link, or from no page.

    Behind a proxy that ends TLS this server knows no scheme, so ports are compared by that of the
    origin. Programs send none of these headers, browsers the first with every session.
    """
    origins = headers.getlist("origin")
    if not origins:
        away = headers.get("sec-fetch-site", "none") in {"cross-site", "same-site"}
        return not away or headers.get("sec-fetch-mode") == "navigate"
    scheme, mark, rest = origins[0].partition("://")
    origin, default = _place(rest), _PORTS.get(scheme)
    return (
        len(origins) == 1
        and bool(mark)
        and default is not None
        and origin is not None
        and (origin.name, origin.port or default) == (asked.name, asked.port or default)
    )


def _place(said: str) -> _Place | None:
    """The name and port of a Host header, or of an origin's end; None where it is none."""
    found = _PLACE.fullmatch(said)
    if found is None:
        return None
    name = (found[1] or found[2]).lower().removesuffix(".")
    return _Place(name, int(found[3]) if found[3] else None)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
