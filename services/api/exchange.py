"""One request and its answer: what is known of it while it is under way, and the envelopes."""

import secrets
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from http import HTTPStatus
from time import perf_counter
from typing import Any, Final

import orjson
from starlette.responses import Response

from services.contract.errors import CreditAtlasError, RateLimited

from .keys import Key
from .limiting import RateState

Headers = list[tuple[bytes, bytes]]
#: Where the exchange of a request lies in its ASGI scope.
HERE: Final = "creditatlas.exchange"
#: For a browser that is led here: it shows the answer as text, alone, and keeps nothing of it.
SHOWN_ALONE: Final = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (
        b"content-security-policy",
        b"default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    ),
)
_JSON: Final = ((b"content-type", b"application/json"), *SHOWN_ALONE)
#: JSON-RPC 2.0, 5.1.
_INVALID_REQUEST: Final = -32600
_INTERNAL_ERROR: Final = -32603
#: The limits as they are sent when counting itself has failed.
_UNKNOWN: Final = RateState(remaining=0, reset=60, daily_remaining=0)


@dataclass(slots=True)
class Exchange:
    """A request under way. `template` is its path without what fills it, for the log; `asked`
    what a message of an assistant asks for.
    """

    scope: MutableMapping[str, Any]
    request_id: str = field(default_factory=lambda: f"req_{secrets.token_hex(8)}")
    started: float = field(default_factory=perf_counter)
    template: str = "unknown"
    key: Key | None = None
    rate: RateState | None = None
    status: int = 0
    asked: str | None = None
    #: Whether it is a message of an assistant, so that a refusal is one too.
    is_message: bool = False

    def headers(self, length: int) -> Headers:
        """The headers of every answer (spec 8.2, D15)."""
        rate = self.rate or _UNKNOWN
        return [
            *_JSON,
            (b"content-length", b"%d" % length),
            (b"x-ratelimit-remaining", b"%d" % rate.remaining),
            (b"x-ratelimit-reset", b"%d" % rate.reset),
            (b"x-ratelimit-daily-remaining", b"%d" % rate.daily_remaining),
        ]


class Answer(Response):
    """Body and headers as they go out; what all answers share is made once."""

    def __init__(
        self, exchange: Exchange, status: int, body: bytes, headers: Headers | None = None
    ) -> None:
        self.status_code = exchange.status = status
        self.body = body
        self.background = None
        self.raw_headers = exchange.headers(len(body)) + (headers or [])


def failure(
    error: CreditAtlasError, status: int, request_id: str, *, is_message: bool = False
) -> tuple[bytes, Headers]:
    """Body and own headers of an error (spec 7); to an assistant the same as a JSON-RPC error."""
    body = {"code": error.code, "message": error.message, "request_id": request_id}
    headers: Headers = []
    if isinstance(error, RateLimited):
        headers.append((b"retry-after", b"%d" % error.retry_after))
    if isinstance(error, MethodNotAllowed):
        headers.append((b"allow", error.allow.encode("ascii")))
    if status == HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    if is_message:
        rpc = _INTERNAL_ERROR if status >= HTTPStatus.INTERNAL_SERVER_ERROR else _INVALID_REQUEST
        told = {"code": rpc, "message": error.message, "data": body}
        return orjson.dumps({"jsonrpc": "2.0", "id": None, "error": told}), headers
    return orjson.dumps({"error": body}), headers


class MethodNotAllowed(CreditAtlasError):
    """405 (D13): everything here is read with GET or HEAD, but messages of assistants."""

    status = 405
    code = "method_not_allowed"

    def __init__(self, message: str, *, allow: str = "GET, HEAD") -> None:
        super().__init__(message)
        self.allow = allow


class BodyTooLarge(CreditAtlasError):
    """413: a message of an assistant that is longer than any question needs."""

    status = 413
    code = "invalid_request"


class TargetTooLong(CreditAtlasError):
    """414: path and query are longer than any question needs."""

    status = 414
    code = "invalid_request"


class HeadersTooLarge(CreditAtlasError):
    """431: more headers than are read."""

    status = 431
    code = "invalid_request"


class CodingUnknown(CreditAtlasError):
    """501: a body in a coding that is not read."""

    status = 501
    code = "invalid_request"
