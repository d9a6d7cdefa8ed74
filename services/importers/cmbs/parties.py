"""Parties of a trust's loans: the trust, loan sellers, servicers, tenants, and what says so.

Servicers' files name no borrower, sponsor or owner. What they do name they state of each loan, so
that a tie is as sure as the file; who is one party is told by the spelling alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from services.importers.cmbs.loan import Loan
from services.importers.cmbs.property import place
from services.importers.cmbs.tenants import TENANTS, lets_to_none
from services.importers.ties import Place, Ties
from services.names.lenders import spellings
from services.names.normalise import folded
from services.names.sec_numbers import sec_number

_STATED: Final = "stated in the filing"
_ORIGINATOR: Final = "originator_as_filed"
_SERVICER: Final = "primary_servicer_as_filed"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the facts of a trust's loans are stated."""

    #: The file that lists the loans.
    file: str
    #: That it does, in words.
    lists: str
    #: What a record of it is called: "asset".
    noun: str
    #: Key of a fact -> its element or column.
    elements: Mapping[str, str]
    #: Key of a fact -> its file, where that is another one.
    files: Mapping[str, str]
    #: The SEC's number of the trust, where the source gives it.
    cik: int | None = None

    def of(self, number: str | None, key: str | None = None) -> Place:
        """Where a fact of a loan is stated; without a key, where the loan is listed."""
        record = f"{self.noun} {number}"
        if key is None:
            return Place(self.file, record)
        return Place(self.files.get(key, self.file), record, self.elements.get(key))


def parties_of(
    loans: Sequence[Loan],
    deal: str,
    originators: Sequence[Sequence[str]],
    servicers: Sequence[str | None],
    origin: Origin,
) -> Ties:
    """Entities, one a name with the kind it is first met in (D30), and edges (D28)."""
    ties = Ties()
    _party(ties, deal, "trust", origin.file)
    if origin.cik and sec_number(deal) is None:
        ties.know(deal, "identifier", str(origin.cik), Place(origin.file), "SEC CIK")
    for names in originators:
        for name in names:
            _party(ties, name, "originator", origin.files.get(_ORIGINATOR, origin.file))
    for servicer in servicers:
        if servicer:
            _party(ties, servicer, "servicer", origin.files.get(_SERVICER, origin.file))
    for row, (loan, names, servicer) in enumerate(zip(loans, originators, servicers, strict=True)):
        ties.tie(row, "capital_source", deal, _STATED, origin.of(loan.number), said=origin.lists)
        filed = loan.facts.text(_ORIGINATOR)
        for name in names:
            ties.tie(row, "originator", name, _STATED, origin.of(loan.number, _ORIGINATOR),
                     said=filed)  # fmt: skip
        if servicer:
            ties.tie(row, "servicer", servicer, _STATED, origin.of(loan.number, _SERVICER),
                     said=loan.servicer)  # fmt: skip
        _spellings(ties, loan, servicer, origin)
    _tenants(ties, loans, origin)
    return ties


def _party(ties: Ties, name: str, kind: str, file: str) -> None:
    """A party with its number at the SEC, where we know it."""
    ties.party(name, kind)
    if found := sec_number(name):
        where = Place("sec_numbers.csv", found.name, "cik")
        ties.know(name, "identifier", found.cik, where, "SEC CIK")
        ties.know(name, "name", found.name, where)
        ties.know(name, "name", name, Place(file))
    if kind == "trust":
        ties.know(name, "legal kind", "trust", Place(file))


def _spellings(ties: Ties, loan: Loan, servicer: str | None, origin: Origin) -> None:
    """How the filing spells who is called by another name here."""
    filed = loan.facts.text(_ORIGINATOR) or ""
    for spelt, name in spellings(filed):
        if name != spelt:
            ties.know(name, "name", spelt, origin.of(loan.number, _ORIGINATOR))
    if servicer and loan.servicer and servicer != loan.servicer:
        ties.know(servicer, "name", loan.servicer, origin.of(loan.number, _SERVICER))


def _tenants(ties: Ties, loans: Sequence[Loan], origin: Origin) -> None:
    """The largest of each property; the first spelling of several is the party's name."""
    known: dict[tuple[str, ...], str] = {}
    for row, loan in enumerate(loans):
        for one in loan.properties:
            for key in TENANTS:
                spelt = place(one.facts, key)
                if not spelt or lets_to_none(spelt):
                    continue
                name = ties.party(known.setdefault(tuple(folded(spelt)), spelt), "tenant")
                where = origin.of(one.number or loan.number, key)
                if name != spelt:
                    ties.know(name, "name", spelt, where)
                area = one.facts.whole(f"{key}_square_feet")
                ties.tie(row, "tenant", name, _STATED, where,
                         said=f"{spelt}, {area:,} square feet" if area else spelt,
                         until=one.facts.day(f"{key}_lease_expiration"))  # fmt: skip
