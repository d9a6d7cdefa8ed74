"""Which parties, or loans, of a snapshot may be one; and what users say of it."""

from datetime import datetime
from typing import Final, Literal, NamedTuple, Protocol

import pyarrow as pa
from pydantic import Field

from .queries import Query
from .records import Page, Record
from .vocabulary import CONFIRMED_FROM, PROBABLE_FROM

MatchKind = Literal["party", "loan"]
MatchTier = Literal["confirmed", "probable", "proposed"]
Verdict = Literal["accepted", "rejected"]

#: One row a pair that may be one. `first` is smaller than `second`.
MATCHES: Final = pa.schema(
    [
        pa.field("kind", pa.string(), nullable=False),  # MatchKind
        pa.field("first", pa.string(), nullable=False),  # name of a party, number of a loan
        pa.field("second", pa.string(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
        pa.field("joined", pa.bool_(), nullable=False),  # whether this snapshot holds them as one
        pa.field("reasons", pa.list_(pa.string()), nullable=False),  # sentences, in order
        pa.field("sources", pa.list_(pa.string()), nullable=False),  # titles, each once, by name
    ]
)


class Pair(NamedTuple):
    """Two names of one kind, the smaller first: what a verdict is about, whatever the import."""

    kind: MatchKind
    first: str
    second: str

    @classmethod
    def of(cls, kind: MatchKind, one: str, other: str) -> "Pair":
        """The pair of two names in any order."""
        return cls(kind, min(one, other), max(one, other))


def match_tier(score: float) -> MatchTier:
    """Tier of a score from 0 to 1, by the limits of all tiers (D29)."""
    if score >= CONFIRMED_FROM:
        return "confirmed"
    return "probable" if score >= PROBABLE_FROM else "proposed"


class ProposedMatch(Record):
    """A pair of parties, or loans, that may be one."""

    kind: MatchKind
    first: str
    second: str
    score: float = Field(ge=0, le=1)
    tier: MatchTier
    #: Whether the snapshot holds them as one.
    joined: bool
    reasons: tuple[str, ...]
    #: Titles of the sources that name either.
    sources: tuple[str, ...]

    @property
    def pair(self) -> Pair:
        """What a verdict on it is about."""
        return Pair(self.kind, self.first, self.second)


class MatchQuery(Query):
    """Pairs of one kind or tier; None: all. The surest first."""

    kind: MatchKind | None = None
    tier: MatchTier | None = None


class Decided(Record):
    """What a user said of a pair; the newest word counts, whoever said it."""

    kind: MatchKind
    first: str = Field(min_length=1, max_length=1000)
    second: str = Field(min_length=1, max_length=1000)
    verdict: Verdict
    by: str
    at: datetime

    @property
    def pair(self) -> Pair:
        """What it is about."""
        return Pair(self.kind, self.first, self.second)


class Matches(Protocol):
    """Which parties and loans of a snapshot may be one."""

    def matches_of(self, query: MatchQuery) -> Page[ProposedMatch]:
        """By score, the surest first, then by names."""
        ...
