"""XLSX: a sheet that says what it is, and a sheet of rows as numbers, dates and text.

No text is run as a formula or made a link, whatever it begins with.
"""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from services.contract.facts import Fact, Kind

from .export import Export

if TYPE_CHECKING:
    import pyarrow as pa
    from xlsxwriter import Workbook

#: How cells of a kind are written; any other number is shown in full.
_FORMATS: Final[dict[Kind, str]] = {
    "dollars": "#,##0",
    "percent": "0.000%",
    "fraction": "0.0%",
    "times": '0.00"x"',
    "basis points": "0",
    "months": "0",
    "exact months": "0.0",
    "percentile": "0",
    "area": "#,##0",
    "date": "yyyy-mm-dd",
}
#: What a cell of a kind holds.
_UNITS: Final[dict[Kind, str]] = {
    "dollars": "US dollars",
    "percent": "percent: the cell of 6.055% holds 0.06055, other files hold 6.055",
    "fraction": "share: the cell of 92.0% holds 0.92",
    "times": "times: the cell of 1.25x holds 1.25",
    "basis points": "basis points",
    "months": "months",
    "exact months": "months, with days as a part of a month",
    "percentile": "0 to 100: the share of loans that are less urgent",
    "area": "square feet",
    "date": "date",
    "flag": "TRUE or FALSE",
    "code": "code of SEC Schedule AL",
}
#: Characters that a column of a kind has room for.
_WIDTHS: Final[dict[Kind, int]] = {"dollars": 16, "text": 28}
_WIDTH: Final = 14
_SLICE: Final = 2_000
#: Day 0 of a spreadsheet, and the first day from which on all spreadsheets agree.
_DAY_0: Final = date(1899, 12, 30)
_FIRST_DAY: Final = date(1900, 3, 1)
_PERCENT: Final = 100
#: Of a rate as a fraction: 7.4 / 100 is 0.07400000000000001.
_DIGITS: Final = 12


def write(path: Path, export: Export, progress: Callable[[int], None]) -> None:
    """Writes the file; `progress` gets the number of rows written.

    Rows go to temporary files beside it as they come, so that it takes little memory.
    """
    from xlsxwriter import Workbook

    options = {
        "constant_memory": True,
        "tmpdir": str(path.parent),
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    book = Workbook(path, options)
    try:
        _about(book, export)
        _rows(book, export, progress)
        book.close()
    finally:
        for sheet in book.worksheets():
            sheet.row_data_fh.close()  # open still where the build was stopped


def _about(book: "Workbook", export: Export) -> None:
    """The sheet that says what the file is, and of each column its unit."""
    sheet = book.add_worksheet("About")
    bold, whole = book.add_format({"bold": True}), book.add_format({"num_format": "#,##0"})
    sheet.set_column(0, 0, 30)
    sheet.set_column(1, 1, 34)
    sheet.set_column(2, 3, 60)
    for row, (name, value) in enumerate(export.header):
        sheet.write_string(row, 0, name, bold)
        if name == "Rows":
            sheet.write_number(row, 1, export.rows, whole)
        else:
            sheet.write_string(row, 1, value)
    start = len(export.header) + 1
    sheet.write_string(start, 0, "An empty cell is not known; it is never 0.")
    for column, heading in enumerate(("Column", "In CSV and Parquet", "Holds", "Codes")):
        sheet.write_string(start + 2, column, heading, bold)
    columns = zip(export.schema.names, export.headings, strict=True)
    for row, (name, heading) in enumerate(columns, start + 3):
        fact = export.facts.get(name)
        sheet.write_string(row, 0, _label(name, fact))
        sheet.write_string(row, 1, heading)
        sheet.write_string(row, 2, _UNITS.get(fact.kind, "text") if fact else "")
        codes = "; ".join(f"{code}: {word}" for code, word in fact.codes.items()) if fact else ""
        sheet.write_string(row, 3, codes)


def _rows(book: "Workbook", export: Export, progress: Callable[[int], None]) -> None:
    """The sheet of rows: a heading that stays in sight, and a filter on each column."""
    sheet = book.add_worksheet(export.what[:1].upper() + export.what[1:])
    heading = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    facts = [export.facts.get(name) for name in export.schema.names]
    formats = {kind: book.add_format({"num_format": form}) for kind, form in _FORMATS.items()}
    looks = [formats.get(fact.kind) if fact else None for fact in facts]
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, export.rows, len(facts) - 1)
    for column, (name, fact) in enumerate(zip(export.schema.names, facts, strict=True)):
        sheet.set_column(column, column, _WIDTHS.get(fact.kind, _WIDTH) if fact else _WIDTH)
        sheet.write_string(0, column, _label(name, fact), heading)
    put = {str: sheet.write_string, bool: sheet.write_boolean,
           int: sheet.write_number, float: sheet.write_number}  # fmt: skip
    written = 0
    for part in export.slices(_SLICE):
        cells = [_cells(values, fact) for values, fact in zip(part.columns, facts, strict=True)]
        for row in zip(*cells, strict=True):
            written += 1
            for column, value in enumerate(row):
                if value is not None:
                    put[type(value)](written, column, value, looks[column])
        progress(written)


def _label(name: str, fact: Fact | None) -> str:
    """How an analyst calls a column."""
    return fact.label if fact else name


def _cells(values: "pa.Array", fact: Fact | None) -> list[Any]:
    """What the cells of a column hold; None for an empty one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_date(values.type):
        return [None if day is None else _day(day) for day in values.to_pylist()]
    if pa.types.is_floating(values.type):  # no spreadsheet has a cell for infinity
        values = pc.if_else(pc.is_finite(values), values, None)
        if fact and fact.kind == "percent":
            rates = values.to_pylist()
            return [None if one is None else round(one / _PERCENT, _DIGITS) for one in rates]
    listed: list[Any] = values.to_pylist()
    return listed


def _day(day: date) -> int | str:
    """A day as spreadsheets count it; in words where they do not agree."""
    return (day - _DAY_0).days if day >= _FIRST_DAY else day.isoformat()
