"""One record of a file of parties and links."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from services.contract.evidence import LEGAL_KINDS, Method
from services.importers.base import RecordRejected
from services.importers.identifiers import cik, company_number, lei
from services.importers.ties import LoanElsewhere, Place, Ties, check_held, fitting

#: Every column that a record may have.
COLUMNS: Final = frozenset(
    ("record", "name", "kind", "legal_kind", "jurisdiction", "lei", "cik", "company_number",
     "address", "also", "relation", "deal", "loan", "of", "share", "since", "until", "document",
     "said")
)  # fmt: skip
#: What a party may be to loans; the kind that a relation gives to one that is named there first.
_KINDS: Final = frozenset(
    ("borrower", "operating entity", "sponsor", "owner", "lender", "fund", "trust", "originator",
     "servicer", "guarantor", "tenant")
)  # fmt: skip
_OF_LOANS: Final = {
    "borrower": "borrower",
    "sponsor": "sponsor",
    "guarantor": "guarantor",
    "capital_source": "lender",
    "originator": "originator",
    "servicer": "servicer",
    "tenant": "tenant",
}
_OF_PARTIES: Final = {"owned_by": "owner", "capital_source": "fund"}
_IDENTIFIERS: Final[Mapping[str, tuple[str, Callable[[str], str]]]] = {
    "lei": ("LEI", lei),
    "cik": ("SEC CIK", cik),
    "company_number": ("company number", company_number),
}
_TYPED: Final[Method] = "user's tape"


class Records:
    """The records of a file, taken one after the other in `order`."""

    def __init__(self, file: str, as_of: date) -> None:
        self.ties = Ties()
        self._file = file
        self._as_of = as_of
        self._borrowers: dict[LoanElsewhere, list[str]] = {}

    @staticmethod
    def order(values: Mapping[str, str]) -> int:
        """Parties, then links, then those of sponsors."""
        if values.get("record") == "party":
            return 0
        return 2 if values.get("relation") == "sponsor" else 1

    def take(self, record: str, values: Mapping[str, str]) -> None:
        """Raises RecordRejected."""
        try:
            self._take(record, values)
        except ValueError as wrong:
            raise RecordRejected(record, f"The record {wrong}.") from None

    def _take(self, record: str, values: Mapping[str, str]) -> None:
        kind = values.get("record", "")
        if not values.get("name"):
            raise ValueError("has no name")
        for column in ("name", "of"):
            fitting(values.get(column, "-"))
        if kind == "party":
            self._party(record, values)
        elif kind == "link":
            self._link(record, values)
        else:
            raise ValueError(f"is '{kind[:40]}', neither party nor link")

    def _party(self, record: str, values: Mapping[str, str]) -> None:
        kind = values.get("kind", "owner")
        if kind not in _KINDS:
            raise ValueError(f"names the kind '{kind[:40]}', none of {', '.join(sorted(_KINDS))}")
        legal = values.get("legal_kind")
        if legal is not None and legal not in LEGAL_KINDS:
            raise ValueError(
                f"names the legal kind '{legal[:40]}', none of {', '.join(LEGAL_KINDS)}"
            )
        known = [
            (scheme, _read(column, values[column], read))
            for column, (scheme, read) in _IDENTIFIERS.items()
            if column in values
        ]
        held = _dates(values)
        name = self.ties.party(values["name"], kind)
        place = Place(self._file, record, values.get("document"))
        for scheme, value in known:
            self.ties.know(name, "identifier", value, place, scheme)
        if known:  # under which it stands when another source calls it otherwise
            self.ties.know(name, "name", name, place)
        for spelling in filter(None, map(str.strip, values.get("also", "").split(";"))):
            self.ties.know(name, "name", spelling, place)
        for about in ("address", "jurisdiction", "legal kind"):
            if fact := values.get(about.replace(" ", "_")):
                self.ties.know(name, about, fact, place, None, **held)

    def _link(self, record: str, values: Mapping[str, str]) -> None:
        relation, loan = values.get("relation", ""), _loan(values)
        known = _OF_LOANS if loan else _OF_PARTIES
        if (loan is None) == ("of" not in values):
            raise ValueError("names neither or both of 'loan' and 'of'; a link begins at one")
        if relation not in known:
            raise ValueError(f"has the relation '{relation[:40]}', none of {', '.join(known)}")
        check_held(_dates(values).get("until"), self._as_of)
        said: dict[str, Any] = {
            **_dates(values),
            "said": values.get("said"),
            "share": _share(values),
        }
        starts: list[LoanElsewhere | str] = [loan or values["of"]]
        if relation == "sponsor" and loan:
            # Nobody sponsors a loan but through who borrows it (D28).
            starts, relation = [*self._borrowers.get(loan, ())], "owned_by"
            if not starts:
                raise ValueError(f"names a sponsor of loan {loan.number} and no link its borrower")
        name = self.ties.party(values["name"], known[values["relation"]])
        if relation == "borrower" and loan:
            self._borrowers.setdefault(loan, []).append(name)
        place = Place(self._file, record, values.get("document"))
        for start in starts:
            if isinstance(start, str):
                self.ties.party(start, "owner")
            self.ties.tie(start, relation, name, _TYPED, place, **said)


def _loan(values: Mapping[str, str]) -> LoanElsewhere | None:
    """The deal "UBS 2017-C1" and "10" are the loan "UBS 2017-C1:10" (D23)."""
    number = values.get("loan")
    if number is None:
        return None
    return LoanElsewhere(f"{values['deal']}:{number}" if "deal" in values else number)


def _share(values: Mapping[str, str]) -> float | None:
    """A fraction from 0 to 1, or a percent figure with its sign."""
    raw = values.get("share")
    if raw is None:
        return None
    try:
        part = float(raw.removesuffix("%")) / (100 if raw.endswith("%") else 1)
    except ValueError:
        part = -1.0
    if not 0 <= part <= 1:
        raise ValueError(f"has the share '{raw[:20]}', neither a fraction to 1 nor a percentage")
    return part


def _dates(values: Mapping[str, str]) -> dict[str, date]:
    return {name: _day(name, values[name]) for name in ("since", "until") if name in values}


def _day(name: str, raw: str) -> date:
    try:
        return date.fromisoformat(raw)
    except ValueError:
        raise ValueError(f"has '{raw[:20]}' as '{name}', not a day as 2026-01-31") from None


def _read(column: str, raw: str, read: Callable[[str], str]) -> str:
    try:
        return read(raw)
    except ValueError as wrong:
        raise ValueError(f"has a {column}, '{raw[:40]}', that {wrong}") from None
