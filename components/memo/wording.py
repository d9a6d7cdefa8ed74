"""Citations in words: a figure with its unit, where it stands, how it was computed. Pure."""

from collections.abc import Sequence
from typing import Final

from components.kit.fields import WRITERS, written
from components.kit.formatting import MISSING, day
from components.kit.text import line
from services.contract.citations import Citation
from services.contract.facts import FACT, Kind

#: Places that are listed; of a loan of more properties how many there are.
_MOST_PLACES: Final = 6
_SHORT_HASH: Final = 12
#: Kinds of computed figures that are no facts, written as facts are.
_WRITTEN: Final[frozenset[Kind]] = frozenset(
    {"dollars", "percent", "fraction", "times", "basis points"}
)


def value(one: Citation) -> str:
    """The figure as the dossier writes it; why there is none."""
    if one.value is None:
        return one.why or MISSING
    if one.key in FACT:
        return line(written(one.key, one.value))
    return WRITERS[one.kind](float(one.value)) if one.kind in _WRITTEN else line(str(one.value))


def raw(one: Citation) -> str:
    """The value as filed; of several places each."""
    return _several([place.raw for place in one.places])


def element(one: Citation) -> str:
    """The names of its elements."""
    return _several(list(dict.fromkeys(place.element for place in one.places)))


def record(one: Citation) -> str:
    """The records that it stands in."""
    return _several(list(dict.fromkeys(place.record for place in one.places)))


def _several(words: Sequence[str]) -> str:
    if not words:
        return MISSING
    more = len(words) - _MOST_PLACES
    listed = "; ".join(words[:_MOST_PLACES])
    return line(f"{listed}; and {more} more" if more > 0 else listed)


def equation(one: Citation) -> str:
    """NCF / debt service = 4213000 / 3120000 = 1.35x."""
    if not one.filled:
        return MISSING
    if not one.formula or one.formula == one.filled:
        return line(f"{one.filled} = {value(one)}")
    return line(f"{one.formula} = {one.filled} = {value(one)}")


def file(one: Citation) -> str:
    """Its file, with the beginning of the hash."""
    if one.file is None:
        return MISSING
    digest = f", SHA-256 {one.sha256[:_SHORT_HASH]}…" if one.sha256 else ""
    return line(f"{one.file}{digest}")


def pairs(one: Citation) -> list[tuple[str, str]]:
    """Everything that is known of where a figure comes from, name and value; what is not is not
    listed, but `limit` says why.
    """
    given = (
        ("Figure", one.label),
        ("Value", value(one)),
        ("As filed", raw(one)),
        ("Element", element(one)),
        ("Record", record(one)),
        ("How it was computed", equation(one)),
        ("Period", one.period),
        ("File", one.file or ""),
        ("SHA-256 of the file", one.sha256 or ""),
        ("Source", one.source),
        ("As of", day(one.as_of)),
        ("Provenance", one.provenance),
        ("Made by", one.rule),
        ("Limit", one.limit),
    )
    return [(name, line(said)) for name, said in given if said and said != MISSING]


def row(one: Citation) -> dict[str, str]:
    """One row of the table of all figures."""
    return {
        "Figure": line(one.label),
        "Value": value(one),
        "As filed": raw(one),
        "Element": element(one),
        "Record": record(one),
        "Computed": equation(one),
        "File": file(one),
        "As of": day(one.as_of),
        "Limit": line(one.limit or one.why or MISSING),
    }


def where(one: Citation) -> str:
    """Where a figure comes from on one line: record and element, else formula, else the limit."""
    if one.places:
        return line(f"{element(one)} of {record(one)}")
    return equation(one) if one.filled else line(one.limit or one.source or MISSING)
