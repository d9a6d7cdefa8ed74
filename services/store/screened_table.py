"""Writes the table `screened`: worst signal, contagion, borrower, sponsor, owner, urgency."""

from typing import Final

import duckdb
import numpy as np
import pyarrow as pa

from services.contract.book import Book
from services.contract.vocabulary import CONTAGION

from .dispositions import ungraded
from .tables import Ranks, insert

#: Worst first: severity, then urgency: dollars short at refinance, then how far DSCR is under the
#: type's minimum, then book value. An order, never a probability. A loan without a type has no
#: place within one.
_SCREENED: Final = f"""
WITH borrows AS (
    SELECT from_loan AS loan_id, arg_max(to_entity, (confidence, -to_entity)) AS borrower_id
    FROM edges_in WHERE relation = 'borrower' AND from_loan IS NOT NULL GROUP BY 1
), fired AS (
    -- A source may grade its loans and name no rule.
    SELECT g.loan_id, coalesce(c.severity, g.severity) AS severity,
           coalesce(c.rule = '{CONTAGION}', false) AS by_siblings
    FROM signals g LEFT JOIN components c USING (signal_id)
), graded AS (
    SELECT loan_id, max(severity) FILTER (WHERE NOT by_siblings) AS worst_severity,
           max(severity) FILTER (WHERE by_siblings) AS contagion
    FROM fired GROUP BY 1
), placed AS (
    SELECT loan_id, 100 * percent_rank() OVER (
        PARTITION BY l.property_type
        ORDER BY g.worst_severity NULLS FIRST, coalesce(l.dollars_short, 0),
                 greatest(coalesce(i.dscr_short, 0), 0), coalesce(l.book_value, 0)
    ) AS rank_in_type
    FROM loans l LEFT JOIN graded g USING (loan_id) LEFT JOIN incoming i USING (loan_id)
    WHERE l.property_type IS NOT NULL
), hurried AS (
    SELECT loan_id, row_number() OVER (
        ORDER BY coalesce(l.dollars_short, 0), greatest(coalesce(i.dscr_short, 0), 0),
                 coalesce(l.book_value, 0), loan_id DESC
    ) - 1 AS urgency
    FROM loans l LEFT JOIN incoming i USING (loan_id)
)
SELECT l.loan_id, g.worst_severity,
       coalesce(g.worst_severity::VARCHAR, {ungraded("l.disposition")}) AS grade,
       g.contagion, b.borrower_id, i.sponsor_id, i.owner_id, p.rank_in_type, h.urgency
FROM loans l LEFT JOIN graded g USING (loan_id) LEFT JOIN borrows b USING (loan_id)
LEFT JOIN incoming i USING (loan_id) LEFT JOIN placed p USING (loan_id)
LEFT JOIN hurried h USING (loan_id)
ORDER BY l.loan_id
"""


def write_screened(
    connection: duckdb.DuckDBPyConnection,
    book: Book,
    edges: pa.Table,
    order: pa.Array,
    entity_rank: Ranks,
) -> None:
    """Fills `screened`; `edges` have ids for row numbers, `order` are the loans' rows by id."""
    screened = book.scores.screened
    count = len(order)
    columns = {
        "sponsor_id": pa.nulls(count, pa.int32()),
        "owner_id": pa.nulls(count, pa.int32()),
        "dscr_short": pa.nulls(count, pa.float64()),
    }
    if screened is not None:
        for name in ("sponsor", "owner"):
            rows = screened[name].combine_chunks().take(order)
            known = rows.is_valid().to_numpy(zero_copy_only=False)
            if known.any():
                ids = entity_rank[rows.fill_null(0).to_numpy()]
                columns[f"{name}_id"] = pa.array(ids, pa.int32(), mask=~known)
        columns["dscr_short"] = screened["dscr_short"].combine_chunks().take(order)
    incoming = pa.table({"loan_id": np.arange(count, dtype=np.int32), **columns})
    connection.register("edges_in", edges)
    insert(connection, "screened", incoming, _SCREENED)
    connection.unregister("edges_in")
