"""Where signals are: by state, by severity, by property type, by city."""

from typing import Any, Final

import pyarrow as pa

from services.contract.aggregates import CityShare, MatrixCell, StateSignals
from services.contract.loan_filter import LoanFilter
from services.contract.queries import SignalFilter
from services.contract.source import SIGNAL_EXPORT, MatrixColumn

from .filters import OF_LOAN, OF_LOAN_CONDITION, SIGNAL_CONDITIONS, loan_ids, signal_ids
from .reader import Reader

#: Sums over `cohorts` (services/store/schema.sql); {where} filters the signals of their mixes.
_STATES: Final = """
WITH hit AS (SELECT mix_id, sum(signals) AS signals FROM mixes {where} GROUP BY mix_id)
SELECT p.state::VARCHAR AS state,
       coalesce(sum(p.loans * h.signals) FILTER (WHERE {typed}), 0)::BIGINT AS signals,
       coalesce(sum(p.loans) FILTER (WHERE h.mix_id IS NOT NULL AND {typed}), 0)::BIGINT AS loans,
       coalesce(sum(p.book_value) FILTER (WHERE h.mix_id IS NOT NULL AND {typed}), 0)::BIGINT
           AS book_value,
       sum(p.loans)::BIGINT AS state_loans,
       sum(p.book_value)::BIGINT AS state_book_value
FROM cohorts p LEFT JOIN hit h USING (mix_id)
GROUP BY p.state ORDER BY 1 NULLS LAST
"""
_MATRIX: Final = """
WITH hit AS (
    SELECT mix_id, {severity} sum(signals) AS signals FROM mixes {where} GROUP BY ALL
)
SELECT p.state::VARCHAR AS state, {column}::VARCHAR AS "column",
       sum(p.loans * h.signals)::BIGINT AS signals,
       sum(p.loans)::BIGINT AS loans, sum(p.book_value)::BIGINT AS book_value
FROM cohorts p JOIN hit h USING (mix_id) WHERE {typed}
GROUP BY p.state, {column} ORDER BY 1 NULLS LAST, 2 NULLS LAST
"""
#: by -> its column, and what a mix is split by.
_BY: Final = {"severity": ("h.severity", "severity,"), "property_type": ("p.property_type", "")}
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
FROM cohorts p {join} hit h USING (mix_id) WHERE {typed} AND {chosen}
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


def _where(query: SignalFilter) -> tuple[dict[str, str], dict[str, Any]]:
    """Conditions on `mixes` and on the loans' type; the state is left out, a map shows all."""
    filters = {name: value for name, value in query.filters().items() if name != "state"}
    conditions = " AND ".join(SIGNAL_CONDITIONS[name] for name in filters if name != OF_LOAN)
    fragments = {"where": f"WHERE {conditions}" if conditions else "", "typed": "true"}
    if OF_LOAN in filters:
        fragments["typed"] = f"p.{OF_LOAN_CONDITION}"
    return fragments, filters


def signal_states(reader: Reader, query: SignalFilter) -> list[StateSignals]:
    """Every state with loans, by state code, nulls last."""
    fragments, params = _where(query)

    def make() -> list[StateSignals]:
        rows = reader.records(_STATES.format(**fragments), params)
        return [StateSignals(**row) for row in rows]

    return reader.remembered(("states", *sorted(params.items())), make)


def signal_matrix(reader: Reader, query: SignalFilter, by: MatrixColumn) -> list[MatrixCell]:
    """Signals by state and `by`. A loan's book value counts once in a cell."""
    fragments, params = _where(query)
    column, split = _BY[by]

    def make() -> list[MatrixCell]:
        sql = _MATRIX.format(**fragments, column=column, severity=split)
        return [MatrixCell(**row) for row in reader.records(sql, params)]

    return reader.remembered(("matrix", by, *sorted(params.items())), make)


def signal_table(reader: Reader, query: SignalFilter) -> pa.Table:
    """Every signal that matches: SIGNAL_EXPORT columns, in the order of lists (D3)."""
    ids = signal_ids(reader, query)
    return reader.arrow(_TABLE, {"ids": ids}).select(list(SIGNAL_EXPORT))


def loan_cities(reader: Reader, query: LoanFilter) -> list[CityShare]:
    """Loans that match by city, with their worst signal."""

    def make() -> list[CityShare]:
        sql, params = _CITIES.format(join="LEFT JOIN", where="", typed="true", chosen="true"), {}
        if query.filters():
            ids = loan_ids(reader, query)
            if not len(ids):
                return []
            sql, params = _CITIES_OF, {"ids": ids, "first": int(ids[0]), "last": int(ids[-1])}
        return [CityShare(**row) for row in reader.records(sql, params)]

    return reader.remembered(("loan cities", *sorted(query.filters().items())), make)


def signal_cities(reader: Reader, query: SignalFilter) -> list[CityShare]:
    """Loans behind the signals that match by city, with the worst of those signals."""
    fragments, params = _where(query)
    fragments["chosen"] = "true"
    if query.state:
        fragments["chosen"] = "p.state::VARCHAR = $state"
        params["state"] = query.state

    def make() -> list[CityShare]:
        sql = _CITIES.format(join="JOIN", **fragments)
        return [CityShare(**row) for row in reader.records(sql, params)]

    return reader.remembered(("signal cities", *sorted(params.items())), make)
