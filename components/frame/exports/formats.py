"""The formats of a file, and which of them can hold how many rows."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from . import csv_file, parquet_file, xlsx_file
from .export import Export

#: With more rows a spreadsheet is no place to look at them, and takes minutes to write.
MOST_IN_XLSX: Final = 250_000


@dataclass(frozen=True, slots=True)
class Format:
    """A format that a file can have."""

    name: str
    suffix: str
    mime: str
    #: Writes an export into a file, and says after some rows how many are written.
    write: Callable[[Path, Export, Callable[[int], None]], None]


CSV: Final = Format("CSV", ".csv", "text/csv", csv_file.write)
CSV_ZIPPED: Final = Format("CSV, zipped", ".csv.zip", "application/zip", csv_file.write_zipped)
XLSX: Final = Format(
    "XLSX",
    ".xlsx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    xlsx_file.write,
)
PARQUET: Final = Format("Parquet", ".parquet", "application/vnd.apache.parquet", parquet_file.write)


def for_rows(rows: int) -> tuple[Format, ...]:
    """The formats that so many rows can have.

    A file is held in memory while a browser takes it, so a very large CSV is zipped.
    """
    return (CSV, XLSX, PARQUET) if rows <= MOST_IN_XLSX else (CSV_ZIPPED, PARQUET)
