"""Files of SBA loans to portfolios, one a kind of file: 7(a), 504, and the study of past loans."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from services.contract.errors import ImportRefused, InvalidRequest
from services.contract.evidence import Method, confidence
from services.contract.portfolio import LAYERS, LOANS, PROPERTIES, REJECTS, Portfolio, SourceInfo
from services.contract.vocabulary import tier_of
from services.importers.base import Facts
from services.importers.records import Records, records
from services.importers.sba.loans import KINDS, RULES, layers, loan_values, property_values, status
from services.importers.ties import Place, Rejects, Ties, fitting, table
from services.names.lenders import canonical_lender

_PUBLISHER: Final = "U.S. Small Business Administration"
_TERMS: Final = "Public under FOIA; names sole traders"
_NEEDS: Final = {
    "seven_a": ("BorrName", "BankName", "GrossApproval"),
    "five_o_four": ("BorrName", "CDC_Name", "GrossApproval"),
    "study": ("LoanNr_ChkDgt", "GrAppv", "MIS_Status"),
}
_STATED: Final[Method] = "stated in the filing"
#: What tells rows apart where no column is a loan's number.
_TOLD_BY: Final = ("location_id", "borrower", "street", "zip", "lender", "approved_on", "approved",
                   "subprogram")  # fmt: skip
_DIGITS: Final = 12
#: Party of a loan -> kind, relation and column, by kind of file.
_PARTIES: Final = {
    "borrower": ("borrower", "borrower"),
    "lender": ("lender", "capital_source"),
    "first_lender": ("lender", "capital_source"),
}


def portfolios(paths: Sequence[Path], *, as_of: date | None = None) -> list[Portfolio]:
    """The loans of files or folders, a portfolio a kind of file. `as_of` is the day of files that
    state none.

    A row that cannot be used is a row of `rejects`. Raises ImportRefused for a file of no kind, or
    a kind without a loan; InvalidRequest where nothing says the day.
    """
    by_kind: dict[str, list[Records]] = {}
    for one in records(paths, RULES.fields, _NEEDS):
        by_kind.setdefault(one.kind, []).append(one)
    return [_Import(kind).portfolio(by_kind[kind], as_of) for kind in KINDS if kind in by_kind]


class _Import:
    """The files of one kind."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._ties = Ties()
        self._rejects = Rejects()
        self._unmapped: Counter[str] = Counter()
        self._rows: dict[str, list[dict[str, Any]]] = {"loans": [], "layers": [], "properties": []}
        self._numbers: set[str] = set()
        self._days: set[date] = set()

    def portfolio(self, files: Sequence[Records], as_of: date | None) -> Portfolio:
        """See `portfolios`."""
        for given in files:
            given.read(
                RULES.fields[self._kind],
                RULES.ignored,
                self._take,
                rejects=self._rejects,
                unmapped=self._unmapped,
            )
        if not self._numbers:
            first = f" The first reason: {self._rejects[0][1]}" if self._rejects else ""
            raise ImportRefused(
                f"{', '.join(one.file for one in files)} holds no usable loan.{first}"
            )
        day = max(self._days, default=as_of)
        if day is None:
            raise InvalidRequest(f"{files[0].file} states no day: say --as-of", parameter="as-of")
        info = SourceInfo(
            key=f"sba:{self._kind}",
            importer="sba",
            title=KINDS[self._kind],
            publisher=_PUBLISHER,
            terms=_TERMS,
            as_of=day,
            provenance="reported",
            files=tuple(one.file for one in files),
            sha256=tuple(one.sha256 for one in files),
            records_read=sum(len(one.lines) for one in files),
            unmapped=dict(sorted(self._unmapped.items())),
        )
        rejects = [{"record": where, "reason": why} for where, why in self._rejects]
        return Portfolio(
            info=info,
            loans=table(LOANS, self._rows["loans"]),
            layers=table(LAYERS, self._rows["layers"]),
            properties=table(PROPERTIES, self._rows["properties"]),
            rejects=table(REJECTS, rejects),
            **self._ties.tables(),
        )

    def _take(self, facts: Facts, place: Place) -> None:
        """Raises ValueError for a row that is no loan."""
        became = status(facts)
        if facts.text("borrower") is None:
            raise ValueError("names no borrower")
        number = facts.text("number") or _number(facts)
        if number in self._numbers:
            raise ValueError("is alike to a row before it in all that tells loans apart")
        self._numbers.add(number)
        loan = len(self._rows["loans"])
        named = {role: self._party(loan, facts, role, place) for role in _PARTIES}
        fields = dict(RULES.fields[self._kind])
        self._rows["loans"].append({
            "loan_number": f"SBA:{number}",
            **loan_values(facts, fields, became),
            "lender_normalized": named["lender"],
            "confidence_tier": tier_of(confidence(_STATED)),
        })  # fmt: skip
        self._rows["layers"] += layers(facts, loan, named["lender"], named["first_lender"], became)
        self._rows["properties"].append(property_values(facts, loan))
        if (day := facts.day("as_of")) is not None:
            self._days.add(day)

    def _party(self, loan: int, facts: Facts, role: str, place: Place) -> str | None:
        """Enters a party of a loan and ties it. Businesses of one name in different places are
        different ones: nothing here identifies them.
        """
        raw = facts.text(role)
        if raw is None:
            return None
        kind, relation = _PARTIES[role]
        prefix = "" if role == "borrower" else f"{role}_"
        where = Place(place.file, place.record, _element(self._kind, role))
        if role == "borrower":
            at = ", ".join(filter(None, (facts.text("city"), facts.text("state"))))
            name = self._ties.called(raw, f"{raw}, {at}", at or "place not stated")
        else:
            name = fitting(canonical_lender(raw))
        self._ties.party(name, kind)
        if name != raw:
            self._ties.know(name, "name", raw, where)
        lines = [facts.text(f"{prefix}{part}") for part in ("street", "city", "state", "zip")]
        if address := ", ".join(filter(None, lines)):
            self._ties.know(name, "address", address, where)
        if role == "borrower" and facts.text("business_type") == "INDIVIDUAL":
            self._ties.know(name, "legal kind", "person", where)
        since = facts.day("disbursed_on") or facts.day("approved_on")
        self._ties.tie(loan, relation, name, _STATED, where, said=raw, since=since)
        return name


def _number(facts: Facts) -> str:
    """Twelve digits of what tells a row apart, so that a later file gives the same (D207)."""
    said = "\n".join(str(facts.get(key) or "") for key in _TOLD_BY)
    return str(int(sha256(said.encode()).hexdigest(), 16))[-_DIGITS:]


def _element(kind: str, key: str) -> str | None:
    return next((one.element for one in RULES.fields[kind].values() if one.key == key), None)
