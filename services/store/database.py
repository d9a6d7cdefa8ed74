"""The DuckDB file of a snapshot: read only, and asked from many threads at once."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import duckdb
import numpy as np
import numpy.typing as npt

from services.contract.errors import StoreBusy

from .checksums import damaged

if TYPE_CHECKING:
    import pyarrow as pa

Ids = npt.NDArray[np.int32]
Params = Sequence[object] | Mapping[str, object]

#: What DuckDB says where another process has a file open for writing.
_HELD: Final = re.compile(r"Conflicting lock is held in .*\(PID (\d+)\)")
#: What DuckDB says of a file that is cut short or was written over.
_UNREADABLE: Final = (duckdb.IOException, duckdb.SerializationException, duckdb.FatalException)


def among(column: str, parameter: str = "?") -> str:
    """The condition that `column` is one of the ids in a list, a parameter.

    As a table the list skips blocks without any of the ids; `IN (?, ?, ...)` reads all between.
    """
    return f"{column} IN (SELECT unnest({parameter}::INTEGER[]))"


class Records(Protocol):
    """Whatever answers a statement by rows with names."""

    def records(self, sql: str, params: Params = ()) -> list[dict[str, Any]]:
        """All rows of a statement, by column name."""
        ...


class Database:
    """One connection; every question has a cursor of its own."""

    def __init__(self, file: Path, beside: Mapping[str, Path] | None = None) -> None:
        """`beside` are further files by the name under which statements know them.

        Raises StoreDamaged, and StoreBusy while another program writes to the file.
        """
        self._folder, self._file = file.parent, file.name
        config: dict[str, str | bool | int | float | list[str]] = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            # Whole columns are read without asking for an order (columns.py).
            "preserve_insertion_order": "true",
        }
        try:
            self._connection = duckdb.connect(str(file), read_only=True, config=config)
            for name, further in (beside or {}).items():
                # Stores of one process share DuckDB's instance of a file, and what is attached.
                quoted = str(further).replace("'", "''")
                self._connection.execute(f"ATTACH IF NOT EXISTS '{quoted}' AS {name} (READ_ONLY)")
            self._connection.execute("SET enable_external_access = false")
        except duckdb.Error as error:
            if held := _HELD.search(str(error)):
                raise StoreBusy(
                    f"Another program (PID {held[1]}) has '{self._file}' of the store open for "
                    "writing; close it there, and open such files read-only"
                ) from error
            raise damaged(self._folder, self._file, "does not open") from error

    def close(self) -> None:
        """Releases the file."""
        self._connection.close()

    @contextmanager
    def _asking(self) -> Iterator[duckdb.DuckDBPyConnection]:
        try:
            with self._connection.cursor() as cursor:
                yield cursor
        except duckdb.Error as error:
            # A block whose checksum is wrong is an error of no kind of its own.
            if isinstance(error, _UNREADABLE) or type(error) is duckdb.Error:
                raise damaged(self._folder, self._file, "does not read") from error
            raise

    def rows(self, sql: str, params: Params = ()) -> list[Any]:
        """All rows of a statement, as tuples."""
        with self._asking() as cursor:
            return cursor.execute(sql, params).fetchall()

    def records(self, sql: str, params: Params = ()) -> list[dict[str, Any]]:
        """All rows of a statement, by column name."""
        with self._asking() as cursor:
            cursor.execute(sql, params)
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def arrow(self, sql: str, params: Params = ()) -> "pa.Table":
        """All rows of a statement, as an Arrow table."""
        with self._asking() as cursor:
            return cursor.sql(sql, params=params or None).to_arrow_table()

    def batches(self, sql: str, rows: int) -> "Iterator[pa.RecordBatch]":
        """All rows of a statement, so many at a time; no more of them is in memory."""
        import pyarrow as pa

        with self._asking() as cursor:
            try:
                yield from cursor.sql(sql).to_arrow_reader(rows)
            except (pa.ArrowException, OSError) as error:
                raise damaged(self._folder, self._file, "does not read") from error

    def columns(self, sql: str, params: Params = ()) -> dict[str, npt.NDArray[Any]]:
        """All columns of a statement, by name; none of them has nulls."""
        with self._asking() as cursor:
            found = cursor.execute(sql, params).fetchnumpy()
        return {name: np.ascontiguousarray(column) for name, column in found.items()}

    def ids(self, sql: str, params: Params = ()) -> Ids:
        """The only column of a statement, as a vector of ids."""
        with self._asking() as cursor:
            columns = cursor.execute(sql, params).fetchnumpy()
        return np.ascontiguousarray(next(iter(columns.values())), dtype=np.int32)
