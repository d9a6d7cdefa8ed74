"""Ways into Streamlit that pages do not need."""

from collections.abc import Callable, Mapping
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from components.platform.refusal import refuse

_CORE: Final = "/_stcore/"
#: What pages ask for, and the agent API, which answers 403 by itself.
_ASKED: Final = ("health", "host-config", "stream", "upload_file/", "bidi-components/", "agent/")
_FOR_ADMINS: Final = "/_stcore/metrics"
#: Sign-in by OpenID Connect, and components of the first version: none is used here.
_UNUSED: Final = ("/auth/", "/oauth2callback", "/component/")


class WithoutDevelopers:
    """Closes what a developer asks Streamlit for; its figures are for admins."""

    def __init__(self, app: ASGIApp, *, is_admin: Callable[[Mapping[str, str]], bool]) -> None:
        self._app = app
        self._is_admin = is_admin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What pages ask for; 404 for the rest, 403 for figures that somebody else asks for."""
        path = scope.get("path", "/")
        if path == _FOR_ADMINS:
            if not self._is_admin(Headers(scope=scope)):
                await refuse(scope, receive, send, 403, "The figures of this server are for admins")
                return
        elif path.startswith(_UNUSED) or (
            path.startswith(_CORE) and not path.removeprefix(_CORE).startswith(_ASKED)
        ):
            await refuse(scope, receive, send, 404, "There is no such path")
            return
        await self._app(scope, receive, send)
