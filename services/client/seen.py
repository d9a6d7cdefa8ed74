"""What answers held beyond the specification, and what they lacked (D2, D19): counted, never lost.

The figures tell on the Sources page how a deployment differs from the specification.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from services.contract.queries import shortened
from services.contract.records import (
    ChainElement,
    Edge,
    Entity,
    GraphResult,
    Loan,
    LoanDetail,
    OwnershipChain,
    Record,
    Signal,
)
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES, TIERS
from services.contract.wire import FIELDS, variant_of

#: Distinct names kept in one counter; an answer cannot fill the memory with inventions.
MAX_NAMES: Final = 500
OTHERS: Final = "(others)"

_NAMES: Final[dict[type[Record], str]] = {
    Loan: "loan",
    LoanDetail: "loan detail",
    Entity: "entity",
    OwnershipChain: "ownership chain",
    ChainElement: "chain element",
    GraphResult: "graph result",
    Edge: "edge",
    Signal: "signal",
}
_WORDS: Final[dict[str, frozenset[str]]] = {
    "rate_pressure": frozenset(SEVERITIES),
    "severity": frozenset(SEVERITIES),
    "confidence_tier": frozenset(TIERS),
    "signal_type": frozenset(SIGNAL_TYPES),
    "property_type": frozenset(PROPERTY_TYPES.values()),
}
#: Fields of the graph result that are our own (D12): another service rightly lacks them.
_OWN: Final = frozenset({"stopped_by", "next_level_edges"})

Names = tuple[str, ...]


class Seen:
    """Counters; each key begins with the kind of record, such as "loan" or "signal"."""

    def __init__(self) -> None:
        #: (record, field) -> times: fields that the specification does not have.
        self.unknown_fields: Counter[Names] = Counter()
        #: (record, field) -> times: specified fields whose key was not there at all.
        self.absent_fields: Counter[Names] = Counter()
        #: (record, field, word) -> times: enumerated words without a known rank.
        self.unknown_words: Counter[Names] = Counter()
        #: (record, "a" or "b") -> times: the spelling, where the keys tell it.
        self.variants: Counter[Names] = Counter()

    def add(self, payload: Mapping[str, Any], record: Record) -> None:
        """Counts one record, and the records inside it, beside the payload it came from."""
        kind = type(record)
        name = _NAMES.get(kind)
        if name is None:  # one of our endpoints, of which the specification says nothing
            return
        variant = variant_of(kind, payload)
        if any(s.key("a") != s.key("b") and s.key(variant) in payload for s in FIELDS[kind]):
            _count(self.variants, (name, variant))
        for spec in FIELDS[kind]:
            if spec.key(variant) not in payload and spec.name not in _OWN:
                _count(self.absent_fields, (name, spec.name))
            word = getattr(record, spec.name) if spec.name in _WORDS else None
            if word is not None and word not in _WORDS[spec.name]:
                _count(self.unknown_words, (name, spec.name, shortened(word)))
        beyond = record.extended if isinstance(record, LoanDetail) else getattr(record, "extra", {})
        for field in beyond:
            _count(self.unknown_fields, (name, shortened(field)))
        for part, inner in _inside(payload, record):
            self.add(part, inner)

    def merge(self, other: "Seen") -> None:
        """Adds what another one counted."""
        for mine, theirs in zip(self.counters(), other.counters(), strict=True):
            for key, times in theirs.items():
                _count(mine, key, times)

    def copy(self) -> "Seen":
        """A picture of the counters that later answers leave alone."""
        picture = Seen()
        picture.merge(self)
        return picture

    def counters(self) -> tuple[Counter[Names], ...]:
        """Unknown fields, absent fields, unknown words, variants."""
        return (self.unknown_fields, self.absent_fields, self.unknown_words, self.variants)


def _count(counter: Counter[Names], key: Names, times: int = 1) -> None:
    if key not in counter and len(counter) >= MAX_NAMES:
        key = (*key[:-1], OTHERS)
    counter[key] += times


def _inside(
    payload: Mapping[str, Any], record: Record
) -> Iterator[tuple[Mapping[str, Any], Record]]:
    if isinstance(record, OwnershipChain):
        yield from zip(payload["chain"], record.chain, strict=True)
    elif isinstance(record, GraphResult):
        for raw, path in zip(payload["paths"], record.paths, strict=True):
            yield from zip(raw["edges"], path.edges, strict=True)
