"""Writes the tables of loans: loans, layers, properties, leases, and every name of a lender."""

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.book import Book
from services.contract.facts import FACTS
from services.names.normalise import keys, words

from .loan_columns import create_loans
from .tables import Ranks, by_loan_id, insert


def write_loans(
    connection: duckdb.DuckDBPyConnection,
    book: Book,
    order: pa.Array,
    sources: pa.Array,
    loan_rank: Ranks,
) -> None:
    """Creates loans; fills it, lenders, layer_ids, layers, properties and leases, by loan_id."""
    connection.execute(create_loans())
    table = book.tables["loans"]
    layers = by_loan_id(book.tables["layers"], loan_rank)
    lender_of_loan, lenders, spoken = _lenders(table["lender_normalized"], layers)
    insert(connection, "lenders", lenders, "SELECT * FROM incoming ORDER BY lender_id")
    features = book.scores.features
    wide = table.drop_columns(["lender_normalized"]).append_column("lender_id", lender_of_loan)
    for fact in FACTS:
        if fact.origin == "scored":
            wide = wide.append_column(fact.name, features[fact.name])
    wide = wide.take(order).append_column(
        "loan_id", pa.array(np.arange(len(order), dtype=np.int32))
    )
    wide = wide.append_column("source_id", sources)
    insert(connection, "loans", wide, "SELECT * FROM incoming ORDER BY loan_id")
    insert(connection, "layers", layers, "SELECT * FROM incoming ORDER BY loan_id, rank")
    properties = by_loan_id(book.tables["properties"], loan_rank)
    insert(
        connection,
        "properties",
        properties,
        "SELECT * FROM incoming ORDER BY loan_id, value DESC NULLS LAST, property_name",
    )
    insert(
        connection,
        "leases",
        by_loan_id(book.tables["leases"], loan_rank),
        "SELECT * FROM incoming ORDER BY loan_id, square_feet DESC NULLS LAST, expires, tenant",
    )
    connection.execute(
        "INSERT INTO layer_ids SELECT lender_id, loan_id FROM loans WHERE lender_id IS NOT NULL"
    )
    for column, ids in spoken.items():
        del column
        pairs = pa.table({"lender_id": ids, "loan_id": layers["loan_id"]})
        insert(connection, "layer_ids", pairs, "SELECT * FROM incoming WHERE lender_id IS NOT NULL")
    connection.execute(
        "CREATE TABLE sorted_ids AS SELECT DISTINCT * FROM layer_ids ORDER BY lender_id, loan_id;"
        "DROP TABLE layer_ids; ALTER TABLE sorted_ids RENAME TO layer_ids"
    )


def _lenders(
    normalized: pa.ChunkedArray, layers: pa.Table
) -> tuple[pa.Array, pa.Table, dict[str, pa.Array]]:
    """Lender id of each loan, the lender table, and lender ids of each layer by column."""
    columns = {"lender": layers["lender"], "servicer": layers["servicer"]}
    every = pa.chunked_array(
        [chunk for column in (normalized, *columns.values()) for chunk in column.chunks],
        pa.string(),
    )
    names = pc.unique(every).drop_null()
    names = names.take(pc.sort_indices(names))
    ids = pa.array(np.arange(len(names), dtype=np.int32))

    def coded(column: pa.ChunkedArray) -> pa.Array:
        return ids.take(pc.index_in(column.combine_chunks(), value_set=names))

    listed = names.to_pylist()
    table = pa.table(
        {
            "lender_id": ids,
            "lender": names,
            "key": keys(listed),
            "words": pa.array([sorted(words(name)) for name in listed], pa.list_(pa.string())),
        }
    )
    return coded(normalized), table, {name: coded(column) for name, column in columns.items()}
