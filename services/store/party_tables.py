"""Writes the tables of parties: entities, and the loans that each stands behind or lends to."""

from typing import Final

import duckdb
import numpy as np
import pyarrow as pa

from services.contract.book import Book
from services.contract.evidence import SCHEMES
from services.contract.exposure import BESIDE

from .notes import LOANS
from .tables import insert

#: Relations that tie a loan to a party directly (D32), and those that carry the tie on.
_TIES: Final = """
CREATE TABLE ties AS
WITH RECURSIVE tied(entity_id, loan_id, via) AS (
    SELECT DISTINCT to_entity, from_loan,
           CASE relation WHEN 'borrower' THEN 'owned_by' WHEN 'capital_source' THEN relation END
    FROM edges_in
    WHERE from_loan IS NOT NULL AND relation IN ('borrower', 'guarantor', 'capital_source')
    UNION
    SELECT e.to_entity, t.loan_id, t.via
    FROM tied t JOIN edges_in e ON e.from_entity = t.entity_id AND e.relation = t.via
)
SELECT DISTINCT entity_id, loan_id FROM tied
"""

#: The party whose name a loan bears as its lender is one of its capital sources, also where the
#: source calls it an originator, as SEC filings do (D45); so is the lender of each layer (D68).
_LENDS: Final = """
INSERT INTO entity_loans
SELECT entity_id, loan_id FROM ties
UNION
SELECT g.entity_id, l.loan_id
FROM incoming g JOIN lenders d ON d.lender = g.entity_name JOIN loans l USING (lender_id)
UNION
SELECT g.entity_id, y.loan_id FROM incoming g JOIN layers y ON y.lender = g.entity_name
ORDER BY 1, 2
"""


#: The strongest identifier of each party (D198); of two of one scheme the smaller.
_IDENTIFIED: Final = """
SELECT entity_id, arg_min(begins || ':' || replace(value, ' ', '-'), (strength, value)) AS party_id
FROM particulars JOIN schemes USING (scheme) WHERE about = 'identifier' GROUP BY 1
"""

#: Loans of each party in the roles of `BESIDE` (D201), as `roles.py` finds them.
_BY_ROLE: Final = f"""
SELECT entity_id, map_from_entries(list((role, loans) ORDER BY role)) AS loans_by_role FROM (
    SELECT entity_id, role, {LOANS}::INTEGER AS loans FROM (
        SELECT to_entity AS entity_id, relation AS role, from_loan AS loan_id
        FROM edges_in WHERE from_loan IS NOT NULL AND relation IN {BESIDE}
        UNION
        SELECT g.entity_id, 'servicer', y.loan_id
        FROM incoming g JOIN layers y ON y.servicer = g.entity_name
    ) JOIN loans l USING (loan_id) GROUP BY 1, 2
) GROUP BY 1
"""


def write_entities(
    connection: duckdb.DuckDBPyConnection, book: Book, order: pa.Array, edges: pa.Table
) -> None:
    """Fills entity_loans and entities, after particulars; `edges` have ids for row numbers."""
    connection.register("edges_in", edges)
    connection.execute(_TIES)
    incoming = (
        book.tables["entities"]
        .take(order)
        .append_column("entity_id", pa.array(np.arange(len(order), dtype=np.int32)))
    )
    connection.register("incoming", incoming)
    connection.execute(_LENDS)
    connection.unregister("incoming")
    connection.execute("DROP TABLE ties")
    words = [list(SCHEMES), list(SCHEMES.values()), range(len(SCHEMES))]
    connection.register("schemes", pa.table(words, ["scheme", "begins", "strength"]))
    insert(
        connection,
        "entities",
        incoming,
        "SELECT g.entity_id, g.entity_name, g.kind, g.confidence,"
        " CASE WHEN g.confidence >= 0.90 THEN 'confirmed' WHEN g.confidence >= 0.70"
        " THEN 'probable' ELSE 'inferred' END AS confidence_tier,"  # D29
        " coalesce(c.loans, 0)::INTEGER AS related_loan_count,"
        " coalesce(i.party_id, 'name:' || left(sha256(g.entity_name), 16)) AS party_id,"
        f" r.loans_by_role FROM incoming g LEFT JOIN ({_IDENTIFIED}) i USING (entity_id)"
        f" LEFT JOIN ({_BY_ROLE}) r USING (entity_id) LEFT JOIN"
        " (SELECT entity_id, count(*) AS loans FROM entity_loans GROUP BY 1) c USING (entity_id)"
        " ORDER BY g.entity_id",
    )
    connection.unregister("schemes")
    connection.unregister("edges_in")
