"""Signals out of a snapshot (spec 4.6): severities, sentences and rules as they were stored."""

from collections.abc import Iterator
from typing import Final

import pyarrow as pa

from services.contract.aggregates import FoundSignal, WatchedLoan
from services.contract.columns import SIGNAL_EXPORT
from services.contract.loan_filter import LoanFilter
from services.contract.queries import Query, SignalQuery
from services.contract.records import Page, Signal, SignalComponent
from services.contract.signal_filter import SignalFilter

from . import signal_columns
from .database import Ids, among
from .loan_results import ordered_ids, rows, table_of, whole
from .loans import loan_id
from .ordering import MANY, first, ordered
from .reader import Reader
from .signal_columns import key_of_signals, signal_ids

_SIGNALS: Final = (
    "SELECT g.signal_id, g.signal_type::VARCHAR AS signal_type, g.severity::VARCHAR AS severity,"
    " l.loan_number, l.property_state::VARCHAR AS property_state, l.property_city,"
    " l.property_type::VARCHAR AS property_type, l.book_value, l.maturity_date,"
    " d.lender AS lender_normalized, g.description FROM signals g JOIN loans l USING (loan_id)"
    " LEFT JOIN lenders d USING (lender_id) WHERE {where} ORDER BY g.signal_id"
)
_GRADED: Final = (
    "SELECT loan_id, signal_type::VARCHAR AS signal_type, severity::VARCHAR AS severity"
    f" FROM signals WHERE {among('loan_id')} ORDER BY signal_id"
)
_COMPONENTS: Final = (
    'SELECT signal_id, rule, severity::VARCHAR AS severity, value, "limit", title, rule_version,'
    f" limits_version FROM components WHERE {among('signal_id')} ORDER BY signal_id, rule"
)

#: The signals of a list of ids, in its order.
_TABLE: Final = """
WITH wanted AS (
    SELECT unnest($ids::INTEGER[]) AS signal_id, generate_subscripts($ids::INTEGER[], 1) AS place
), fired AS (
    SELECT signal_id, string_agg(rule || ' ' || severity::VARCHAR, '; ' ORDER BY rule) AS rules
    FROM components WHERE signal_id IN (SELECT signal_id FROM wanted) GROUP BY signal_id
)
SELECT l.loan_number, g.signal_type::VARCHAR AS signal_type, g.severity::VARCHAR AS severity,
       f.rules, l.property_state::VARCHAR AS property_state, l.property_city,
       l.property_type::VARCHAR AS property_type, l.book_value, l.interest_rate, l.refi_rate,
       l.maturity_date, d.lender AS lender_normalized, g.description, s.as_of, s.title AS source,
       s.provenance
FROM wanted w JOIN signals g USING (signal_id) JOIN loans l USING (loan_id)
LEFT JOIN fired f USING (signal_id) LEFT JOIN lenders d USING (lender_id)
JOIN sources s USING (source_id)
ORDER BY w.place
"""
#: Signals of one batch of a whole result.
_BATCH: Final = 20_000


def signals(reader: Reader, query: SignalQuery) -> Page[Signal]:
    """Page of the signals that match, by loan_number, then signal_type (D3)."""
    return page_of(reader, signal_ids(reader, query), query)


def signals_found(reader: Reader, query: SignalFilter, names: tuple[str, ...]) -> Page[FoundSignal]:
    """Page of the signals that match, in the order asked for, with columns of their loans."""
    ids = signal_ids(reader, query)
    part = _page(reader, ids, query)
    found = _by_id(reader, among("signal_id"), part.tolist()) if len(part) else {}
    loans = rows(reader, signal_columns.signals(reader).loan[part], names)
    items = tuple(
        FoundSignal(signal=found[signal_id], values=values)
        for signal_id, values in zip(part.tolist(), loans, strict=True)
    )
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def _page(reader: Reader, ids: Ids, query: SignalFilter) -> Ids:
    """The slice of the ordered result that a query asks for."""
    end = query.offset + query.per_page
    if query.order and len(ids) > MANY and end <= MANY // 4:
        return ids[first(*key_of_signals(reader, ids, query.order), end)][query.offset :]
    return _ordered(reader, ids, query)[query.offset : end]


def ordered_signals(reader: Reader, query: SignalFilter) -> Ids:
    """Ids of the signals that match, in the order asked for."""
    return _ordered(reader, signal_ids(reader, query), query)


def _ordered(reader: Reader, ids: Ids, query: SignalFilter) -> Ids:
    """Ids of the signals that match, in the order asked for."""
    order = query.order
    if not order:
        return ids
    asked = ("ordered signals", order, *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: ids[ordered(*key_of_signals(reader, ids, order))])


def signal_batches(
    reader: Reader, query: SignalFilter, names: tuple[str, ...]
) -> Iterator[pa.RecordBatch]:
    """Every signal that matches, in the order asked for, some thousands at a time: SIGNAL_EXPORT,
    then the columns named of their loans. Without a match there is one batch, without rows.
    """
    ids = ordered_signals(reader, query)
    further = tuple(name for name in names if name not in SIGNAL_EXPORT)
    of_loan = signal_columns.signals(reader).loan
    for start in range(0, max(len(ids), 1), _BATCH):
        part = ids[start : start + _BATCH]
        table = reader.arrow(_TABLE, {"ids": part}).select(SIGNAL_EXPORT)
        if further:
            of_loans = table_of(reader, of_loan[part], further)
            for name in further:
                table = table.append_column(name, of_loans[name])
        yield whole(table)


def page_of(reader: Reader, ids: Ids, query: Query) -> Page[Signal]:
    """The slice of `ids` that a query asks for, in the order of the ids."""
    part = ids[query.offset : query.offset + query.per_page].tolist()
    found = _by_id(reader, among("signal_id"), part) if part else {}
    items = tuple(found[signal_id] for signal_id in part)
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def loans_watched(reader: Reader, query: LoanFilter, names: tuple[str, ...]) -> list[WatchedLoan]:
    """The loans that match with these columns and how severe their signals are, in order."""
    ids = ordered_ids(reader, query)
    graded: dict[int, dict[str, str | None]] = {}
    for row in reader.records(_GRADED, [ids.tolist()]) if len(ids) else ():
        graded.setdefault(row["loan_id"], {})[row["signal_type"]] = row["severity"]
    return [
        WatchedLoan.model_construct(
            loan_number=row["loan_number"], values=row, signals=graded.get(loan, {})
        )
        for loan, row in zip(ids.tolist(), rows(reader, ids, names), strict=True)
    ]


def signals_of(reader: Reader, loan_number: str) -> list[Signal]:
    """All signals of one loan, by signal_type. Raises NotFound."""
    return list(_by_id(reader, "loan_id = ?", loan_id(reader, loan_number)).values())


def _by_id(reader: Reader, where: str, wanted: int | list[int]) -> dict[int, Signal]:
    """Signals by id, ascending."""
    rows = reader.records(_SIGNALS.format(where=where), [wanted])
    ids = [row.pop("signal_id") for row in rows]
    fired = _components(reader, ids)
    return {
        signal_id: Signal(**row, components=tuple(fired.get(signal_id, ())))
        for signal_id, row in zip(ids, rows, strict=True)
    }


def _components(reader: Reader, ids: list[int]) -> dict[int, list[SignalComponent]]:
    found: dict[int, list[SignalComponent]] = {}
    for row in reader.records(_COMPONENTS, [ids]) if ids else ():
        found.setdefault(row.pop("signal_id"), []).append(SignalComponent(**row))
    return found
