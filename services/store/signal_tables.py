"""Writes the tables of signals and of the components that fired within them."""

from typing import Final

import duckdb
import pyarrow as pa

from .book import Book, Ranks, by_loan_id


def write_signals(connection: duckdb.DuckDBPyConnection, book: Book, loan_rank: Ranks) -> None:
    """Signals by loan_number, then type (D3); signal_id is that order."""
    scored = book.scored
    given = scored.signals.append_column(
        "description",
        pa.nulls(scored.signals.num_rows, pa.string())
        if book.descriptions is None
        else book.descriptions,
    )
    connection.register("found", by_loan_id(given, loan_rank))
    connection.execute(
        "CREATE TEMP TABLE ordered AS SELECT "
        "(row_number() OVER (ORDER BY loan_id, signal_type::VARCHAR, severity::VARCHAR,"
        " description) - 1)::INTEGER AS signal_id, loan_id, signal_type::VARCHAR AS signal_type,"
        " severity::VARCHAR AS severity, description FROM found"
    )
    connection.execute(
        "INSERT INTO signals SELECT o.signal_id, o.loan_id, o.signal_type, o.severity,"
        " l.property_state, o.description FROM ordered o JOIN loans l USING (loan_id)"
        " ORDER BY o.signal_id"
    )
    connection.register("parts", by_loan_id(scored.components, loan_rank))
    connection.execute(
        "INSERT INTO components SELECT o.signal_id, p.rule::VARCHAR, p.severity::VARCHAR,"
        ' p.value, p."limit" FROM parts p JOIN ordered o ON o.loan_id = p.loan_id'
        " AND o.signal_type = p.signal_type::VARCHAR ORDER BY o.signal_id, p.rule::VARCHAR"
    )
    connection.unregister("found")
    connection.unregister("parts")


_MIXES: Final = """
CREATE TEMP TABLE mixed AS
SELECT loan_id, string_agg(signal_type::VARCHAR || '=' || coalesce(severity::VARCHAR, ''), ';'
                           ORDER BY signal_id) AS mix
FROM signals GROUP BY loan_id;
CREATE TEMP TABLE kinds AS
SELECT (row_number() OVER (ORDER BY mix))::INTEGER AS mix_id, mix, min(loan_id) AS loan_id
FROM mixed GROUP BY mix;
INSERT INTO mixes
SELECT k.mix_id, g.signal_type, g.severity, count(*)::INTEGER
FROM kinds k JOIN signals g USING (loan_id) GROUP BY ALL ORDER BY ALL;
INSERT INTO parts
SELECT l.property_state, l.property_city, l.property_type, coalesce(k.mix_id, 0),
       count(*)::INTEGER, coalesce(sum(l.book_value), 0)::BIGINT
FROM loans l LEFT JOIN mixed m USING (loan_id) LEFT JOIN kinds k ON k.mix = m.mix
GROUP BY ALL ORDER BY ALL;
DROP TABLE mixed; DROP TABLE kinds
"""


def write_parts(connection: duckdb.DuckDBPyConnection) -> None:
    """Fills parts and mixes from loans and signals."""
    connection.execute(_MIXES)
