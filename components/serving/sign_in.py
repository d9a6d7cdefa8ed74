"""Nobody comes past the sign-in proxy: what does not bear its secret is not answered."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from components.platform.refusal import OPEN, refuse
from services.settings import Settings
from services.sign_in import PROXY_HEADER, from_proxy
from services.sign_in_audit import entrance


class BehindProxy:
    """Answers only what comes with the proxy's secret."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._entrance = entrance(settings)
        #: A browser that sends one of its own, which the proxy does not replace, is refused.
        self._once = (PROXY_HEADER, settings.user_header, settings.groups_header)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The answer, or 403 with a sentence; a session is refused before it begins."""
        mine = scope["type"] in {"http", "websocket"} and scope["path"] not in OPEN
        if not mine or self._from_proxy(Headers(scope=scope)):
            await self._app(scope, receive, send)
        else:
            said = "This server is reached through its sign-in proxy only"
            peer = (scope.get("client") or ("an unknown address",))[0]
            self._entrance.refused(f"A request from {peer} did not come by the sign-in proxy")
            await refuse(scope, receive, send, 403, said)

    def _from_proxy(self, headers: Headers) -> bool:
        once = all(len(headers.getlist(name)) <= 1 for name in self._once)
        return once and from_proxy(headers.get(PROXY_HEADER), self._settings)
