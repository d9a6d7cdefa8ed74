"""Evidence in words: rows of its tables, and where sources disagree. Pure."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from components.kit.formatting import MISSING, day, fraction, score, words
from components.kit.text import line
from services.contract.evidence import Cited, EdgeEvidence, PartyEvidence, Witness
from services.contract.rounding import number_of

_COLUMNS: Final = ("Relation", "How it is known", "Confidence", "Share", "In its words", "Source",
                   "Where", "Held")  # fmt: skip
#: Of an edge of whose ground its source says nothing.
_UNSAID: Final = {**dict.fromkeys(_COLUMNS, MISSING), "How it is known": "its source does not say"}


def rows(found: Iterable[EdgeEvidence]) -> list[dict[str, str]]:
    """One row a witness; an edge without any has one that says so."""
    return [
        {"Link": line(f"{edge.source} → {edge.target}"), **(_row(one) if one else _UNSAID)}
        for edge in found
        for one in edge.witnesses or (None,)
    ]


def _row(one: Witness) -> dict[str, str]:
    match = "" if one.match is None else f", match {score(one.match)}"
    return {
        "Relation": words(one.relation),
        "How it is known": line(f"{one.method}{match}"),
        "Confidence": score(one.confidence),
        "Share": fraction(one.share, 0),
        "In its words": line(one.said or MISSING),
        "Source": line(f"{one.source}, {day(one.as_of)}"),
        "Where": where(one),
        "Held": held(one.since, one.until),
    }


def where(one: Cited) -> str:
    """File, record, element, as far as they are known."""
    parts = (one.file, one.record, one.element)
    return line(", ".join(part for part in parts if part) or MISSING)


def held(since: date | None, until: date | None) -> str:
    """1 Jan 2019 to 31 Dec 2023."""
    if since is None and until is None:
        return MISSING
    if since is None:
        return f"to {day(until)}"
    return f"from {day(since)}" if until is None else f"{day(since)} to {day(until)}"


def disagreements(found: Iterable[EdgeEvidence]) -> list[str]:
    """Where sources state different shares of one link: shown, never averaged."""
    said = []
    for edge in found:
        shares = dict.fromkeys(one.share for one in edge.witnesses if one.share is not None)
        if len(shares) > 1:
            stated = " and ".join(fraction(share, 0) for share in shares)
            said.append(f"Sources disagree on {edge.source} → {edge.target}: {stated}.")
    return said


def known(party: PartyEvidence) -> list[dict[str, str]]:
    """One row a fact of a party."""
    return [
        {
            "What": line(one.scheme or words(one.about)),
            "Value": line(one.value),
            "Source": line(f"{one.source}, {day(one.as_of)}"),
            "Where": where(one),
            "Held": held(one.since, one.until),
        }
        for one in party.particulars
    ]


def summed(found: Sequence[EdgeEvidence]) -> str:
    """2 links, 3 witnesses."""
    witnesses = number_of(sum(len(one.witnesses) for one in found), "witness", "witnesses")
    return f"{number_of(len(found), 'link')}, {witnesses}."
