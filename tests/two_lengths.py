"""Requests that say their length twice: whoever stands in front might read them as two."""

import re
import socket

TWO_LENGTHS = {
    "both": b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "twice": b"Content-Length: 0\r\nContent-Length: 30\r\n\r\n"
    b"GET /healthz HTTP/1.1\r\nX: y\r\n\r\n",
    "odd": b"Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
}


def answered_as_one(port: int, rest: bytes) -> None:
    """Checks that a server answers such a request once at most, and not its second part."""
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
