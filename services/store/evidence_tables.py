"""Writes what edges rest on, and what is known of parties: `witnesses` and `particulars`."""

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.book import Book

from .tables import Ranks, insert


def write_evidence(connection: duckdb.DuckDBPyConnection, book: Book, entity_rank: Ranks) -> None:
    """Fills both, and `matches`; an edge's id is its row among the book's edges."""
    witnesses = _of_sources(book, "witnesses")
    insert(
        connection,
        "witnesses",
        witnesses,
        "SELECT edge AS edge_id, * EXCLUDE (edge) FROM incoming ORDER BY edge_id, source_id",
    )
    particulars = _of_sources(book, "particulars")
    rows = particulars["entity"].to_numpy()
    ids = pa.array(entity_rank[rows] if len(rows) else rows, pa.int32())
    insert(
        connection,
        "particulars",
        particulars.append_column("entity_id", ids),
        "SELECT * EXCLUDE (entity) FROM incoming ORDER BY entity_id, source_id",
    )
    order = 'ORDER BY score DESC, kind, "first", "second"'
    insert(connection, "matches", book.matches, f"SELECT * FROM incoming {order}")


def _of_sources(book: Book, table: str) -> pa.Table:
    return book.tables[table].append_column("source_id", pa.array(book.source_of(table)))


def spellings(book: Book, entity_rank: Ranks) -> list[tuple[str, int]]:
    """Other spellings of parties, each with the id of its party; in order, each once."""
    said = book.tables["particulars"]
    said = said.filter(pc.equal(said["about"], "name"))
    names = book.tables["entities"]["entity_name"].take(said["entity"])
    other = said.filter(pc.not_equal(said["value"], names))
    rows = zip(other["value"].to_pylist(), other["entity"].to_pylist(), strict=True)
    return sorted({(name, int(entity_rank[row])) for name, row in rows})
