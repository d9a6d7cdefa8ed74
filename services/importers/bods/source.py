"""Statements of the Beneficial Ownership Data Standard to parties and links.

Of several statements of one record the last counts. A relationship whose components are listed says
nothing that these do not. Nobody is made of a party that is not named.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

from services.contract.errors import ImportRefused
from services.contract.portfolio import Portfolio
from services.importers.identifiers import company_number, lei
from services.importers.reading import content, day, files_of, objects, register
from services.importers.ties import Place, Rejects, Ties, check_held, without_loans
from services.importers.values import clean_text

#: Interests that are ownership; any other is control.
_OWNS: Final = frozenset(
    ("shareholding", "votingRights", "rightsToSurplusAssetsOnDissolution", "rightsToProfitOrIncome",
     "beneficiaryOfLegalArrangement", "enjoymentAndUseOfAssets", "rightToProfitOrIncomeFromAssets",
     "unknownInterest", "unpublishedInterest", None)
)  # fmt: skip
_LEGAL: Final = {"state": "public body", "stateBody": "public body", "arrangement": "trust"}
_Statement = tuple[str, dict[str, Any]]


def portfolio(paths: Sequence[Path], *, as_of: date) -> Portfolio:
    """The parties and links of the files, or of the .json files of folders.

    A statement that cannot be used is a row of `rejects`. Raises ImportRefused for a file that is
    no list of BODS 0.4 statements, or where no party is in any.
    """
    ties, rejects = Ties(), Rejects()
    read = [(path, content(path)) for path in files_of(paths, ".json")]
    records = 0
    for path, raw in read:
        statements = objects(path, raw)
        if not all("recordType" in one for _, one in statements):
            raise ImportRefused(f"{path.name} is no list of BODS 0.4 statements.")
        records += len(statements)
        _file(path.name, statements, as_of, ties, rejects)
    info = register(
        "bods", "Beneficial ownership statements", "as the statements say",
        "as their publisher says", as_of, read, records,
    )  # fmt: skip
    return without_loans(info, ties, rejects)


def _file(
    file: str, statements: Sequence[_Statement], as_of: date, ties: Ties, rejects: Rejects
) -> None:
    """Record ids are those of a file: publishers do not agree on them."""
    last: dict[object, _Statement] = {one.get("recordId"): (at, one) for at, one in statements}
    names: dict[object, str] = {}
    for record, one in last.values():
        if one["recordType"] in {"entity", "person"}:
            with rejects.of(f"{file}, {record}"):
                names[one["recordId"]] = _party(ties, one, Place(file, record))
    for record, one in last.values():
        if one["recordType"] == "relationship":
            with rejects.of(f"{file}, {record}"):
                _relationship(ties, one, Place(file, record), names, last, as_of, rejects)


def _party(ties: Ties, statement: Mapping[str, Any], place: Place) -> str:
    details = statement["recordDetails"]
    person = statement["recordType"] == "person"
    if person:
        spelt = [one["fullName"] for one in details.get("names", ()) if one.get("fullName")]
    else:
        spelt = [details.get("name"), *details.get("alternateNames", ())]
    spelt = [clean_text(str(one)) for one in spelt if one]
    if not spelt:
        kind = details.get("personType") or details["entityType"]["type"]
        raise ValueError(f"names nobody: {str(kind)[:60]}")
    known = [found for one in details.get("identifiers", ()) if (found := _identifier(one))]
    born = details.get("birthDate")
    # Of two people of one name nothing but their birth tells that they are two.
    who = known[0][1] if known else str(born or statement["recordId"])
    name = ties.called(spelt[0], who, f"born {born}" if person and born else who)
    ties.party(name, "owner" if person else "operating entity")
    for scheme, value in known:
        ties.know(name, "identifier", value, place, scheme)
    for one in spelt if known else spelt[1:]:
        ties.know(name, "name", one, place)
    for one in details.get("addresses", ()):
        if one.get("address"):
            country = (one.get("country") or {}).get("name")
            written = ", ".join(filter(None, (one["address"], country)))
            ties.know(name, "address", clean_text(written), place)
    if code := (details.get("jurisdiction") or {}).get("code"):
        ties.know(name, "jurisdiction", str(code), place)
    kind = "person" if person else _LEGAL.get(details["entityType"]["type"], "company")
    ties.know(name, "legal kind", kind, place)
    return name


def _identifier(one: Mapping[str, Any]) -> tuple[str, str] | None:
    """Scheme and value; None of one that is not known to be of a register of companies."""
    scheme, value = one.get("scheme") or "", str(one.get("id") or "")
    try:
        if scheme == "XI-LEI":
            return "LEI", lei(value)
        country = "GB" if scheme == "GB-COH" else scheme
        return "company number", company_number(f"{country} {value}")
    except ValueError:
        return None


def _relationship(
    ties: Ties,
    statement: Mapping[str, Any],
    place: Place,
    names: Mapping[object, str],
    statements: Mapping[object, _Statement],
    as_of: date,
    rejects: Rejects,
) -> None:
    details = statement["recordDetails"]
    held, owner = details["subject"], details["interestedParty"]
    for end in (held, owner):
        if not isinstance(end, str):
            said = str(end.get("reason"))[:60]
            raise ValueError(f"names nobody: {said}")  # noqa: TRY004 - of the statement
        if end not in names:
            raise ValueError(f"is of record {str(end)[:40]}, which the file does not describe")
    if any(one in statements for one in details.get("componentRecords", ())):
        raise ValueError("is indirect, and what it consists of is listed")
    interests = details.get("interests") or [{}]
    if statement.get("recordStatus") == "closed":
        check_held(day(statement["statementDate"]), as_of)
    for number, one in enumerate(interests, 1):
        where = f"interest {number}"
        with rejects.of(f"{place.file}, {place.record}, {where}"):
            since, until = day(one.get("startDate")), day(one.get("endDate"))
            check_held(until, as_of)
            ties.tie(
                names[held],
                "owned_by" if one.get("type") in _OWNS else "controlled_by",
                names[owner],
                "registered",
                Place(place.file, place.record, where),
                share=_share(one),
                said=_said(one),
                since=since,
                until=until,
            )


def _share(interest: Mapping[str, Any]) -> float | None:
    """Of a shareholding, where it is stated exactly."""
    exact = (interest.get("share") or {}).get("exact")
    if interest.get("type") != "shareholding" or not isinstance(exact, int | float):
        return None
    return float(exact) / 100 if 0 <= exact <= 100 else None  # noqa: PLR2004 - percent


def _said(interest: Mapping[str, Any]) -> str:
    """What is held in the statement's words: shareholding, direct, 25 to 50 %."""
    share = interest.get("share") or {}
    least = share.get("minimum", share.get("exclusiveMinimum"))
    most = share.get("maximum", share.get("exclusiveMaximum"))
    part = None
    if "exact" in share:
        part = f"{share['exact']} %"
    elif least is not None and most is not None:
        part = f"{least} to {most} %"
    words = (interest.get("type") or "interest not stated", interest.get("directOrIndirect"), part)
    return ", ".join(str(one) for one in words if one)
