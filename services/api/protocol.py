"""HTTP/1.1 as uvicorn speaks it, with bounds, and with our envelope where there is no request.

httptools reads a request head of any length; what is over the bound, not HTTP, or not finished in
time goes to the application as a fault, which it answers like any other error.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from services.contract.errors import CreditAtlasError, InvalidRequest

from .exchange import HeadersTooLarge
from .front import FAULT, MAX_HEADERS, MAX_TARGET

#: Bytes of a request head: everything `front` would let through.
MAX_HEAD: Final = MAX_TARGET + MAX_HEADERS
#: Seconds that a client has for a request head.
HEAD_SECONDS: Final = 10.0


class _JoinedWrites:
    """A transport that sends head and body of an answer in one call of the system, not in two.

    Two would cost 12 microseconds more than the 95 that a request takes (README.md).
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held: list[bytes] = []

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever else transports have
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """See asyncio: sent when whoever writes now has had their turn."""
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)

    def close(self) -> None:
        """See asyncio: what was written goes out first."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._held:
            self._transport.write(b"".join(self._held))
            self._held.clear()


class BoundedProtocol(HttpToolsProtocol):
    """One connection. `_head` counts the bytes of a head that is not complete yet."""

    _head = 0
    _in_head = True
    _refused = False
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio: a client that says nothing is let go."""
        super().connection_made(_JoinedWrites(transport, self.loop))  # type: ignore[arg-type]
        self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._disarm()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        if self._refused:
            return
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if not self._in_head or self._refused:
            return
        if self._head > MAX_HEAD:
            self._refuse(HeadersTooLarge(f"The request head is larger than {MAX_HEAD:,} bytes"))
        elif self._head and self._deadline is None:
            self._arm()

    def on_message_begin(self) -> None:
        """See httptools."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """See httptools."""
        self._in_head, self._head = False, 0
        self._disarm()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """See httptools: what comes next is a head."""
        self._in_head = True
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """See uvicorn: what came is not a request."""
        del msg
        self._refuse(InvalidRequest("What was sent is not an HTTP/1.1 request"))

    def _arm(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._too_slow)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self.transport.close()

    def _refuse(self, fault: CreditAtlasError) -> None:
        """Has the application answer the fault, and closes after it."""
        self._refused = True
        self._disarm()
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.close()  # an answer under way cannot be followed by another
            return
        scope: Any = {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": "1.1",
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,
            "root_path": self.root_path,
            "method": "GET",
            "path": "",
            "raw_path": b"",
            "query_string": b"",
            "headers": [],
            "extensions": {FAULT: fault},
            "state": self.app_state.copy(),
        }
        self.cycle = RequestResponseCycle(
            scope=scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=False,
            on_response=self.on_response_complete,
        )
        self._start_asgi_task(self.cycle, self.app)
