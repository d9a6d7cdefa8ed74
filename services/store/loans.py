"""Loans out of a snapshot: lists, one whole, and tables for export."""

import json
from collections.abc import Mapping
from typing import Any, Final

import pyarrow as pa

from services.contract.errors import NotFound
from services.contract.queries import LoanQuery, Query, shortened
from services.contract.records import Loan, LoanDetail, Page
from services.contract.source import LOAN_EXPORT

from .filters import loan_ids
from .reader import Ids, Reader

#: Columns of a loan in lists (spec 2.2), as SQL over `loans l LEFT JOIN lenders d`.
LIST_COLUMNS: Final = (
    "l.loan_number, l.book_value, l.interest_rate, l.property_type::VARCHAR AS property_type,"
    " l.property_city, l.property_state::VARCHAR AS property_state,"
    " d.lender AS lender_normalized, l.maturity_date,"
    " l.rate_pressure::VARCHAR AS rate_pressure, l.confidence_tier::VARCHAR AS confidence_tier"
)
_ID: Final = "SELECT loan_id FROM loans WHERE loan_number = ?"
_DETAIL: Final = (
    f"SELECT {LIST_COLUMNS}, l.origination_date, l.* EXCLUDE (loan_number, book_value,"
    " interest_rate, property_type, property_city, property_state, maturity_date, rate_pressure,"
    " confidence_tier, origination_date, source_id, lender_id), s.as_of, s.title AS source,"
    " s.provenance FROM loans l LEFT JOIN lenders d USING (lender_id)"
    " JOIN sources s USING (source_id) WHERE l.loan_id = ?"
)
_LAYERS: Final = (
    "SELECT rank, position, layer, lender, servicer, amount, interest_rate FROM layers"
    " WHERE loan_id = ? ORDER BY rank, position, lender"
)
_PROPERTIES: Final = "SELECT * EXCLUDE (loan_id) FROM properties WHERE loan_id = ?"
_EXPORT: Final = (
    f"SELECT {LIST_COLUMNS.replace('l.maturity_date', 'l.origination_date, l.maturity_date')},"
    " s.as_of, s.title AS source, s.provenance FROM loans l"
    " LEFT JOIN lenders d USING (lender_id) JOIN sources s USING (source_id)"
    " WHERE l.loan_id IN (SELECT unnest($ids::INTEGER[])) ORDER BY l.loan_id"
)
_EXPORT_ALL: Final = _EXPORT.replace("WHERE l.loan_id IN (SELECT unnest($ids::INTEGER[])) ", "")
_NEAR: Final = (
    "(SELECT loan_number FROM loans WHERE loan_number >= ? ORDER BY loan_number LIMIT ?)"
    " UNION ALL"
    " (SELECT loan_number FROM loans WHERE loan_number < ? ORDER BY loan_number DESC LIMIT ?)"
)


def loan_id(reader: Reader, loan_number: str) -> int:
    """Id of a loan. Raises NotFound."""
    found = reader.rows(_ID, [loan_number])
    if not found:
        raise NotFound(f"No loan has the number '{shortened(loan_number)}'")
    number: int = found[0][0]
    return number


def loans(reader: Reader, query: LoanQuery) -> Page[Loan]:
    """Page of the loans that match, by loan_number (spec 4.1)."""
    return page_of(reader, loan_ids(reader, query), query)


def page_of(reader: Reader, ids: Ids, query: Query) -> Page[Loan]:
    """The slice of `ids` that a query asks for, as loans in the order of the ids."""
    part = ids[query.offset : query.offset + query.per_page]
    items = tuple(Loan.model_construct(**row, extra={}) for row in by_ids(reader, part))
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def by_ids(reader: Reader, ids: Ids, columns: str = LIST_COLUMNS) -> list[dict[str, Any]]:
    """Rows of `columns` for at most some hundred ascending loan ids."""
    if not len(ids):
        return []
    # The bounds let zone maps skip every block outside them; the marks pick the rows.
    marks = ", ".join("?" * len(ids))
    sql = (
        f"SELECT {columns} FROM loans l LEFT JOIN lenders d USING (lender_id)"
        f" WHERE l.loan_id BETWEEN ? AND ? AND l.loan_id IN ({marks}) ORDER BY l.loan_id"
    )
    listed = ids.tolist()
    return reader.records(sql, [listed[0], listed[-1], *listed])


def loan(reader: Reader, loan_number: str) -> LoanDetail:
    """One loan with its extended fields (spec 4.2, D17). Raises NotFound."""
    number = loan_id(reader, loan_number)
    row = reader.records(_DETAIL, [number])[0]
    row.pop("loan_id")
    spec = {name: row.pop(name) for name in LoanDetail.model_fields if name in row}
    further = json.loads(row.pop("further") or "{}")
    row["as_of"] = row["as_of"].isoformat()
    extended = {name: value for name, value in row.items() if value is not None}
    extended["debt_layers"] = reader.records(_LAYERS, [number])
    extended["properties"] = [_property(one) for one in reader.records(_PROPERTIES, [number])]
    # What the source said beyond our own fields comes after them, and never replaces one.
    extended |= {name: value for name, value in further.items() if name not in extended}
    return LoanDetail.model_construct(**spec, extended=extended, extra={})


def _property(row: dict[str, Any]) -> Mapping[str, Any]:
    further = json.loads(row.pop("further") or "{}")
    return {**row, **{name: value for name, value in further.items() if name not in row}}


def loan_table(reader: Reader, query: LoanQuery) -> pa.Table:
    """Every loan that matches: LOAN_EXPORT columns, by loan_number."""
    if query.filters():
        table = reader.arrow(_EXPORT, {"ids": loan_ids(reader, query)})
    else:
        table = reader.arrow(_EXPORT_ALL)
    return table.select(list(LOAN_EXPORT))


def near_loans(reader: Reader, loan_number: str, limit: int) -> list[str]:
    """Loan numbers that share the longest beginning with an unknown one, longest first."""
    wanted = loan_number.strip()

    def shared(number: str) -> int:
        pairs = zip(number.casefold(), wanted.casefold(), strict=False)
        return next(
            (at for at, (a, b) in enumerate(pairs) if a != b), min(len(number), len(wanted))
        )

    found: set[str] = set()
    for spelling in {wanted, wanted.upper()}:
        found |= {row[0] for row in reader.rows(_NEAR, [spelling, limit, spelling, limit])}
    return sorted(found, key=lambda number: (-shared(number), number))[:limit]
