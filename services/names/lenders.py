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
    "JPMCB/BANA" is two banks, "5/3 Bank" and "A/B Holdings" are one each.
    """
    found: dict[str, None] = {}
    for part in raw.split(";"):
        sides = part.split("/")
        if _known(part) is None and all(map(_known, sides)):
            found.update(dict.fromkeys(map(canonical_lender, sides)))
        elif name := canonical_lender(part):
            found[name] = None
    return list(found)


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
