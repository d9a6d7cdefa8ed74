"""Where signals are: by state, by severity, by property type, by city."""

from typing import Any, Final

import pyarrow as pa

from services.contract.aggregates import CityShare, MatrixCell, StateSignals
from services.contract.queries import LoanQuery, SignalQuery
from services.contract.records import Page, Signal
from services.contract.source import SIGNAL_EXPORT

from .filters import SIGNAL_CONDITIONS, loan_ids, signal_ids
from .reader import Ids, Reader
from .signals import page_of

#: Sums over `parts` (services/store/schema.sql); {where} filters the signals of their mixes.
_STATES: Final = """
WITH hit AS (SELECT mix_id, sum(signals) AS signals FROM mixes {where} GROUP BY mix_id)
SELECT p.state::VARCHAR AS state,
       coalesce(sum(p.loans * h.signals) FILTER (WHERE {typed}), 0)::BIGINT AS signals,
       coalesce(sum(p.loans) FILTER (WHERE h.mix_id IS NOT NULL AND {typed}), 0)::BIGINT AS loans,
       coalesce(sum(p.book_value) FILTER (WHERE h.mix_id IS NOT NULL AND {typed}), 0)::BIGINT
           AS book_value,
       sum(p.loans)::BIGINT AS state_loans,
       sum(p.book_value)::BIGINT AS state_book_value
FROM parts p LEFT JOIN hit h USING (mix_id)
GROUP BY p.state ORDER BY 1 NULLS LAST
"""
_MATRIX: Final = """
WITH hit AS (
    SELECT mix_id, {severity} sum(signals) AS signals FROM mixes {where} GROUP BY ALL
)
SELECT p.state::VARCHAR AS state, {column}::VARCHAR AS "column",
       sum(p.loans * h.signals)::BIGINT AS signals,
       sum(p.loans)::BIGINT AS loans, sum(p.book_value)::BIGINT AS book_value
FROM parts p JOIN hit h USING (mix_id) WHERE {typed}
GROUP BY p.state, {column} ORDER BY 1 NULLS LAST, 2 NULLS LAST
"""
#: by -> its column, and what a mix is split by.
_BY: Final = {"severity": ("h.severity", "severity,"), "property_type": ("p.property_type", "")}
_OF_TYPE: Final = (
    "SELECT signal_id FROM signals JOIN loans USING (loan_id) WHERE {where} ORDER BY signal_id"
)
_TABLE: Final = """
WITH fired AS (
    SELECT signal_id, string_agg(rule || ' ' || severity::VARCHAR, '; ' ORDER BY rule) AS rules
    FROM components GROUP BY signal_id
)
SELECT l.loan_number, g.signal_type::VARCHAR AS signal_type, g.severity::VARCHAR AS severity,
       f.rules, l.property_state::VARCHAR AS property_state, l.property_city,
       l.property_type::VARCHAR AS property_type, l.book_value, l.interest_rate, l.refi_rate,
       l.maturity_date, d.lender AS lender_normalized, s.as_of, s.title AS source, s.provenance
FROM (SELECT unnest($ids::INTEGER[]) AS signal_id) w JOIN signals g USING (signal_id)
JOIN loans l USING (loan_id) LEFT JOIN fired f USING (signal_id)
LEFT JOIN lenders d USING (lender_id) JOIN sources s USING (source_id)
ORDER BY g.signal_id
"""
#: The worst severity of a mix first; then cities.
_CITIES: Final = """
WITH hit AS (SELECT mix_id, max(severity) AS worst FROM mixes {where} GROUP BY mix_id)
SELECT p.city, p.state::VARCHAR AS state, sum(p.loans)::BIGINT AS loans,
       sum(p.book_value)::BIGINT AS book_value, max(h.worst)::VARCHAR AS worst
FROM parts p {join} hit h USING (mix_id) WHERE {typed} AND {chosen}
GROUP BY p.city, p.state ORDER BY 4 DESC, 2 NULLS LAST, 1 NULLS LAST
"""
_CITIES_OF: Final = """
SELECT l.property_city AS city, l.property_state::VARCHAR AS state, count(*) AS loans,
       coalesce(sum(l.book_value), 0)::BIGINT AS book_value, max(w.worst)::VARCHAR AS worst
FROM (SELECT unnest($ids::INTEGER[]) AS loan_id) chosen JOIN loans l USING (loan_id)
LEFT JOIN (SELECT loan_id, max(severity) AS worst FROM signals
           WHERE loan_id BETWEEN $first AND $last GROUP BY loan_id) w USING (loan_id)
GROUP BY l.property_city, l.property_state ORDER BY 4 DESC, 2 NULLS LAST, 1 NULLS LAST
"""


def _where(query: SignalQuery, property_type: str | None) -> tuple[dict[str, str], dict[str, Any]]:
    """Conditions on `mixes` and on the loans' type; the state is left out, a map shows all."""
    filters = {name: value for name, value in query.filters().items() if name != "state"}
    conditions = " AND ".join(SIGNAL_CONDITIONS[name] for name in filters)
    parts = {"where": f"WHERE {conditions}" if conditions else "", "typed": "true"}
    if property_type is not None:
        parts["typed"] = "p.property_type::VARCHAR IS NOT DISTINCT FROM $property_type"
        filters["property_type"] = property_type
    return parts, filters


def signal_states(
    reader: Reader, query: SignalQuery, property_type: str | None
) -> list[StateSignals]:
    """Every state with loans, by state code, nulls last."""
    parts, params = _where(query, property_type)

    def make() -> list[StateSignals]:
        return [StateSignals(**row) for row in reader.records(_STATES.format(**parts), params)]

    return reader.kept(("states", *sorted(params.items())), make)


def signal_matrix(
    reader: Reader, query: SignalQuery, by: str, property_type: str | None
) -> list[MatrixCell]:
    """Signals by state and `by`. A loan's book value counts once in a cell."""
    parts, params = _where(query, property_type)
    column, split = _BY[by]

    def make() -> list[MatrixCell]:
        sql = _MATRIX.format(**parts, column=column, severity=split)
        return [MatrixCell(**row) for row in reader.records(sql, params)]

    return reader.kept(("matrix", by, *sorted(params.items())), make)


def signal_loans(reader: Reader, query: SignalQuery, property_type: str | None) -> Page[Signal]:
    """Page of the signals that match, on one property type where one is given."""
    return page_of(reader, _of_type(reader, query, property_type), query)


def signal_table(reader: Reader, query: SignalQuery, property_type: str | None) -> pa.Table:
    """Every signal that matches: SIGNAL_EXPORT columns, in the order of lists (D3)."""
    ids = _of_type(reader, query, property_type)
    return reader.arrow(_TABLE, {"ids": ids}).select(list(SIGNAL_EXPORT))


def _of_type(reader: Reader, query: SignalQuery, property_type: str | None) -> Ids:
    if property_type is None:
        return signal_ids(reader, query)
    filters = {**query.filters(), "property_type": property_type}

    def make() -> Ids:
        conditions = [f"signals.{SIGNAL_CONDITIONS[name]}" for name in query.filters()]
        conditions.append("loans.property_type::VARCHAR = $property_type")
        return reader.ids(_OF_TYPE.format(where=" AND ".join(conditions)), filters)

    return reader.kept(("signals of type", *sorted(filters.items())), make)


def loan_cities(reader: Reader, query: LoanQuery) -> list[CityShare]:
    """Loans that match by city, with their worst signal."""

    def make() -> list[CityShare]:
        sql, params = _CITIES.format(join="LEFT JOIN", where="", typed="true", chosen="true"), {}
        if query.filters():
            ids = loan_ids(reader, query)
            if not len(ids):
                return []
            sql, params = _CITIES_OF, {"ids": ids, "first": int(ids[0]), "last": int(ids[-1])}
        return [CityShare(**row) for row in reader.records(sql, params)]

    return reader.kept(("loan cities", *sorted(query.filters().items())), make)


def signal_cities(reader: Reader, query: SignalQuery, property_type: str | None) -> list[CityShare]:
    """Loans behind the signals that match by city, with the worst of those signals."""
    parts, params = _where(query, property_type)
    parts["chosen"] = "true"
    if query.state:
        parts["chosen"] = "p.state::VARCHAR = $state"
        params["state"] = query.state

    def make() -> list[CityShare]:
        sql = _CITIES.format(join="JOIN", **parts)
        return [CityShare(**row) for row in reader.records(sql, params)]

    return reader.kept(("signal cities", *sorted(params.items())), make)
