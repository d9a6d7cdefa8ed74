"""Lines of the UK register of people with significant control to parties and links.

A line names the company by its number alone: other sources that know the number give the name.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

from services.contract.errors import ImportRefused
from services.contract.portfolio import Portfolio
from services.importers.identifiers import company_number
from services.importers.reading import content, day, files_of, objects, register
from services.importers.ties import Place, Rejects, Ties, check_held, fitting, without_loans
from services.importers.values import clean_text

_PERSON: Final = "individual-person-with-significant-control"
_COMPANIES: Final = {
    "corporate-entity-person-with-significant-control": "company",
    "legal-person-person-with-significant-control": "public body",
}
#: Natures of control that are ownership; any other is control.
_OWNS: Final = ("ownership-of-shares", "voting-rights", "right-to-share-surplus-assets")
#: How the register spells itself as a place of registration.
_HERE: Final = frozenset(
    ("united kingdom", "england", "england and wales", "england & wales", "wales", "scotland",
     "northern ireland", "uk", "great britain", "companies house")
)  # fmt: skip
#: Numbers are filled up to so many places.
_DIGITS: Final = 8


def portfolio(paths: Sequence[Path], *, as_of: date) -> Portfolio:
    """The parties and links of the files, or of the .json files of folders.

    A line that names nobody is a row of `rejects` with what it says instead. Raises ImportRefused
    for a file of another kind, or where no party is in any.
    """
    ties, rejects = Ties(), Rejects()
    read = [(path, content(path)) for path in files_of(paths, ".json")]
    records = 0
    for path, raw in read:
        for record, one in objects(path, raw):
            records += 1
            if not isinstance(one.get("data"), dict):
                raise ImportRefused(f"{path.name} holds something else than the register's lines.")
            with rejects.of(f"{path.name}, {record}"):
                _line(ties, one, Place(path.name, record), as_of)
    info = register(
        "uk-psc", "UK people with significant control", "Companies House",
        "UK public register, Open Government Licence", as_of, read, records,
    )  # fmt: skip
    return without_loans(info, ties, rejects)


def _line(ties: Ties, one: Mapping[str, Any], place: Place, as_of: date) -> None:
    data = one["data"]
    kind = data.get("kind")
    if kind not in {_PERSON, *_COMPANIES}:
        said = data.get("statement") or data.get("description") or kind
        raise ValueError(f"names nobody: {str(said)[:80]}")
    until = day(data.get("ceased_on"))
    check_held(until, as_of)
    held = _company(ties, str(one["company_number"]), place)
    owner = _person(ties, data, place) if kind == _PERSON else _corporate(ties, data, place)
    if data.get("address"):
        ties.know(owner, "address", _address(data["address"]), place)
    natures = [str(nature) for nature in data.get("natures_of_control") or ()]
    owns = any(nature.startswith(_OWNS) for nature in natures)
    ties.tie(held, "owned_by" if owns else "controlled_by", owner, "registered", place,
             said="; ".join(natures) or "natures of control not stated",
             since=day(data.get("notified_on")), until=until)  # fmt: skip


def _company(ties: Ties, number: str, place: Place) -> str:
    """The company of a line, by its number: the register's own, so that it has eight places."""
    full = company_number(f"GB {number.strip().zfill(_DIGITS)}")
    name = ties.party(f"Company {full}", "operating entity")
    ties.know(name, "identifier", full, place, "company number")
    ties.know(name, "legal kind", "company", place)
    return name


def _person(ties: Ties, data: Mapping[str, Any], place: Place) -> str:
    """Two people of one name are told apart by month and year of birth, never joined by name."""
    parts = data.get("name_elements") or {}
    full = " ".join(
        str(parts[one]) for one in ("forename", "middle_name", "surname") if parts.get(one)
    )
    spelt = clean_text(full or str(data["name"]))
    born = data.get("date_of_birth") or {}
    when = f"{born['year']}-{born['month']:02}" if born.get("year") and born.get("month") else None
    name = ties.party(fitting(f"{spelt} (born {when})" if when else spelt), "owner")
    if when:
        ties.know(name, "name", spelt, place)
    ties.know(name, "legal kind", "person", place)
    return name


def _corporate(ties: Ties, data: Mapping[str, Any], place: Place) -> str:
    known = data.get("identification") or {}
    spelt, number = clean_text(str(data["name"])), known.get("registration_number")
    here = str(known.get("country_registered") or "").casefold() in _HERE
    full = None
    if number and here:
        full = company_number(f"GB {str(number).strip().zfill(_DIGITS)}")
    name = ties.party(ties.called(spelt, full or spelt, full or "number not stated"), "owner")
    if full:
        ties.know(name, "identifier", full, place, "company number")
        ties.know(name, "name", spelt, place)
    if known.get("country_registered"):
        ties.know(name, "jurisdiction", str(known["country_registered"]), place)
    ties.know(name, "legal kind", _COMPANIES[data["kind"]], place)
    return name


def _address(given: Mapping[str, Any]) -> str:
    parts = ("care_of", "premises", "address_line_1", "address_line_2", "locality", "region",
             "postal_code", "country")  # fmt: skip
    return clean_text(", ".join(str(given[part]) for part in parts if given.get(part)))
