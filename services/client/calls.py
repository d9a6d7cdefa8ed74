"""The exchanges behind the views, kept for the reader who asks what a view amounts to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from services.client.protocol import Answer
from services.contract.requests import Request

#: Exchanges remembered, and how much of each body.
MAX_CALLS: Final = 32
MAX_CALL_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class Call:
    """One exchange as it was. Never has the key."""

    #: Name of the method that its endpoint answers.
    read: str
    method: str
    #: Whole address.
    url: str
    path: str
    params: Mapping[str, str]
    #: 0 when no answer came.
    status: int
    request_id: str | None
    #: The raw body, at most MAX_CALL_BYTES of it.
    body: str
    #: Whether `body` is less than came.
    cut: bool
    seconds: float
    #: When it was over, seconds since 1970.
    at: float
    #: Which try it was, from 1.
    attempt: int


def call_of(
    base_url: str,
    request: Request,
    answer: Answer | None,
    request_id: str | None,
    at: float,
    attempt: int,
) -> Call:
    """The record of one try; `answer` is None when none came."""
    body = answer.body if answer else b""
    return Call(
        read=request.endpoint.read,
        method="GET",
        url=base_url + request.target,
        path=request.path,
        params=request.params,
        status=answer.status if answer else 0,
        request_id=request_id,
        body=body[:MAX_CALL_BYTES].decode(errors="replace"),
        cut=len(body) > MAX_CALL_BYTES,
        seconds=answer.seconds if answer else 0.0,
        at=at,
        attempt=attempt,
    )


class CallLog:
    """The newest call by target, MAX_CALLS of them. Not for several threads at once."""

    def __init__(self) -> None:
        self._calls: dict[str, Call] = {}

    def add(self, target: str, call: Call) -> None:
        """Keeps a call as the newest, and forgets the oldest beyond the bound."""
        self._calls.pop(target, None)
        self._calls[target] = call
        if len(self._calls) > MAX_CALLS:
            del self._calls[next(iter(self._calls))]

    def picture(self) -> Mapping[str, Call]:
        """The calls by target, oldest first, as they are now."""
        return dict(self._calls)
