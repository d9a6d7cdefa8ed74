"""A party's loans by role, and how the numbers that pages show of it come about (D69)."""

from collections.abc import Sequence
from functools import reduce
from typing import Final

import numpy as np
from pydantic import ValidationError

from services.contract.exposure import (
    COUNTED,
    ROLES,
    ByName,
    Exposure,
    FundShare,
    PartyLoan,
    Role,
    RoleCount,
    RoleShare,
)
from services.contract.loan_filter import LoanFilter
from services.contract.queries import Query
from services.contract.records import Page

from . import notes
from .database import Ids
from .entities import entity_id
from .filters import loan_ids
from .loan_results import key_of, rows
from .ordering import ordered
from .reader import Reader
from .roles import Roles, roles, told

_LISTED: Final = tuple(PartyLoan.model_fields.keys() - {"roles", "extra"})
_NOBODY: Final = np.empty(0, np.int32)


def exposure(reader: Reader, entity_name: str) -> Exposure:
    """A party's loans by role. Raises NotFound."""
    return reader.remembered(("exposure", entity_name), lambda: _exposure(reader, entity_name))


def loans_of(
    reader: Reader, entity_name: str, query: Query, role: Role | None = None
) -> Page[PartyLoan]:
    """Page of a party's own loans, or of those in one role, the worst first. Raises NotFound."""
    found = roles(reader, entity_id(reader, entity_name))
    ids = found.own if role is None else found.loans[role]
    ids = ids[ordered(*key_of(reader, ids, "-worst_severity"))]
    part = ids[query.offset : query.offset + query.per_page]
    items = tuple(
        PartyLoan.model_construct(**row, extra={}, roles=found.of_loan(number))
        for row, number in zip(rows(reader, part, _LISTED), part.tolist(), strict=True)
    )
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def _exposure(reader: Reader, entity_name: str) -> Exposure:
    number = entity_id(reader, entity_name)
    found, known = roles(reader, number), told(reader)
    own = found.own
    node = reader.graph.loan_count + number
    start, end = reader.graph.indptr[node : node + 2].tolist()
    near = np.unique(reader.graph.neighbour[start:end])
    near_loans = int(np.count_nonzero(near < reader.graph.loan_count))
    rest = {role: np.setdiff1d(found.loans[role], own) for role in ROLES}
    return Exposure(
        entity_name=entity_name,
        loans=notes.loans(reader, own),
        book_value=_book(reader, own),
        roles=tuple(_share(reader, found, role, known=role in known) for role in ROLES),
        counted=_once(reader, {role: found.loans[role] for role in COUNTED}),
        beyond=_once(reader, rest),
        funds=_funds(found),
        by_name=_by_name(reader, entity_name, found),
        next_loans=near_loans,
        next_parties=int(np.count_nonzero(near != node)) - near_loans,
    )


def _book(reader: Reader, ids: Ids) -> int:
    return int(notes.dollars(reader, "book_value")[ids].astype(np.int64).sum())


def _share(reader: Reader, found: Roles, role: Role, *, known: bool) -> RoleShare:
    if not known:
        return RoleShare(role=role, loans=None, book_value=None)
    ids, amounts = found.loans[role], found.amounts(role)
    stated = amounts[~np.isnan(amounts) & ~notes.is_sum(reader)[ids]]
    return RoleShare(
        role=role,
        loans=notes.loans(reader, ids),
        book_value=_book(reader, ids),
        amount=round(float(stated.sum())) if len(stated) else None,
        amount_loans=len(stated),
    )


def _once(reader: Reader, loans: dict[Role, Ids]) -> tuple[RoleCount, ...]:
    """Each loan under the first of these roles."""
    seen, counts = _NOBODY, []
    for role, ids in loans.items():
        fresh = notes.loans(reader, np.setdiff1d(ids, seen))
        if fresh:
            counts.append(RoleCount(role=role, loans=fresh))
        seen = np.union1d(seen, ids)
    return tuple(counts)


def _funds(found: Roles) -> tuple[FundShare, ...]:
    before = np.union1d(found.loans["lender"], found.loans["lender by name"])
    shares = [
        FundShare(
            entity_name=fund.name,
            loans=len(fund.loans),
            only=len(np.setdiff1d(fund.loans, before)),
            share=None if np.isnan(fund.share) else fund.share,
        )
        for fund in found.funds
    ]
    return tuple(sorted(shares, key=lambda one: (-one.loans, one.entity_name)))


def _by_name(reader: Reader, entity_name: str, found: Roles) -> ByName | None:
    try:
        ids = loan_ids(reader, LoanFilter(lender=entity_name))
    except ValidationError:
        return None
    of_lender = _union([found.loans["lender"], found.loans["lender by name"]])
    lent = np.intersect1d(ids, of_lender)
    serviced = np.setdiff1d(np.intersect1d(ids, found.loans["servicer"]), of_lender)
    alike = len(ids) - len(lent) - len(serviced)
    return ByName(loans=len(ids), lent=len(lent), serviced=len(serviced), alike=alike)


def _union(several: Sequence[Ids]) -> Ids:
    return reduce(np.union1d, several)
