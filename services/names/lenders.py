"""Lenders and servicers: one display name for every spelling that filings use, and their kind."""

import tomllib
from importlib.resources import files
from typing import Any, NamedTuple

from services.contract.vocabulary import LAYER_KINDS
from services.names.normalise import folded, key

_TABLES = (*LAYER_KINDS, "other")


class _Telling(NamedTuple):
    """Runs of words that give a kind away: anywhere in a key, or at its end."""

    kind: str
    phrases: tuple[str, ...]
    endings: tuple[str, ...]


def _spelt(name: str) -> str:
    return " ".join(folded(name))


def _spellings(tables: dict[str, Any]) -> dict[str, str]:
    """Every way in which a lender is written, with and without its legal form -> display name.

    Spellings as listed go before keys: the key of "Column, N.A." is an alias of another lender.
    """
    listed = [
        (spelling, display)
        for table in _TABLES
        for display, aliases in tables[table].items()
        for spelling in (display, *aliases)
    ]
    found = {_spelt(spelling): display for spelling, display in listed}
    for spelling, display in listed:
        found.setdefault(key(spelling), display)
    return found


_DATA = tomllib.loads((files(__package__) / "lenders.toml").read_text(encoding="utf-8"))
_DISPLAY = _spellings(_DATA)
_KINDS = {display: kind for kind in LAYER_KINDS for display in _DATA[kind]}
_OTHERS = frozenset(_DATA["other"])
_TELLING = tuple(
    _Telling(rule["kind"], tuple(rule["phrases"]), tuple(rule["endings"]))
    for rule in _DATA["telling"]
)


def _known(raw: str) -> str | None:
    return _DISPLAY.get(_spelt(raw)) or _DISPLAY.get(key(raw))


def canonical_lender(raw: str) -> str:
    """Display name of the one lender or servicer `raw`: "WFB" -> "Wells Fargo Bank".

    A name that `lenders.toml` does not know comes back as it is, its white space tidied.
    """
    return _known(raw) or " ".join(raw.split())


def lenders(raw: str) -> list[str]:
    """Display names of all lenders in a field, in its order, each once; [] for an empty field.

    Fields are split at ";", and at "/" only where every side is a lender known by itself:
    "JPMCB/BANA" is two banks, "5/3 Bank" and "A/B Holdings" are one each. They are split at commas
    where one side is known and every other reads as a name: "GSMC, WFB" is two banks, "Wells Fargo
    Bank, National Association" and "Natixis, New York Branch" are one each.
    """
    return list(dict.fromkeys(name for _, name in spellings(raw)))


def spellings(raw: str) -> list[tuple[str, str]]:
    """The lenders in a field, as `lenders`: how each is spelt in it, and its display name."""
    spelt = (name.strip() for part in raw.split(";") for name in _names(part))
    return [(name, canonical_lender(name)) for name in spelt if name]


def _names(part: str) -> list[str]:
    if _known(part) is not None:
        return [part]
    sides = part.split("/")
    if all(map(_known, sides)):
        return sides
    return _at_commas(part) or [part]


def _at_commas(part: str) -> list[str]:
    """Names joined by commas, the longest known ones first; [] where the part is one name."""
    pieces = [piece for piece in part.split(",") if piece.strip()]
    names, at = list[str](), 0
    while at < len(pieces):
        ends = range(len(pieces), at, -1)
        end = next((end for end in ends if _known(",".join(pieces[at:end]))), at + 1)
        name = ",".join(pieces[at:end])
        if names and not key(name):  # a legal form
            names[-1] += f",{name}"
        elif _known(name) or _reads_as_name(name):
            names.append(name)
        else:
            return []
        at = end
    return names if any(map(_known, names)) else []


def _reads_as_name(piece: str) -> bool:
    """Whether an unknown piece is a lender's: short and in capitals, with a legal form, or by its
    telling words.
    """
    words = piece.split()
    short = len(words) == 1 and words[0].isupper()
    return short or len(key(piece).split()) < len(folded(piece)) or lender_kind(piece) is not None


def lender_kind(name: str) -> str | None:
    """Kind of a lender: insurance, bank, private credit or cmbs servicer (spec 4.1).

    By its known name, else by telling words ("Life", "Bank", "Credit Fund"): an inference, to be
    marked as such. None when neither says.
    """
    display = canonical_lender(name)
    if display in _KINDS:
        return _KINDS[display]
    if display in _OTHERS:
        return None
    padded = f" {key(name)} "
    for rule in _TELLING:
        if any(f" {phrase} " in padded for phrase in rule.phrases) or any(
            padded.endswith(f" {ending} ") for ending in rule.endings
        ):
            return rule.kind
    return None
