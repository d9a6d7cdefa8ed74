"""Several processes behind one port, each visitor with the same one.

A page is drawn by Python, and one process draws one page at a time. What a visitor uploads, may
download and has on screen lies in the process that began the session, so all connections of one
browser go to the same process: the first answer sets a cookie that names it. Bytes are passed on as
they are; only the head of a connection's first request is read.
"""

import asyncio
import logging
import re
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.api.protocol import HEAD_SECONDS, MAX_CONNECTIONS, MAX_HEAD

log = logging.getLogger("credit_atlas")

COOKIE: Final = "creditatlas_process"
#: What is passed on at once.
_PIECE: Final = 65_536
_PATIENCE_SECONDS: Final = 20.0
#: Between the end of a process and the start of the next in its place.
_RESTART_SECONDS: Final = 1.0
_COOKIES: Final = re.compile(rb"\r\ncookie:[ \t]*([^\r\n]*)", re.IGNORECASE)
_UNREADY: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
    b"Referrer-Policy: no-referrer\r\n"
    b"Content-Security-Policy: default-src 'none'; object-src 'none'; base-uri 'none'; "
    b"frame-ancestors 'none'\r\n"
    b"Connection: close\r\nContent-Length: 49\r\n\r\n"
    b"The server is starting; try again in some seconds\n"
)


class Affinity:
    """Names its process, `number`, to every browser that opens a page, in a cookie."""

    def __init__(self, app: ASGIApp, *, number: int) -> None:
        self._app = app
        self._number = number

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The answer; a page comes with the cookie where the browser does not have it yet."""
        if (
            scope["type"] != "http"
            or named_in(Headers(scope=scope).get("cookie", "")) == self._number
        ):
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    cookie = f"{COOKIE}={self._number}; Path=/; HttpOnly; SameSite=Lax"
                    headers.append("Set-Cookie", cookie)
            await send(message)

        await self._app(scope, receive, sending)


def named_in(cookies: str) -> int | None:
    """The process that a Cookie header names; None where it names none."""
    jar: SimpleCookie = SimpleCookie()
    with suppress(CookieError):
        jar.load(cookies)
    value = jar[COOKIE].value if COOKIE in jar else ""
    return int(value) if re.fullmatch(r"[0-9]{1,4}", value) else None


class _Process:
    """One server process, started again when it ends."""

    def __init__(self, words: Sequence[str], port: int) -> None:
        self.port = port
        self.connections = 0
        self._words = words
        self._running: asyncio.subprocess.Process | None = None

    async def keep_running(self) -> None:
        """Starts it, and starts it again whenever it ends, until this is cancelled."""
        try:
            while True:
                self._running = await asyncio.create_subprocess_exec(
                    *self._words,
                    # Streamlit prints an address there that is nobody's business, the API its log.
                    stdout=None if "--api" in self._words else asyncio.subprocess.DEVNULL,
                )
                code = await self._running.wait()
                log.warning("a process on port %d ended (%s); starting another", self.port, code)
                await asyncio.sleep(_RESTART_SECONDS)
        finally:
            if self._running and self._running.returncode is None:
                self._running.terminate()
                try:
                    await asyncio.wait_for(self._running.wait(), _PATIENCE_SECONDS)
                except TimeoutError:
                    self._running.kill()

    async def answers(
        self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Whether it has answered the connection whose first request begins with `head`; False
        where it is just starting or ending, and another process can be asked.
        """
        try:
            inner, outer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        self.connections += 1
        try:
            outer.write(head)
            if head.startswith((b"GET ", b"HEAD ")):
                # Nothing more is asked until this is answered: another process can be asked.
                first = b""
                with suppress(ConnectionError):
                    first = await inner.read(_PIECE)
                if not first:
                    return False
                writer.write(first)
            asking = asyncio.create_task(_pumped(reader, outer))
            # The answering side ends a connection; a browser that has gone ends it at once.
            await _pumped(inner, writer)
            asking.cancel()
        finally:
            self.connections -= 1
            outer.close()
        return True


class _Front:
    """Passes each connection on to one of the processes."""

    def __init__(self, processes: Sequence[_Process]) -> None:
        self._processes = processes
        self._most = MAX_CONNECTIONS * len(processes)
        self._open = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of a browser, from its first request to its end."""
        self._open += 1
        try:
            if self._open > self._most:
                return
            head = await asyncio.wait_for(_head(reader), HEAD_SECONDS)
            found = _COOKIES.search(head)
            wanted = named_in(found[1].decode("latin-1")) if found else None
            await self._passed_on(head, wanted, reader, writer)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            pass  # the browser has gone, or never said what it wanted
        finally:
            self._open -= 1
            writer.close()

    async def _passed_on(
        self,
        head: bytes,
        wanted: int | None,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        for process in self._in_turn(wanted):
            if await process.answers(head, reader, writer):
                return
        writer.write(_UNREADY)
        await writer.drain()

    def _in_turn(self, wanted: int | None) -> list[_Process]:
        """The process that is wanted, then those with the fewest connections."""
        first = None if wanted is None else dict(enumerate(self._processes)).get(wanted)
        return sorted(
            self._processes, key=lambda process: (process is not first, process.connections)
        )


async def _head(reader: asyncio.StreamReader) -> bytes:
    """The head of a first request; of one that is too long what there is, for a process to
    refuse.
    """
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        return await reader.read(2 * MAX_HEAD)


async def _pumped(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Passes on what comes until it ends, no faster than it is taken."""
    try:
        while data := await source.read(_PIECE):
            sink.write(data)
            await sink.drain()
        if sink.can_write_eof():
            sink.write_eof()
    except OSError:
        sink.close()  # one side has gone: the other must not wait for it


async def _run(processes: Sequence[_Process], host: str, port: int) -> None:
    stopped = asyncio.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(one, stopped.set)
    server = await asyncio.start_server(_Front(processes).serve, host, port, limit=MAX_HEAD)
    running = [asyncio.create_task(process.keep_running()) for process in processes]
    sys.stdout.write(f"Credit Atlas: http://localhost:{port} in {len(processes)} processes\n")
    sys.stdout.flush()
    await stopped.wait()
    server.close()
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


def run(processes: int, *, host: str, port: int, words: Sequence[str]) -> None:
    """Serves with so many processes until this one is told to stop; `words` are for each."""
    command = [sys.executable, "-m", "components.serving", "--front", host, *words]
    started = [
        _Process([*command, "--port", str(at), "--number", str(number)], at)
        for number, at in enumerate(_free_ports(processes))
    ]
    asyncio.run(_run(started, host, port))


def _free_ports(many: int) -> list[int]:
    """As many ports on which nothing listens just now."""
    probes = [socket.socket() for _ in range(many)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
    finally:
        for probe in probes:
            probe.close()
