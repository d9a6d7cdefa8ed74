"""Signals out of a snapshot (spec 4.6): severities, sentences and rules as they were stored."""

from typing import Final

from services.contract.queries import Query, SignalFilter, SignalQuery
from services.contract.records import Page, Signal, SignalComponent

from .database import Ids, among
from .filters import signal_ids
from .loans import loan_id
from .reader import Reader

_SIGNALS: Final = (
    "SELECT g.signal_id, g.signal_type::VARCHAR AS signal_type, g.severity::VARCHAR AS severity,"
    " l.loan_number, l.property_state::VARCHAR AS property_state, l.property_city,"
    " l.property_type::VARCHAR AS property_type, l.book_value, l.maturity_date,"
    " d.lender AS lender_normalized, g.description FROM signals g JOIN loans l USING (loan_id)"
    " LEFT JOIN lenders d USING (lender_id) WHERE {where} ORDER BY g.signal_id"
)
_COMPONENTS: Final = (
    'SELECT signal_id, rule, severity::VARCHAR AS severity, value, "limit", title, rule_version,'
    f" limits_version FROM components WHERE {among('signal_id')} ORDER BY signal_id, rule"
)


def signals(reader: Reader, query: SignalQuery | SignalFilter) -> Page[Signal]:
    """Page of the signals that match, by loan_number, then signal_type (D3)."""
    return page_of(reader, signal_ids(reader, query), query)


def page_of(reader: Reader, ids: Ids, query: Query) -> Page[Signal]:
    """The slice of `ids` that a query asks for, in the order of the ids."""
    part = ids[query.offset : query.offset + query.per_page].tolist()
    found = _by_id(reader, among("signal_id"), part) if part else {}
    items = tuple(found[signal_id] for signal_id in part)
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


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
