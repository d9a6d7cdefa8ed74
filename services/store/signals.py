"""Signals out of a snapshot (spec 4.6). Severities are as stored; sentences come from the rules."""

from typing import Any, Final

from services.contract.queries import Query, SignalFilter, SignalQuery
from services.contract.records import Page, Signal, SignalComponent
from services.rates.reference import Quote
from services.signals.descriptions import ComponentReading, describe

from .filters import signal_ids
from .loans import loan_id
from .reader import Ids, Reader

#: What a description may name of its loan.
_FACTS: Final = (
    "l.loan_number, l.property_state::VARCHAR AS property_state, l.property_city,"
    " l.property_type::VARCHAR AS property_type, l.book_value, l.maturity_date,"
    " d.lender AS lender_normalized, l.origination_date, l.interest_rate, l.original_term_months,"
    " l.amortization_months, l.value, l.noi, l.ncf, l.dscr, l.income_basis, l.occupancy,"
    " l.payment_status, l.workout, l.structure, l.reference_series, l.refi_rate, l.rate_gap_bp,"
    " l.months_to_maturity, l.whole_loan_debt, l.whole_loan_basis, l.partial_note, l.ltv,"
    " l.debt_yield, l.proforma_dscr, l.rate_pressure::VARCHAR AS rate_pressure"
)
_SIGNALS: Final = (
    "SELECT g.signal_id, g.loan_id, g.signal_type::VARCHAR AS signal_type,"
    f" g.severity::VARCHAR AS severity, g.description, {_FACTS}"
    " FROM signals g JOIN loans l USING (loan_id)"
    " LEFT JOIN lenders d USING (lender_id) WHERE {where} ORDER BY g.signal_id"
)
_COMPONENTS: Final = (
    'SELECT signal_id, rule, severity::VARCHAR AS severity, value, "limit" FROM components'
    " WHERE signal_id BETWEEN ? AND ? AND signal_id IN ({marks}) ORDER BY signal_id, rule"
)


def signals(reader: Reader, query: SignalQuery | SignalFilter) -> Page[Signal]:
    """Page of the signals that match, by loan_number, then signal_type (D3)."""
    return page_of(reader, signal_ids(reader, query), query)


def page_of(reader: Reader, ids: Ids, query: Query) -> Page[Signal]:
    """The slice of `ids` that a query asks for, in the order of the ids."""
    part = ids[query.offset : query.offset + query.per_page].tolist()
    told: dict[int, Signal] = {}
    if part:
        marks = ", ".join("?" * len(part))
        where = f"g.signal_id BETWEEN ? AND ? AND g.signal_id IN ({marks})"
        told = _told(reader, where, [min(part), max(part), *part])
    items = tuple(told[signal_id] for signal_id in part)
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def signals_of(reader: Reader, loan_number: str) -> list[Signal]:
    """All signals of one loan, by signal_type. Raises NotFound."""
    return list(_told(reader, "g.loan_id = ?", [loan_id(reader, loan_number)]).values())


def _told(reader: Reader, where: str, params: list[int]) -> dict[int, Signal]:
    """Signals by id, ascending."""
    rows = reader.records(_SIGNALS.format(where=where), params)
    parts = _components(reader, [row["signal_id"] for row in rows])
    return {row["signal_id"]: _signal(reader, row, parts.get(row["signal_id"], [])) for row in rows}


def _components(reader: Reader, ids: list[int]) -> dict[int, list[dict[str, Any]]]:
    if not ids:
        return {}
    sql = _COMPONENTS.format(marks=", ".join("?" * len(ids)))
    found: dict[int, list[dict[str, Any]]] = {}
    for row in reader.records(sql, [ids[0], ids[-1], *ids]):
        found.setdefault(row.pop("signal_id"), []).append(row)
    return found


def _signal(reader: Reader, row: dict[str, Any], parts: list[dict[str, Any]]) -> Signal:
    snapshot = reader.snapshot
    used = {rate.series: Quote(rate.series, rate.day, rate.percent) for rate in snapshot.rates}
    if parts:
        readings = [ComponentReading(**part) for part in parts]
        row["description"] = describe(row["signal_type"], readings, row, snapshot.as_of, used)
    spec = {name: row[name] for name in Signal.model_fields if name in row}
    return Signal(**spec, components=tuple(SignalComponent(**part) for part in parts))
