"""HTTP/1.1 as uvicorn speaks it, with bounds, and with our envelope where there is no request.

httptools reads a request head of any length, takes a request without a Host, and a body in any
coding. What is over the bound, not HTTP, or not finished in time goes to the application as a
fault, which it answers like any other error: the service in its envelope, the dashboard in a
sentence.
"""

import asyncio
from typing import Any, Final
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from services.contract.errors import CreditAtlasError, InvalidRequest, ServiceUnavailable

from .exchange import CodingUnknown, HeadersTooLarge
from .front import FAULT, MAX_HEADERS, MAX_TARGET

#: Bytes of a request head: everything `front` would let through.
MAX_HEAD: Final = MAX_TARGET + MAX_HEADERS
#: Seconds that a client has for a request head.
HEAD_SECONDS: Final = 10.0
#: Connections of one process; a system gives it 1,024 files by default, and it opens others too.
#: One more takes the place of the one that has asked for nothing for longest; where all are being
#: answered it is refused.
MAX_CONNECTIONS: Final = 800
#: What is read over after a refusal, for a client reads the answer once it has sent its request.
LINGER_BYTES: Final = 8 * 2**20
LINGER_SECONDS: Final = 2.0
_WHOLE: Final = "A request is HTTP/1.1 and has one Host header; send it so"
_VERSIONS: Final = frozenset({"1.0", "1.1"})
#: By the state of a server: its connections that ask for nothing, the oldest first.
_IDLE: Final[WeakKeyDictionary[Any, dict["BoundedProtocol", None]]] = WeakKeyDictionary()


class _Outgoing:
    """A transport that sends head and body of an answer in one call of the system, not in two.

    Two would cost 12 microseconds more than the 95 that a request takes (README.md). Where it
    `lingers`, closing it ends what is sent, and what still comes is read over for a while: to close
    at once would take the answer away from a client that is still sending.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.lingers = False
        self._transport = transport
        self._loop = loop
        self._held: list[bytes] = []
        self._ending: asyncio.TimerHandle | None = None

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever else transports have
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """See asyncio: sent when whoever writes now has had their turn."""
        if self._ending is not None:
            return
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)

    def close(self) -> None:
        """See asyncio: what was written goes out first."""
        self._send()
        if self.lingers and self._ending is None and not self._transport.is_closing():
            if self._transport.can_write_eof():
                self._transport.write_eof()
            self._transport.resume_reading()
            self._ending = self._loop.call_later(LINGER_SECONDS, self._transport.close)
        else:
            self._transport.close()

    def is_closing(self) -> bool:
        """See asyncio."""
        return self._ending is not None or self._transport.is_closing()

    def _send(self) -> None:
        if self._held:
            self._transport.write(b"".join(self._held))
            self._held.clear()


class BoundedProtocol(HttpToolsProtocol):
    """One connection. `_head` counts the bytes of a head that is not complete yet, `_over` those
    that came after the answer was settled. `_idle` is its server's part of _IDLE.
    """

    _idle: dict["BoundedProtocol", None]
    transport: Any
    url = b""
    _head = 0
    _over = 0
    _in_head = True
    _refused = False
    _keeps = True
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio: a client that says nothing is let go."""
        outgoing = _Outgoing(transport, self.loop)
        super().connection_made(outgoing)  # type: ignore[arg-type]
        self._idle = _IDLE.setdefault(self.server_state, {})
        self._arm()
        if len(self.connections) > MAX_CONNECTIONS and not self._makes_room():
            self._refuse(ServiceUnavailable("Too many connections are open; try again later"))
        else:
            self._idle[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._disarm()
        self._idle.pop(self, None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        if self._refused or self.transport.is_closing():
            self._read_over(len(data))
            return
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if not self._in_head or self._refused:
            return
        if self.url and data.endswith(b"\n") and self.parser.get_http_version() == "0.0":
            self._refuse(InvalidRequest(_WHOLE))  # a line without a version: HTTP/0.9
        elif self._head > MAX_HEAD:
            self._refuse(HeadersTooLarge(f"The request head is larger than {MAX_HEAD:,} bytes"))
        elif self._head and self._deadline is None:
            self._arm()

    def on_message_begin(self) -> None:
        """See httptools."""
        self._in_head = True
        super().on_message_begin()

    def shutdown(self) -> None:
        """See uvicorn."""
        self._keeps = False
        super().shutdown()

    def on_headers_complete(self) -> None:
        """See httptools."""
        self._in_head, self._head = False, 0
        self._idle.pop(self, None)
        self._disarm()
        if self._refused:
            return
        if fault := self._fault():
            self._refuse(fault)
            return
        super().on_headers_complete()
        # Its body is still to come. An answer before it ends the connection, and has to say so: a
        # client would send its next request into it.
        if self.cycle is not None:
            self._keeps, self.cycle.keep_alive = self.cycle.keep_alive, False
        self.transport.lingers, self._over = True, 0

    def on_body(self, body: bytes) -> None:
        """See httptools: what nobody will read is read over, up to a bound."""
        if self._refused or (self.cycle is not None and self.cycle.response_complete):
            self._read_over(len(body))
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """See httptools: what comes next is a head."""
        self._in_head = True
        if self._refused:
            return
        self.transport.lingers = False
        if self.cycle is not None and not self.cycle.response_started:
            self.cycle.keep_alive = self._keeps
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """See uvicorn."""
        super().on_response_complete()
        if self in self.connections and self.cycle.response_complete:
            self._idle[self] = None

    def send_400_response(self, msg: str) -> None:
        """See uvicorn: what came is not a request."""
        del msg
        self._refuse(InvalidRequest("What was sent is not an HTTP/1.1 request"))

    def _fault(self) -> CreditAtlasError | None:
        """What is wrong with a head that is complete."""
        version = self.parser.get_http_version()
        named = [value for name, value in self.headers if name == b"host"]
        codings = [value for name, value in self.headers if name == b"transfer-encoding"]
        if version not in _VERSIONS or len(named) > 1 or (version == "1.1" and not named):
            return InvalidRequest(_WHOLE)
        if codings and [one.strip().lower() for one in codings] != [b"chunked"]:
            return CodingUnknown("A body in this Transfer-Encoding is not read; send it chunked")
        return None

    def _makes_room(self) -> bool:
        """Ends the connection that has asked for nothing for longest; whether there is one."""
        for oldest in self._idle:
            del self._idle[oldest]
            oldest.transport.abort()
            return True
        return False

    def _read_over(self, size: int) -> None:
        self._over += size
        if self._over > LINGER_BYTES:
            self.transport.abort()

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
        if self._refused:
            return
        self._refused = self.transport.lingers = True
        self._disarm()
        if self.cycle is not None and not self.cycle.response_complete:
            if self.cycle.response_started or self.pipeline:
                self.transport.close()  # an answer under way cannot be followed by another
            else:  # its body ends here: whoever reads it finds the fault
                found: Any = {FAULT: fault}
                self.cycle.scope["extensions"] = found
                self.cycle.more_body = False
                self.cycle.message_event.set()
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
