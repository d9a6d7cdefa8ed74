"""Arrow tables on their way into the database: the order in which rows lie there, and their ids."""

from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

#: Place in order, by row.
Ranks = np.ndarray[Any, np.dtype[np.int32]]


def ranked(table: pa.Table, column: str) -> tuple[pa.Array, Ranks]:
    """The rows of `table` in order of `column`, and each row's place in that order."""
    order = pc.sort_indices(table[column]).cast(pa.int32())
    rank = np.empty(len(order), dtype=np.int32)
    rank[order.to_numpy()] = np.arange(len(order), dtype=np.int32)
    return order, rank


def by_loan_id(table: pa.Table, loan_rank: Ranks) -> pa.Table:
    """A table of loan rows with `loan_id` for the row number."""
    rows = table["loan"].to_numpy()
    ids = loan_rank[rows] if len(rows) else np.empty(0, dtype=np.int32)
    return table.drop_columns(["loan"]).append_column("loan_id", pa.array(ids, pa.int32()))


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table, sql: str) -> None:
    """Inserts into `table` what `sql` selects of `rows`, which it knows as `incoming`."""
    connection.register("incoming", rows)
    connection.execute(f"INSERT INTO {table} BY NAME {sql}")
    connection.unregister("incoming")
