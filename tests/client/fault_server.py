"""A server on a real loopback socket that answers each request with the next fault of a script.

    with FaultServer() as server:
        server.script(reply(500), reply(500), json_reply({"data": [], ...}))
        httpx.get(server.url + "/v1/loans")
        server.requests[0].headers["authorization"]

The last fault of the script answers every further request too. A fault is any function that takes a
`Wire` and writes to it; it returns whether the connection stays open.
"""

import gzip
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Received:
    """A request as it came: `target` is raw, names of headers are in lower case."""

    method: str
    target: str
    headers: dict[str, str]


@dataclass(frozen=True)
class Wire:
    """One connection, and the event that is set when the server stops."""

    connection: socket.socket
    stopping: threading.Event

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def wait(self, seconds: float) -> None:
        self.stopping.wait(seconds)


Fault = Callable[[Wire], bool]


def head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def reply(status: int = 200, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Fault:
    """A whole answer."""
    fields = {"Content-Type": "application/json", "Content-Length": str(len(body))}

    def fault(wire: Wire) -> bool:
        wire.send(head(status, fields | dict(headers or {})) + body)
        return True

    return fault


def json_reply(payload: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Fault:
    """A whole answer that holds `payload`."""
    return reply(status, json.dumps(payload).encode(), headers)


def html_reply(status: int = 200) -> Fault:
    """What a proxy puts in the service's place."""
    page = b"<!DOCTYPE html><html><body>Please sign in to the network</body></html>"
    return reply(status, page, {"Content-Type": "text/html"})


def gzip_bomb(unpacked: int, layers: int = 1) -> Fault:
    """A small answer that unpacks to `unpacked` bytes; packed several times over with `layers`."""
    body = b"[" + b" " * unpacked
    for _ in range(layers):
        body = gzip.compress(body)
    return reply(200, body, {"Content-Encoding": ", ".join(["gzip"] * layers)})


def slow_body(pieces: Iterable[bytes], seconds: float, length: int = 1_000) -> Fault:
    """Piece after piece, `seconds` after each; `length` is announced."""

    def fault(wire: Wire) -> bool:
        wire.send(head(200, {"Content-Length": str(length)}))
        for piece in pieces:
            wire.send(piece)
            wire.wait(seconds)
        return False

    return fault


def silence(seconds: float) -> Fault:
    """No answer for a while, then none at all."""

    def fault(wire: Wire) -> bool:
        wire.wait(seconds)
        return False

    return fault


def drop() -> Fault:
    """The connection is reset before an answer."""

    def fault(wire: Wire) -> bool:
        wire.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False

    return fault


def cut(body: bytes, sent: int) -> Fault:
    """The whole length is announced, `sent` bytes come, and the connection closes."""

    def fault(wire: Wire) -> bool:
        wire.send(head(200, {"Content-Length": str(len(body))}) + body[:sent])
        return False

    return fault


class FaultServer:
    """Listens on a free port of 127.0.0.1 while its `with` block runs."""

    def __init__(self) -> None:
        # With proto left at 0 Nagle's algorithm stays on, and each answer takes 44 ms.
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._stopping = threading.Event()
        self._guard = threading.Condition()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._script: list[Fault] = [reply(500)]
        self._next = 0
        self.requests: list[Received] = []
        self.connections = 0

    def __enter__(self) -> Self:
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(64)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        with self._guard:
            for connection in self._open:
                with suppress(OSError):  # the client reset it first
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def script(self, *faults: Fault) -> None:
        """What to answer from now on; forgets the requests that came before."""
        with self._guard:
            self._script, self._next = list(faults), 0
            self.requests.clear()

    def heard(self, requests: int) -> None:
        """Waits until so many requests of this script have come."""
        with self._guard:
            self._guard.wait_for(lambda: len(self.requests) >= requests)

    def _start(self, work: Callable[..., None], *given: object) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._guard:
                self._open.add(connection)
                self.connections += 1
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        wire = Wire(connection, self._stopping)
        try:
            while (request := _receive(connection)) and not self._stopping.is_set():
                if not self._take(request)(wire):
                    return
        except OSError:
            return  # the client went away first
        finally:
            with self._guard:
                self._open.discard(connection)
                connection.close()

    def _take(self, request: Received) -> Fault:
        with self._guard:
            self.requests.append(request)
            fault = self._script[min(self._next, len(self._script) - 1)]
            self._next += 1
            self._guard.notify_all()
            return fault


def _receive(connection: socket.socket) -> Received | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65_536)
        if not piece:
            return None
        data += piece
    first, *lines = data.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    fields = (line.split(":", 1) for line in lines)
    return Received(method, target, {name.lower(): value.strip() for name, value in fields})
