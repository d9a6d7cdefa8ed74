"""Writes the tables of families: the loans under each sponsor and owner, and who lends to them."""

from typing import Final

import duckdb
import pyarrow as pa

from services.contract.book import Book

from .tables import Ranks, insert

#: Of any layer, or by the name that the loan bears; who services a layer lends nothing.
_LENDERS: Final = """
INSERT INTO family_lenders
WITH lent AS (
    SELECT loan_id, lender_id FROM loans WHERE lender_id IS NOT NULL
    UNION
    SELECT y.loan_id, d.lender_id FROM layers y JOIN lenders d USING (lender)
)
SELECT f.entity_id, l.lender_id, f.loan_id FROM family_loans f JOIN lent l USING (loan_id)
ORDER BY ALL
"""


def write_families(
    connection: duckdb.DuckDBPyConnection, book: Book, loan_rank: Ranks, entity_rank: Ranks
) -> None:
    """Fills family_loans and family_lenders from what scoring found (contract/book.py)."""
    found = book.scores.families
    if found is None or not found.num_rows:
        return
    ids = pa.table(
        {
            "entity_id": entity_rank[found["owner"].to_numpy()],
            "loan_id": loan_rank[found["loan"].to_numpy()],
        }
    )
    insert(connection, "family_loans", ids, "SELECT * FROM incoming ORDER BY entity_id, loan_id")
    connection.execute(_LENDERS)
