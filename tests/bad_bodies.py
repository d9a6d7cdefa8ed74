"""Requests whose body is unclear: its length is given twice, or its chunks do not hold together."""

import re
import socket

TWO_LENGTHS = {
    "both": b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "twice": b"Content-Length: 0\r\nContent-Length: 30\r\n\r\n"
    b"GET /healthz HTTP/1.1\r\nX: y\r\n\r\n",
    "odd": b"Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
}

#: Bodies whose chunks do not hold together.
CHUNKS = (
    b"ZZ\r\nabc\r\n0\r\n\r\n",
    b"-1\r\nabc\r\n",
    b"3\r\nabcdef\r\n0\r\n\r\n",
    b"fffffffffffffffff\r\nabc",
    b"3;\x00\r\nabc\r\n0\r\n\r\n",
)


def answered_as_one(port: int, rest: bytes) -> None:
    """Checks that a server answers a request of two lengths, which whoever stands in front might
    read as two, once at most, and not its second part.
    """
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(b"POST /v1/loans HTTP/1.1\r\nHost: localhost\r\n" + rest)
        heard = b""
        try:
            while part := line.recv(65_536):
                heard += part
        except (TimeoutError, ConnectionResetError):
            pass
    assert len(re.findall(rb"HTTP/1\.1 \d{3} ", heard)) <= 1
    assert b"Alive" not in heard
    assert b" 200 " not in heard
