"""Assistants over streamable HTTP, at /mcp: counted, licensed, bounded and logged as the API is.

Each POST is one message, one request against the key's limits, and answered by JSON; there are no
sessions and no streams, so any worker and any node answers any of them.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.contract.errors import Forbidden, InvalidRequest
from services.contract.lease import Leasable

from .access import Access, require_key
from .exchange import HERE, BodyTooLarge, Exchange, MethodNotAllowed
from .front import FAULT
from .keys import Environment
from .log import log_failure
from .params import refuse_any

if TYPE_CHECKING:  # the protocol's package is loaded when a server starts
    from services.assistants.asking import Caller

PATH: Final = "/mcp"
#: Bytes of one message, and seconds that a client has to send it.
MAX_BODY: Final = 256 * 1024
BODY_SECONDS: Final = 10.0


class Assistants:
    """What is at /mcp, over the source of each environment."""

    def __init__(
        self,
        access: Access,
        sources: Mapping[Environment, Leasable],
        pool: Executor,
        dashboard: str | None,
    ) -> None:
        self._access = access
        self._sources = sources
        self._pool = pool
        self._dashboard = dashboard
        self._protocol: ASGIApp | None = None

    def route(self) -> Route:
        """The route. Methods are told apart here, so that refusals are the service's own."""
        return Route(PATH, _Endpoint(self), include_in_schema=False)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answers until the block ends."""
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from services.assistants.server import server

        manager = StreamableHTTPSessionManager(
            server(self._caller, self._dashboard),
            json_response=True,
            stateless=True,
            max_request_body_size=MAX_BODY,
        )
        async with manager.run():
            self._protocol = manager.handle_request
            try:
                yield
            finally:
                self._protocol = None

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One message. Raises CreditAtlasError, which `Front` answers."""
        exchange: Exchange = scope[HERE]
        exchange.template, exchange.is_message = PATH, True
        await self._access.count(exchange)
        refuse_any(scope["query_string"])
        require_key(exchange, frozenset(self._sources))
        if any(name == b"origin" for name, _ in scope["headers"]):
            # A page of the web, which a name that leads here would let speak for a reader (D105).
            raise Forbidden("Pages of the web may not ask here; ask from a program")
        if scope["method"] != "POST":
            raise MethodNotAllowed(
                f"{PATH} is asked with POST; {scope['method'][:20]} is not allowed", allow="POST"
            )
        whole = await _body(scope, receive)
        if self._protocol is None:
            raise RuntimeError("The service is not running")
        await self._protocol(scope, _again(whole, receive), _as_api(exchange, send))

    def _caller(self, request: Any) -> "Caller":  # noqa: ANN401 - Starlette's
        from services.assistants.asking import Caller

        exchange: Exchange = request.scope[HERE]
        key = exchange.key
        if key is None:
            raise RuntimeError("A message without a key came through")

        def noted(asked: str) -> None:
            exchange.asked = asked

        return Caller(
            tier=key.tier,
            source=self._sources[key.environment],
            local=False,
            noted=noted,
            failed=lambda error: log_failure(exchange, error),
            request_id=exchange.request_id,
            executor=self._pool,
        )


class _Endpoint:
    """An ASGI application to Starlette, which takes a function for a handler of requests."""

    def __init__(self, assistants: Assistants) -> None:
        self._assistants = assistants

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._assistants.answer(scope, receive, send)


async def _body(scope: Scope, receive: Receive) -> bytes:
    """The message. Raises BodyTooLarge; InvalidRequest where it is not whole, or late."""
    too_large = BodyTooLarge(f"A message is at most {MAX_BODY:,} bytes")
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    if int(length) > MAX_BODY:
        raise too_large
    parts: list[bytes] = []
    size, more = 0, True
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while more:
                message = await receive()
                part = message.get("body", b"")
                size += len(part)
                if size > MAX_BODY:
                    raise too_large
                parts.append(part)
                more = message.get("more_body", False)
    except TimeoutError:
        raise InvalidRequest(
            f"The message did not come within {BODY_SECONDS:.0f} seconds"
        ) from None
    if fault := scope.get("extensions", {}).get(FAULT):
        raise fault
    return b"".join(parts)


def _again(whole: bytes, receive: Receive) -> Receive:
    """What was read, once more, then whatever comes."""
    held: list[Message] = [{"type": "http.request", "body": whole, "more_body": False}]

    async def read() -> Message:
        return held.pop() if held else await receive()

    return read


def _as_api(exchange: Exchange, send: Send) -> Send:
    """Sends with the headers of every answer, and remembers the status for the log."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            exchange.status = message["status"]
            own = dict(exchange.headers(0))
            own |= dict(message.get("headers", []))  # the type and length of what is sent
            message = {**message, "headers": list(own.items())}
        await send(message)

    return sent
