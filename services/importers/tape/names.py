"""What columns are called, in the dialects of tapes (columns.toml)."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from services.contract import schedule_al

#: Fields that a row may have several of, each in a column of its own: "Owner 1", "Owner 2".
MANY: Final = frozenset(("borrower", "sponsor", "guarantor", "owner", "owner_share", "tenant"))
#: A name that says in which unit its figures are: "Balance (000s)", "UPB in millions".
_SCALE: Final = re.compile(
    r"[(\[]\s*(?:in\s+)?(?:US)?[$\s]*(?P<a>000'?s?|thousands?|k|mm|mil|millions?)\s*[)\]]"
    r"|\bin\s+(?P<b>thousands|millions)\b",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"\d+")
_ALIKE: Final = 88
#: A shorter name is like too many others.
_SHORTEST: Final = 5
_LISTS: Final = {
    "payment_status": schedule_al.PAYMENT_STATUSES,
    "rate_type": schedule_al.RATE_TYPES,
    "rate_index": schedule_al.RATE_INDEXES,
    "payment_type": schedule_al.PAYMENT_TYPES,
    "accrual_method": schedule_al.ACCRUAL_METHODS,
    "structure": schedule_al.STRUCTURES,
    "workout": schedule_al.WORKOUTS,
    "defeasance": schedule_al.DEFEASANCES,
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """A kind of tape that is known."""

    name: str
    title: str
    #: Plain names: what tells it, what rows are told apart by, what names mean in it.
    signs: tuple[str, ...]
    number: tuple[str, ...]
    columns: dict[str, str]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the name of a column says: a field, or None where the column is kept under its name."""

    field: str | None
    unit: str
    confidence: float
    why: str
    #: Place of the name among those of its field: in a tie the first wins.
    place: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """columns.toml, by plain names."""

    units: dict[str, str]
    fields: dict[str, tuple[str, int]]
    kept: dict[str, str]
    dialects: tuple[Dialect, ...]
    words: dict[str, dict[str, list[str]]]


def plain(name: str) -> str:
    """A name as names are compared: without case, spaces, punctuation and unit."""
    bare = _SCALE.sub(" ", name)
    return re.sub(r"[^a-z0-9]+", "", bare.lower().replace("%", "pct").replace("#", "no"))


def scale_of(name: str) -> str:
    """Unit of the dollars of a column, as its name says it."""
    found = _SCALE.search(name)
    word = (found["a"] or found["b"]).lower() if found else ""
    if not word:
        return "dollars"
    return "millions" if word.startswith("m") else "thousands"


@cache
def known() -> Known:
    """What columns.toml says. Raises ValueError where it contradicts itself: the file is ours."""
    said = tomllib.loads(Path(__file__).with_name("columns.toml").read_text(encoding="utf-8"))
    fields: dict[str, tuple[str, int]] = {}
    for field, rule in said["fields"].items():
        for place, name in enumerate(rule["names"]):
            if fields.setdefault(plain(name), (field, place))[0] != field:
                raise ValueError(f"'{name}' is a name of {field} and of {fields[plain(name)][0]}")
    dialects = tuple(
        Dialect(
            name,
            one["title"],
            tuple(map(plain, one["signs"])),
            tuple(map(plain, one["number"])),
            {plain(column): field for column, field in one.get("columns", {}).items()},
        )
        for name, one in said["dialects"].items()
    )
    return Known(
        units={field: rule["unit"] for field, rule in said["fields"].items()},
        fields=fields,
        kept={plain(name): unit for unit, names in said["kept"].items() for name in names},
        dialects=dialects,
        words=said["words"],
    )


@cache
def codes_of(unit: str) -> dict[str, str]:
    """Words in lower case -> code, or canonical word, of a list. Raises ValueError."""
    if unit not in known().words:
        raise ValueError(f"no such unit: {unit}")
    own = _LISTS.get(unit, {})
    found = {code.casefold(): code for code in own}
    if unit == "property_type":
        own = schedule_al.PROPERTY_TYPES
        found = {code.casefold(): word for code, word in own.items()}
    found |= {word.casefold(): found.get(code.casefold(), code) for code, word in own.items()}
    for code, words in known().words[unit].items():
        found |= dict.fromkeys((code, *words), code)
    return found


def is_known(name: str) -> bool:
    """Whether a text is the name of a column of some tape."""
    return plain(name) in known().fields or plain(name) in known().kept


def dialect_of(names: Sequence[str]) -> Dialect | None:
    """The kind of tape whose signs are nearly all there; the one with the most of them."""
    there = set(map(plain, names))

    def hits(one: Dialect) -> int:
        return sum(sign in there for sign in one.signs)

    best = max(known().dialects, key=hits)
    return best if hits(best) >= max(3, len(best.signs) - 1) else None


def meaning_of(name: str, dialect: Dialect | None) -> Meaning | None:
    """What the name of a column says; None where it says nothing that is known."""
    asked = plain(name)
    if dialect and (said := dialect.columns.get(asked)) is not None:
        unit = known().units[said] if said else known().kept.get(asked, "text")
        return Meaning(said or None, unit, 0.99, f"as in: {dialect.title}", -1)
    if found := known().fields.get(asked):
        return Meaning(found[0], known().units[found[0]], 0.98, "its name", found[1])
    if asked in known().kept:
        return Meaning(None, known().kept[asked], 0.98, "its name")
    return _one_of_many(name, asked) or _alike(asked)


def _one_of_many(name: str, asked: str) -> Meaning | None:
    # "Owner 2 %", "Column (2)"
    bare = plain(_DIGITS.sub("", name))
    if bare != asked and (found := known().fields.get(bare)) and found[0] in MANY:
        return Meaning(found[0], known().units[found[0]], 0.95, "its name")
    if bare in known().kept and bare != asked:
        return Meaning(None, known().kept[bare], 0.95, "its name")
    return None


def _alike(asked: str) -> Meaning | None:
    from rapidfuzz import fuzz, process

    if len(asked) < _SHORTEST:
        return None
    found = process.extractOne(asked, list(known().fields), scorer=fuzz.ratio, score_cutoff=_ALIKE)
    if found is None:
        return None
    field, place = known().fields[found[0]]
    return Meaning(
        field, known().units[field], found[1] / 125, f"its name, like '{found[0]}'", place + 50
    )
