"""What a snapshot is written from, and the order in which it lies on disk."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.portfolio import SourceInfo
from services.signals.engine import Scored

#: Place in order, by row.
Ranks = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True, slots=True)
class Book:
    """All sources of a snapshot in one set of tables, shapes as in contract/portfolio.py."""

    infos: tuple[SourceInfo, ...]
    tables: Mapping[str, pa.Table]
    #: Row of `infos`, for each row of `loans` and of `rejects`.
    source_of_loan: np.ndarray[Any, np.dtype[np.int16]]
    source_of_reject: np.ndarray[Any, np.dtype[np.int16]]
    scored: Scored


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
    """Inserts what `sql` selects of `rows`, which it knows as `given`."""
    connection.register("given", rows)
    connection.execute(f"INSERT INTO {table} BY NAME {sql}")
    connection.unregister("given")
