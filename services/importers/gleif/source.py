"""Records of the Global LEI Foundation, as JSON or XML, to parties and links.

Level 1 says who an LEI belongs to, level 2 who stands above it, exceptions why nobody does. Files
are told apart by what stands in them. A parent is one by accounting: it consolidates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from services.contract.errors import ImportRefused
from services.contract.portfolio import Portfolio
from services.importers.gleif import xml
from services.importers.gleif.deltas import Read, in_force
from services.importers.identifiers import lei
from services.importers.reading import content, day, digest, files_of, objects, register
from services.importers.ties import Place, Rejects, Ties, check_held, without_loans
from services.importers.values import clean_text

_RELATIONS: Final = {
    "IS_DIRECTLY_CONSOLIDATED_BY": "owned_by",
    "IS_ULTIMATELY_CONSOLIDATED_BY": "ultimately_owned_by",
    "IS_FUND-MANAGED_BY": "managed_by",
    "IS_SUBFUND_OF": "subfund_of",
    "IS_FEEDER_TO": "feeder_to",
    "IS_INTERNATIONAL_BRANCH_OF": "branch_of",
}
_LEGAL: Final = {
    "SOLE_PROPRIETOR": "person",
    "RESIDENT_GOVERNMENT_ENTITY": "public body",
    "INTERNATIONAL_ORGANIZATION": "public body",
}
#: Registers of companies whose numbers other sources write too: their country.
_REGISTERS: Final = {"RA000585": "GB", "RA000602": "US-DE"}
_PARENT: Final = {
    "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT": "direct parent",
    "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT": "ultimate parent",
}


def portfolio(paths: Sequence[Path], *, as_of: date) -> Portfolio:
    """The parties and links of the files, or of the .json and .xml files of folders: level 1, level
    2 and exceptions, full files and deltas, in any order.

    A record that cannot be used is a row of `rejects`. Raises ImportRefused for a file of another
    kind, or where no party is in any.
    """
    ties, rejects = Ties(), Rejects()
    read, records = [], []
    for at, path in enumerate(_files(paths)):
        hashed, found = _records(path, at)
        read.append((path, hashed))
        records += found
    staying, deleted, replaced = in_force(records)
    names: dict[str, str] = {}
    for one in sorted(staying, key=lambda each: each.level):
        with rejects.of(f"{one.file}, {one.place}"):
            place = Place(one.file, one.place)
            if one.level == 1:
                _entity(ties, names, one.one, place)
            elif one.level == 2:  # noqa: PLR2004 - as GLEIF calls it
                _relationship(ties, names, one.one["Relationship"], place, as_of)
            else:
                _exception(ties, names, one.one, place)
    rejects += [(f"{one.file}, {one.place}", f"It was deleted on {day}.") for one, day in deleted]
    info = register(
        "gleif", "Legal Entity Identifiers", "Global Legal Entity Identifier Foundation",
        "CC0", as_of, read, len(records),
    )  # fmt: skip
    if replaced:
        info = replace(info, unmapped={"(records that a later file replaces)": replaced})
    return without_loans(info, ties, rejects)


def _files(paths: Sequence[Path]) -> list[Path]:
    return [
        file
        for path in paths
        for file in (
            sorted(one for one in path.iterdir() if one.suffix.lower() in {".json", ".xml"})
            if path.is_dir()
            else [path]
        )
    ] or files_of(paths, ".json")  # which says that a folder is empty


def _records(path: Path, at: int) -> tuple[str, list[Read]]:
    """SHA-256 of a file, and its records. Raises ImportRefused."""
    if path.suffix.lower() != ".xml":
        raw = content(path)
        found = objects(path, raw)
        return digest(raw), [
            Read(_level(path, one), at, path.name, place, "", one) for place, one in found
        ]
    tally = xml.Tally()
    listed = list(xml.records(path, tally))
    return tally.sha256, [
        Read(_level(path, one), at, path.name, place, tally.made, one) for place, one in listed
    ]


def _level(path: Path, one: Mapping[str, Any]) -> int:
    """1, 2, or 3 for an exception. Raises ImportRefused."""
    for level, names in enumerate(
        (("LEI", "Entity"), ("Relationship",), ("ExceptionCategory",)), 1
    ):
        if all(name in one for name in names):
            return level
    raise ImportRefused(f"{path.name} holds something else than GLEIF's records.")


def _entity(ties: Ties, names: dict[str, str], one: Mapping[str, Any], place: Place) -> None:
    number, entity = lei(one["LEI"]), one["Entity"]
    spelt = clean_text(_text(entity["LegalName"]))
    name = names[number] = ties.called(spelt, number, number)
    ties.party(name, "fund" if entity.get("EntityCategory") == "FUND" else "operating entity")
    ties.know(name, "identifier", number, place, "LEI")
    ties.know(name, "name", spelt, place)
    for other in entity.get("OtherEntityNames") or ():
        ties.know(name, "name", clean_text(_text(other["OtherEntityName"])), place)
    registered = entity.get("RegistrationAuthority") or {}
    country = _REGISTERS.get(registered.get("RegistrationAuthorityID", ""))
    if country and (own := registered.get("RegistrationAuthorityEntityID")):
        ties.know(name, "identifier", f"{country} {own}", place, "company number")
    for kind in ("LegalAddress", "HeadquartersAddress"):
        if written := _address(entity.get(kind) or {}):
            ties.know(name, "address", written, Place(place.file, place.record, kind))
    if jurisdiction := entity.get("LegalJurisdiction"):
        ties.know(name, "jurisdiction", jurisdiction, place)
    ties.know(name, "legal kind", _LEGAL.get(entity.get("EntityCategory", ""), "company"), place)


def _text(given: object) -> str:
    """A name, which GLEIF writes as text, or as an object with its language."""
    return str(given["$"]) if isinstance(given, dict) else str(given)


def _address(given: Mapping[str, Any]) -> str:
    parts = ("FirstAddressLine", "City", "Region", "PostalCode", "Country")
    return clean_text(", ".join(_text(given[part]) for part in parts if given.get(part)))


def _known(ties: Ties, names: dict[str, str], number: str, place: Place) -> str:
    """The party of an LEI; one that no file describes goes by its number."""
    found = lei(number)
    if found not in names:
        names[found] = ties.party(f"LEI {found}", "operating entity")
        ties.know(names[found], "identifier", found, place, "LEI")
    return names[found]


def _relationship(
    ties: Ties, names: dict[str, str], one: Mapping[str, Any], place: Place, as_of: date
) -> None:
    kind = one["RelationshipType"]
    if kind not in _RELATIONS:
        raise ValueError(f"is a relationship of the unknown type '{str(kind)[:40]}'")
    if one.get("RelationshipStatus") not in {"ACTIVE", None}:
        raise ValueError(f"is a relationship that is {str(one['RelationshipStatus'])[:40].lower()}")
    periods = one.get("RelationshipPeriods") or ()
    held: Mapping[str, Any] = next(
        (p for p in periods if p.get("PeriodType") == "RELATIONSHIP_PERIOD"), {}
    )
    until = day(held.get("EndDate"))
    check_held(until, as_of)
    ends = [_known(ties, names, one[end]["NodeID"], place) for end in ("StartNode", "EndNode")]
    ties.tie(ends[0], _RELATIONS[kind], ends[1], "registered", place, said=kind,
             since=day(held.get("StartDate")), until=until)  # fmt: skip


def _exception(ties: Ties, names: dict[str, str], one: Mapping[str, Any], place: Place) -> None:
    name = _known(ties, names, one["LEI"], place)
    category = one["ExceptionCategory"]
    reasons = one.get("ExceptionReason")
    for reason in reasons if isinstance(reasons, list) else [reasons]:
        said = f"{_PARENT.get(category, category)}: {reason or 'no reason stated'}"
        ties.know(name, "exception", said, place)
