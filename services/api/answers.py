"""Bodies as bytes: made once, kept for the next who asks the same of the same snapshot."""

import json
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, Self

import orjson

from services.contract.records import Page

_OPTIONS: Final = orjson.OPT_SERIALIZE_NUMPY
_END: Final = b'"}}'


@dataclass(frozen=True, slots=True)
class Body:
    """An envelope but for its request_id, which comes between `head` and the closing braces."""

    head: bytes

    @classmethod
    def of(cls, data: bytes, page: Page[Any] | None = None) -> Self:
        """The envelope of spec 2.1 around `data`, which is JSON."""
        paging = b""
        if page is not None:
            paging = b',"pagination":' + orjson.dumps(
                {"page": page.page, "per_page": page.per_page, "total": page.total}
            )
        return cls(b'{"data":' + data + paging + b',"meta":{"request_id":"')

    def sent_as(self, request_id: str) -> bytes:
        """The whole body."""
        return self.head + request_id.encode("ascii") + _END


def dumps(value: object) -> bytes:
    """JSON of what `encode` gives. A number that JSON lacks becomes null (D18)."""
    try:
        return orjson.dumps(value, default=_plain, option=_OPTIONS)
    except TypeError:
        # Integers over 64 bits and lone surrogates, which sources may hold and orjson refuses.
        text = json.dumps(value, default=_plain)
        finite = json.loads(text, parse_constant=lambda _: None)
        return json.dumps(finite, separators=(",", ":")).encode("ascii")


def _plain(value: object) -> object:
    """Odd values of a source's own fields, as JSON has them."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)


class Kept:
    """The bodies last asked for, bounded by their bytes; old ones go first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._bodies: OrderedDict[Hashable, Body] = OrderedDict()
        self._bytes = 0
        self._guard = Lock()

    def get(self, key: Hashable) -> Body | None:
        """The body kept under `key`, if there is one."""
        with self._guard:
            found = self._bodies.get(key)
            if found is not None:
                self._bodies.move_to_end(key)
            return found

    def put(self, key: Hashable, body: Body) -> None:
        """Keeps a body, and lets go of the oldest that no longer fit."""
        with self._guard:
            if key in self._bodies:
                return
            self._bodies[key] = body
            self._bytes += len(body.head)
            while self._bytes > self._most:
                _, gone = self._bodies.popitem(last=False)
                self._bytes -= len(gone.head)
