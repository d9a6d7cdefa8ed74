"""CSV (UTF-8): lines that say what it is, then rows. Safe in a spreadsheet.

Integers, percent figures and ISO dates as they are; empty where not known (D18).
"""

import csv
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from .export import Export

if TYPE_CHECKING:
    import pyarrow as pa

#: A cell that begins with one of these is run as a formula by spreadsheets, by some in the forms of
#: full width too.
_FORMULA: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
_SLICE: Final = 20_000


def write(path: Path, export: Export, progress: Callable[[int], None]) -> None:
    """Writes the file; `progress` gets the number of rows written."""
    with path.open("wb") as out:
        _write(out, export, progress)


def write_zipped(path: Path, export: Export, progress: Callable[[int], None]) -> None:
    """The same in a ZIP archive, a fifth as large, as its only file."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open(path.name.removesuffix(".zip"), "w", force_zip64=True) as out,
    ):
        _write(out, export, progress)


def _write(out: IO[bytes], export: Export, progress: Callable[[int], None]) -> None:
    import pyarrow as pa
    import pyarrow.csv as pa_csv

    out.write(_head(export))
    headings = [safe(one) for one in export.headings]
    kinds = zip(headings, map(_plain, export.schema.types), strict=True)
    options = pa_csv.WriteOptions(quoting_style="needed")
    with pa_csv.CSVWriter(out, pa.schema(list(kinds)), write_options=options) as rows:
        written = 0
        for part in export.slices(_SLICE):
            columns = [_safe(column) for column in part.columns]
            rows.write_batch(pa.record_batch(columns, names=headings))
            written += part.num_rows
            progress(written)


def _head(export: Export) -> bytes:
    head = io.StringIO()
    lines = csv.writer(head, lineterminator="\n")
    for name, value in export.header:
        lines.writerow((f"# {name}", safe(value)))
    return head.getvalue().encode()


def _plain(kind: "pa.DataType") -> "pa.DataType":
    """The type of the values, where a column holds each only once."""
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _safe(column: "pa.Array") -> "pa.Array":
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column
    risky = pc.is_in(pc.utf8_slice_codeunits(column, 0, 1), pa.array(_FORMULA, column.type))
    quote, nothing = (pa.scalar(one, column.type) for one in ("'", ""))
    return pc.if_else(risky, pc.binary_join_element_wise(quote, column, nothing), column)


def safe(value: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{value}" if value.startswith(_FORMULA) else value
