"""Pairs of parties that may be one, each with its score and its reasons."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from services.resolution.addresses import Address, parted
from services.resolution.scoring import (
    ADDRESS_PLACE,
    ADDRESS_SAME,
    ADDRESS_STATE,
    NAME_NEAR,
    NAME_SAME,
    UNKNOWN,
    Scored,
    Side,
    scored,
)
from services.resolution.spelling import Spelling, spelled

#: An address of more parties than this is a hub, such as a registered agent's, and proves nothing.
HUB: Final = 25
#: A score without an address that both give goes no further: probable, and a user decides.
ALONE: Final = 0.89
#: The same where legal forms differ: "Elm LLC" and "Elm LP" are two companies until somebody knows
#: better.
OTHER_FORM: Final = 0.69
#: Pairs below this score are not proposed.
PROPOSED_FROM: Final = 0.15

_NAMES: Final = {
    NAME_SAME: "Same name but for case, punctuation, abbreviations and legal form.",
    NAME_NEAR: "Names differ by some letters or the order of words.",
}
_ALIKE: Final = "Names are alike."
_PLACES: Final = {
    ADDRESS_PLACE: "Same ZIP or city, other street.",
    ADDRESS_STATE: "Same state, other place.",
    0: "Addresses in different states.",
    UNKNOWN: "No address to compare.",
}


@dataclass(slots=True)
class Party:
    """What is compared of a party. Over several sources it is one where its name is (D30)."""

    name: str
    addresses: set[str] = field(default_factory=set)
    #: Scheme and value.
    identifiers: set[tuple[str, str]] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)

    def told_apart_from(self, other: "Party") -> bool:
        """Whether both have an identifier of one scheme, and none in common."""
        schemes = {scheme for scheme, _ in self.identifiers}
        both = any(scheme in schemes for scheme, _ in other.identifiers)
        return both and not self.identifiers & other.identifiers


@dataclass(frozen=True, slots=True)
class Found:
    """Two parties (rows) that may be one."""

    first: int
    second: int
    score: float
    reasons: tuple[str, ...]


def pairs(parties: Sequence[Party], apart: Collection[tuple[int, int]] = ()) -> list[Found]:
    """Pairs of `parties` that may be one, the surest first, then by row.

    `apart` are rows, the smaller first, of parties that are known to be two: one owns the other.
    """
    spellings = [spelled(one.name) for one in parties]
    places = [sorted(set(map(parted, one.addresses)), key=_order) for one in parties]
    crowd = hubs(spellings, places)
    sides, whose = [], []
    for row, (spelling, addresses) in enumerate(zip(spellings, places, strict=True)):
        for address in addresses or [Address("", "", "")]:
            sides.append(_side(spelling, address, hub=address.whole in crowd))
            whose.append(row)
    best: dict[tuple[int, int], Scored] = {}
    for one in scored(sides):
        rows = sorted((whose[one.first], whose[one.second]))
        key = (rows[0], rows[1])
        if key[0] != key[1] and (key not in best or one.score > best[key].score):
            best[key] = one
    found = []
    for (first, second), one in best.items():
        both = parties[first], parties[second]
        if (first, second) in apart or both[0].told_apart_from(both[1]) or one.name == 0:
            continue
        forms = spellings[first].form, spellings[second].form
        crowded = _crowds(crowd, places, first, second)
        made = _judged(Found(first, second, one.score, ()), one, forms, crowded)
        if made.score >= PROPOSED_FROM:
            found.append(made)
    return sorted(found, key=lambda one: (-one.score, one.first, one.second))


def hubs(
    spellings: Sequence[Spelling], places: Sequence[Sequence[Address]], most: int = HUB
) -> Mapping[str, int]:
    """Addresses of more than `most` names that differ in more than numbers, with how many."""
    at: dict[str, set[str]] = defaultdict(set)
    for spelling, addresses in zip(spellings, places, strict=True):
        for address in addresses:
            if address.whole:
                at[address.whole].add(spelling.words)
    return {whole: len(names) for whole, names in at.items() if len(names) > most}


def _order(address: Address) -> tuple[str, str, str]:
    return address.street, address.place, address.state


def _side(spelling: Spelling, address: Address, *, hub: bool) -> Side:
    return Side(
        words=spelling.words,
        letters=spelling.letters,
        numbers=spelling.numbers,
        street=None if hub else address.street or None,
        place=address.place or None,
        state=address.state or None,
    )


def _crowds(
    crowd: Mapping[str, int], places: Sequence[Sequence[Address]], first: int, second: int
) -> int:
    """Parties at the hub where both are; 0 where there is none."""
    shared = {one.whole for one in places[first]} & {one.whole for one in places[second]}
    return max((crowd.get(whole, 0) for whole in shared), default=0)


def _judged(found: Found, one: Scored, forms: tuple[str, str], crowded: int) -> Found:
    """The pair with what its score may be at most, and why it has it."""
    reasons, score = [_NAMES.get(one.name, _ALIKE)], found.score
    if one.address == ADDRESS_SAME:
        reasons.append("Same address.")
    elif crowded:
        reasons.append(f"Same address, which {crowded:,} parties share: it proves nothing.")
    else:
        reasons.append(_PLACES[one.address])
    if one.address != ADDRESS_SAME:
        score = min(score, ALONE)
    if all(forms) and forms[0] != forms[1]:
        reasons.append(f"Legal forms differ: {forms[0]}, {forms[1]}.")
        score = min(score, OTHER_FORM)
    return replace(found, score=score, reasons=tuple(reasons))
