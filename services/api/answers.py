"""Bodies as bytes: records encoded for the wire, in the envelope of spec 2.1."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import orjson

from services.contract.endpoints import Endpoint
from services.contract.history import Changes
from services.contract.records import GraphResult, Page, Record
from services.contract.wire import Variant, encode

_OPTIONS: Final = orjson.OPT_SERIALIZE_NUMPY
_END: Final = b'"}}'


@dataclass(frozen=True, slots=True)
class Body:
    """An envelope but for its request_id, which comes between `head` and the closing braces."""

    head: bytes

    @classmethod
    def of(cls, data: bytes, page: Page[Any] | None = None) -> Self:
        """The envelope around `data`, which is JSON."""
        paging = b""
        if page is not None:
            paging = b',"pagination":' + orjson.dumps(
                {"page": page.page, "per_page": page.per_page, "total": page.total}
            )
        return cls(b'{"data":' + data + paging + b',"meta":{"request_id":"')

    def sent_as(self, request_id: str) -> bytes:
        """The whole body."""
        return self.head + request_id.encode("ascii") + _END


def read(
    endpoint: Endpoint[Any, Any], source: object, question: tuple[Any, ...], variant: Variant
) -> Body:
    """What a source answers to an endpoint's question, encoded. Raises what the source raises."""
    answer: Record | Page[Record] | tuple[GraphResult, Page[Any]] = endpoint.ask(source, *question)
    if isinstance(answer, Page):
        return Body.of(dumps([encode(one, variant) for one in answer.items]), answer)
    if isinstance(answer, Changes):
        return Body.of(dumps(encode(answer, variant)), answer.found)
    if isinstance(answer, Record):
        return Body.of(dumps(encode(answer, variant)))
    walk, page = answer
    return Body.of(dumps(encode(walk.model_copy(update={"paths": page.items}), variant)), page)


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
