"""Loans out of a snapshot: lists, and one whole."""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from datetime import date
from typing import Any, Final

import orjson

from services.contract.errors import NotFound
from services.contract.facts import FACTS
from services.contract.queries import LoanQuery, Query, shortened
from services.contract.records import Loan, LoanDetail, Page
from services.contract.wire import FIELDS, Variant, encode

from . import search
from .database import Ids, among
from .filters import loan_ids
from .loan_columns import read
from .reader import INDEXED_EVERY, Reader

_DAYS: Final = ("maturity_date", "origination_date")
#: Variants whose keys and words are the stored ones.
_AS_STORED: Final = frozenset(
    variant
    for variant in ("a", "b")
    if all(
        spec.key(variant) == spec.name and not (variant == "b" and spec.b_case)
        for spec in FIELDS[LoanDetail]
    )
)
#: Columns of a loan in lists (spec 2.2).
_LISTED: Final = read(fact for fact in FACTS if fact.name in Loan.model_fields)
_NEAR: Final = (
    "(SELECT loan_number FROM loans WHERE loan_number >= ? ORDER BY loan_number LIMIT ?)"
    " UNION ALL"
    " (SELECT loan_number FROM loans WHERE loan_number < ? ORDER BY loan_number DESC LIMIT ?)"
)


def loan_id(reader: Reader, loan_number: str) -> int:
    """Id of a loan. Raises NotFound."""
    # The first nodes of the graph are the loans in order of their numbers (adjacency.py).
    count, name = reader.graph.loan_count, reader.graph.name
    index = reader.sparse_index
    first = max(0, bisect_right(index, loan_number) - 1) * INDEXED_EVERY
    found = bisect_left(
        range(count), loan_number, first, min(first + INDEXED_EVERY, count), key=name
    )
    if found == count or name(found) != loan_number:
        raise NotFound(f"No loan has the number '{shortened(loan_number)}'")
    return found


def loans(reader: Reader, query: LoanQuery) -> Page[Loan]:
    """Page of the loans that match, by loan_number (spec 4.1)."""
    return page_of(reader, loan_ids(reader, query), query)


def page_of(reader: Reader, ids: Ids, query: Query) -> Page[Loan]:
    """The slice of `ids` that a query asks for, as loans in the order of the ids."""
    part = ids[query.offset : query.offset + query.per_page]
    items = tuple(Loan.model_construct(**row, extra={}) for row in by_ids(reader, part))
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def by_ids(reader: Reader, ids: Ids) -> list[dict[str, Any]]:
    """At most some hundred loans as lists hold them, by ascending ids."""
    if not len(ids):
        return []
    sql = (
        f"SELECT {_LISTED} FROM loans l LEFT JOIN lenders d USING (lender_id)"
        f" WHERE {among('l.loan_id')} ORDER BY l.loan_id"
    )
    return reader.records(sql, [ids.tolist()])


def loan(reader: Reader, loan_number: str) -> LoanDetail:
    """One loan with its extended fields (spec 4.2, D17). Raises NotFound."""
    specified, extended, odd = reader.details.line(loan_id(reader, loan_number))
    read: Callable[[bytes], dict[str, Any]] = json.loads if odd else orjson.loads
    spec = read(specified)
    for name in _DAYS:
        spec[name] = date.fromisoformat(spec[name]) if spec[name] else None
    return LoanDetail.model_construct(**spec, extended=read(extended), extra={})


def encoded_loan(reader: Reader, loan_number: str, variant: Variant) -> bytes | None:
    """JSON of `encode(loan(...))`; None for one of the few that it takes to make it. Raises
    NotFound.
    """
    specified, extended, odd = reader.details.line(loan_id(reader, loan_number))
    if odd:
        return None
    if variant not in _AS_STORED:
        known = LoanDetail.model_construct(**orjson.loads(specified), extended={}, extra={})
        specified = orjson.dumps(encode(known, variant))
    return b"%b,%b" % (specified[:-1], extended[1:])


def near_loans(reader: Reader, loan_number: str, limit: int) -> list[str]:
    """The loan numbers that an unknown one means (search.meant), then those that share the longest
    beginning with it, longest first.
    """
    wanted = loan_number.strip()

    def shared(number: str) -> int:
        pairs = zip(number.casefold(), wanted.casefold(), strict=False)
        return next(
            (at for at, (a, b) in enumerate(pairs) if a != b), min(len(number), len(wanted))
        )

    found: set[str] = set()
    for spelling in {wanted, wanted.upper()}:
        found |= {row[0] for row in reader.rows(_NEAR, [spelling, limit, spelling, limit])}
    like = sorted(found, key=lambda number: (-shared(number), number))
    meant = [reader.graph.name(at) for at in search.meant(reader, wanted)]
    return list(dict.fromkeys([*meant, *like]))[:limit]
