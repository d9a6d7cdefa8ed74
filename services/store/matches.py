"""Pairs of parties, and of loans, that may be one, out of a snapshot."""

from typing import Final

from services.contract.records import Page
from services.contract.resolution import MatchQuery, ProposedMatch, match_tier

from .reader import Reader

_MATCHES: Final = (
    'SELECT kind, "first", "second", score, joined, reasons, sources FROM matches'
    " WHERE (kind = $kind OR $kind IS NULL) ORDER BY rowid"
)


def matches_of(reader: Reader, query: MatchQuery) -> Page[ProposedMatch]:
    """A page of the pairs, the surest first."""
    found = [
        ProposedMatch(**row, tier=match_tier(row["score"]))
        for row in reader.records(_MATCHES, {"kind": query.kind})
    ]
    kept = [one for one in found if query.tier in {None, one.tier}]
    part = kept[query.offset : query.offset + query.per_page]
    return Page(items=tuple(part), page=query.page, per_page=query.per_page, total=len(kept))
