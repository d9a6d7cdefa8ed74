"""Parties that a tape names, and how they are tied to its loans (D28)."""

from collections.abc import Sequence
from typing import Final

from services.contract.evidence import Method
from services.importers.tape.plan import Plan
from services.importers.tape.rows import Rows
from services.importers.ties import Place, Ties
from services.names.lenders import canonical_lender, lenders

#: How a tie is known that stands in its user's own tape.
STATED: Final[Method] = "user's tape"
#: Kind of a party, by the field that names it; a name that is several is the first.
_KINDS: Final = {
    "borrower": "borrower",
    "sponsor": "sponsor",
    "owner": "owner",
    "guarantor": "sponsor",
    "lender": "lender",
    "first_lien_lender": "lender",
    "originator": "originator",
    "servicer": "servicer",
    "tenant": "tenant",
}
#: Relation of an edge from the loan.
_FROM_LOAN: Final = {
    "borrower": "borrower",
    "guarantor": "guarantor",
    "lender": "capital_source",
    "first_lien_lender": "capital_source",
    "originator": "originator",
    "servicer": "servicer",
    "tenant": "tenant",
}
_LENDERS: Final = frozenset(("lender", "first_lien_lender", "originator", "servicer"))

#: Of each loan the names of one field.
Names = list[tuple[str, ...]]


def parties_of(plan: Plan, rows: Rows) -> tuple[Ties, dict[str, Names]]:
    """Entities and edges, each with its row and column; and of each loan the names by field."""
    found = {name: _named(plan, rows, name) for name in _KINDS}
    ties = Ties()
    for name, kind in _KINDS.items():
        for who in dict.fromkeys(who for one in found[name] for who in one):
            ties.party(who, kind)
    file = plan.sheet.file
    records = [f"row {plan.sheet.rows[at]:,}" for at in rows.loans.tolist()]
    for name, relation in _FROM_LOAN.items():
        columns = _columns(plan, name)
        for loan, one in enumerate(found[name]):
            for who in one:
                ties.tie(loan, relation, who, STATED, Place(file, records[loan], columns))
    _owners(plan, rows, ties, found, records)
    return ties, found


def _owners(
    plan: Plan, rows: Rows, ties: Ties, found: dict[str, Names], records: Sequence[str]
) -> None:
    """Sponsors and owners above the borrower; above the loan where nobody between is known."""
    shares = _shares(plan, rows)
    columns = {name: _columns(plan, name) for name in ("sponsor", "owner")}
    for loan, borrowers in enumerate(found["borrower"]):
        owners = found["owner"][loan]
        given = shares[loan] if len(shares[loan]) == len(owners) else (None,) * len(owners)
        above = [
            *(("sponsor", who, None) for who in found["sponsor"][loan]),
            *(("owner", who, share) for who, share in zip(owners, given, strict=True)),
        ]
        for name, who, share in above:
            where = Place(plan.sheet.file, records[loan], columns[name])
            for borrower in borrowers:
                if borrower != who:
                    ties.tie(borrower, "owned_by", who, STATED, where, share=share)
            if not borrowers:
                ties.tie(loan, "sponsor", who, STATED, where)


def _columns(plan: Plan, name: str) -> str | None:
    return " | ".join(one.name for one in plan.of(name)) or None


def _named(plan: Plan, rows: Rows, name: str) -> Names:
    """Of each loan the parties of one field, in the order of their columns."""
    columns = [_split(one.cells.of_rows(), lender=name in _LENDERS) for one in plan.of(name)]
    at = rows.loans.tolist()
    if len(columns) == 1:
        found = [columns[0][one] for one in at]
    else:
        found = [tuple(dict.fromkeys(who for of in columns for who in of[one])) for one in at]
    if name == "lender" and plan.profile.lender:
        said = (canonical_lender(plan.profile.lender),)
        return [one or said for one in found]
    return found


def _split(values: Sequence[object], *, lender: bool) -> Names:
    known: dict[object, tuple[str, ...]] = {None: ()}
    for value in values:
        if value not in known:
            text = str(value)
            known[value] = (
                tuple(lenders(text))
                if lender
                else tuple(one for part in text.split(";") if (one := part.strip()))
            )
    return [known[value] for value in values]


def _shares(plan: Plan, rows: Rows) -> list[tuple[float | None, ...]]:
    """Of each loan the shares of its owners, where each column of an owner has one of a share."""
    columns = plan.of("owner_share")
    if len(columns) != len(plan.of("owner")):
        return [()] * len(rows.loans)
    owners = [one.cells.of_rows() for one in plan.of("owner")]
    held = [one.cells.of_rows() for one in columns]
    return [
        tuple(
            share if isinstance(share := of[at], float) else None
            for who, of in zip(owners, held, strict=True)
            if who[at] is not None
        )
        for at in rows.loans.tolist()
    ]
