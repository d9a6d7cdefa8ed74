"""Workbooks and delimited text as rows of plain text, within bounds of memory and time.

A workbook is a ZIP archive of XML: before it is read, every part is unpacked once, counted and
looked over, so that nothing that lies about its size, its width or its text reaches the reader.
"""

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused

MOST_COLUMNS: Final = 400
MOST_ROWS: Final = 200_000
_MOST_CELLS: Final = 4_000_000
_LARGEST_FILE: Final = 64 << 20
_LARGEST_UNPACKED: Final = 96 << 20
_MOST_PARTS: Final = 1_000
#: Of all cells together, however often they repeat one text.
_MOST_TEXT: Final = 256 << 20
_CHUNK: Final = 1 << 20

_MAGIC: Final = {
    b"\xd0\xcf\x11\xe0": "is an old .xls workbook, or one with a password; save it as .xlsx",
    b"%PDF": "is a PDF; the file itself is needed, as XLSX, CSV or TXT",
    b"\x1f\x8b": "is a gzip archive; unpack it and import the file in it",
    b"Rar!": "is a RAR archive; unpack it and import the files in it",
}
_PLACED: Final = re.compile(rb"""\br\s*=\s*["']([A-Z]{0,3})(\d{1,7})["']""")
_FORMULA: Final = re.compile(rb"<(?:\w+:)?f[\s>/]")
_SHARED: Final = re.compile(rb"""\bt\s*=\s*["']s["']""")
_WHOLE: Final = re.compile(r"(-?\d+)\.0+", re.ASCII)
_NO_VALUE: Final = {"n/a", "na", "#n/a", "--", "-", "null"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet, or one text file: cells as text, the first row of the file first."""

    #: Title of the sheet; empty for a text file.
    title: str
    rows: tuple[tuple[str, ...], ...]


def sheets(path: Path) -> list[Sheet]:
    """The sheets of a file that hold anything. Raises ImportRefused, naming the file."""
    try:
        if not path.exists():
            raise ImportRefused(f"{path.name}: there is no such file or folder.")
        if not path.is_file():
            raise ImportRefused(f"{path.name} is not a plain file.")
        size = path.stat().st_size
        if size > _LARGEST_FILE:
            raise ImportRefused(
                f"{path.name} has {size >> 20:,} MB; {_LARGEST_FILE >> 20} are read at most: split"
                " it."
            )
        content = path.read_bytes()
    except OSError as wrong:
        raise ImportRefused(f"{path.name} cannot be read: {wrong.strerror}.") from wrong
    for magic, reason in _MAGIC.items():
        if content.startswith(magic):
            raise ImportRefused(f"{path.name} {reason}.")
    found = _workbook(path.name, content) if content[:2] == b"PK" else [_text(path.name, content)]
    if not (holding := [one for one in found if one.rows]):
        raise ImportRefused(f"{path.name} is empty; there is nothing to import.")
    return holding


def _workbook(name: str, content: bytes) -> list[Sheet]:
    import python_calamine

    _look_over(name, content)
    found = []
    try:
        with python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
            for title in book.sheet_names:
                rows = book.get_sheet_by_name(title).to_python(skip_empty_area=False)
                found.append(Sheet(title, tuple(_row(name, row) for row in rows)))
    except (python_calamine.CalamineError, OSError, ValueError) as wrong:
        raise ImportRefused(f"{name} does not read as an XLSX workbook.") from wrong
    return [Sheet(one.title, _filled(one.rows)) for one in found]


def _look_over(name: str, content: bytes) -> None:
    """Raises ImportRefused for an archive that is no workbook, or one past a bound."""
    left = _LARGEST_UNPACKED
    longest = references = 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            names = [one.filename for one in parts]
            if "xl/workbook.xml" not in names or len(set(names)) < len(names):
                raise ImportRefused(
                    f"{name} is a ZIP archive but no XLSX workbook; unpack it and import the files"
                    " in it."
                )
            if len(parts) > _MOST_PARTS:
                raise ImportRefused(f"{name} has {len(parts):,} parts; that is no plain workbook.")
            for part in parts:
                data = _unpacked(name, archive, part, left)
                left -= len(data)
                if part.filename.endswith((".xml", ".rels")):
                    _check_xml(name, data)
                if "/worksheets/" in part.filename and part.filename.endswith(".xml"):
                    _check_sheet(name, data)
                    references += sum(1 for _ in _SHARED.finditer(data))
                if part.filename.endswith("sharedStrings.xml"):
                    longest = max(longest, _longest(data))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as wrong:
        raise ImportRefused(f"{name} is a damaged workbook, or one with a password.") from wrong
    if longest * references > _MOST_TEXT:
        raise ImportRefused(
            f"{name} repeats one long text in {references:,} cells; it is not read."
        )


def _unpacked(name: str, archive: zipfile.ZipFile, part: zipfile.ZipInfo, left: int) -> bytes:
    """The part, read to its end, so that its size and checksum are what it says."""
    found = bytearray()
    with archive.open(part) as opened:
        while chunk := opened.read(_CHUNK):
            found += chunk
            if len(found) > left:
                raise ImportRefused(
                    f"{name} unpacks to more than {_LARGEST_UNPACKED >> 20} MB; it is not read."
                )
    return bytes(found)


def _check_xml(name: str, data: bytes) -> None:
    if b"\0" in data or b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise ImportRefused(
            f"{name} holds XML that no spreadsheet writes (a document type, or another encoding"
            " than UTF-8); it is not read."
        )


def _check_sheet(name: str, data: bytes) -> None:
    if found := _FORMULA.search(data):
        places = [one.group(1) + one.group(2) for one in _PLACED.finditer(data, 0, found.start())]
        at = f" {places[-1].decode()}" if places else ""
        raise ImportRefused(f"{name} holds a formula in cell{at}; save it with values alone.")
    columns = rows = 0
    for place in set(_PLACED.findall(data)):
        columns = max(columns, _column(place[0]))
        rows = max(rows, int(place[1]))
    _check_extent(name, columns, rows)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


def _check_extent(name: str, columns: int, rows: int) -> None:
    if columns > MOST_COLUMNS:
        raise ImportRefused(f"{name} has {columns:,} columns; {MOST_COLUMNS} are read at most.")
    if rows > MOST_ROWS or columns * rows > _MOST_CELLS:
        raise ImportRefused(
            f"{name} reaches to row {rows:,} of {columns:,} columns; it is not read past"
            f" {MOST_ROWS:,} rows and {_MOST_CELLS:,} cells."
        )


def _longest(data: bytes) -> int:
    """Bytes of the longest shared text, with its markup."""
    return max((len(one) for one in data.split(b"</si>")), default=0)


def _row(name: str, cells: Sequence[object]) -> tuple[str, ...]:
    if len(cells) > MOST_COLUMNS:
        _check_extent(name, len(cells), 1)
    return tuple(map(_cell, cells))


def _cell(value: object) -> str:
    """A cell as text: a whole number without ".0", no exponent, a date as YYYY-MM-DD."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        value = format(Decimal(repr(value)), "f") if value == value else ""  # noqa: PLR0124
    text = str(value).strip()
    if whole := _WHOLE.fullmatch(text):
        return whole[1]
    return "" if text.casefold() in _NO_VALUE else text


def _filled(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """The rows without the empty ones at the end."""
    last = max((at for at, row in enumerate(rows, 1) if any(row)), default=0)
    return rows[:last]


def _text(name: str, content: bytes) -> Sheet:
    if content.lstrip()[:1] == b"<":
        raise ImportRefused(f"{name} is a page or XML; a file as XLSX, CSV or TXT is needed.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = content.count(b"\n", 0, wrong.start) + 1
        raise ImportRefused(f"{name} is not UTF-8 in line {line}; save it as UTF-8.") from wrong
    if "\0" in text:
        raise ImportRefused(f"{name} is not plain text; a file as XLSX, CSV or TXT is needed.")
    best = max(",\t;|", key=lambda mark: _width(text, mark))
    rows: list[tuple[str, ...]] = []
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=best, strict=True):
            rows.append(tuple(map(_cell, row)))
            cells += len(row)
            if len(row) > MOST_COLUMNS or len(rows) > MOST_ROWS or cells > _MOST_CELLS:
                columns = max(len(row), cells // len(rows))
                _check_extent(name, columns, len(rows))
    except csv.Error as wrong:
        raise ImportRefused(f"{name} does not read as delimited text: {wrong}.") from wrong
    return Sheet("", _filled(tuple(rows)))


def _width(text: str, mark: str) -> int:
    """Columns of the widest of the first lines when they are cut at this mark."""
    return max((line.count(mark) for line in _first_lines(text)), default=0)


def _first_lines(text: str) -> Iterator[str]:
    for at, line in enumerate(io.StringIO(text)):
        if at == 20:  # noqa: PLR2004
            return
        yield line
