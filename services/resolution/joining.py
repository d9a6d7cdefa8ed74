"""Which of the pairs that were found are made one party."""

from collections.abc import Mapping, Sequence
from typing import Final

from services.contract.evidence import SCHEMES
from services.contract.resolution import Pair, Verdict
from services.contract.vocabulary import CONFIRMED_FROM
from services.resolution.pairs import Found, Party

#: Before every identifier: what was said by a user.
_NONE: Final = len(SCHEMES)


def joined(
    parties: Sequence[Party], found: Sequence[Found], verdicts: Mapping[Pair, Verdict]
) -> dict[int, int]:
    """Of each party (row) that becomes another one that other: rows to rows, by row.

    What a user accepted is joined first, then what is confirmed, the surest first; never a party
    with one that a user rejected for it or for any that it was joined with already, nor two that
    identifiers tell apart. The one with the strongest identifier gives the name, else the first.
    """
    at = {one.name: row for row, one in enumerate(parties)}
    groups: dict[int, set[int]] = {row: {row} for row in range(len(parties))}
    rejected = {pair for pair, verdict in verdicts.items() if verdict == "rejected"}
    accepted = [
        (at[pair.first], at[pair.second])
        for pair in sorted(verdicts)
        if pair.kind == "party" and verdicts[pair] == "accepted"
        and pair.first in at and pair.second in at
    ]  # fmt: skip
    confirmed = [(one.first, one.second) for one in found if one.score >= CONFIRMED_FROM]
    for first, second in (*accepted, *confirmed):
        if groups[first] is groups[second]:
            continue
        if any(
            Pair.of("party", parties[a].name, parties[b].name) in rejected
            or parties[a].told_apart_from(parties[b])
            for a in groups[first]
            for b in groups[second]
        ):
            continue
        group = groups[first] | groups[second]
        groups.update(dict.fromkeys(group, group))
    heads: dict[int, int] = {}
    for row, group in groups.items():
        head = min(group, key=lambda one: (_strength(parties[one]), one))
        if head != row:
            heads[row] = head
    return heads


def _strength(party: Party) -> int:
    """Place of its strongest scheme; smaller is stronger."""
    order = list(SCHEMES)
    return min((order.index(scheme) for scheme, _ in party.identifiers), default=_NONE)
