"""Which endpoints a service has, by its own OpenAPI document; another service may show none."""

from collections.abc import Mapping
from typing import Final

from pydantic_core import from_json

from services.client.protocol import Answer, Decoded
from services.client.seen import Seen

#: Where our own service describes itself (the specification leaves the place open).
DESCRIPTION: Final = "/openapi.json"
#: A service may be replaced by one that offers more, or less.
REMEMBERED_SECONDS: Final = 3_600.0


def paths_of(answer: Answer) -> Decoded[frozenset[str]]:
    """The paths that a description names; none where the answer is no description."""
    try:
        whole = from_json(answer.body)
    except ValueError:
        whole = None
    paths = whole.get("paths") if isinstance(whole, Mapping) else None
    named = frozenset(map(str, paths)) if isinstance(paths, Mapping) else frozenset()
    return Decoded(named, Seen(), None)
