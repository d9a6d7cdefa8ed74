"""A tape as a table of text: CSV in any encoding and with any delimiter, or a sheet of a workbook.

The header row is found below titles; rows are numbered as a spreadsheet shows them.
"""

import codecs
import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import file_digest
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.errors import ImportRefused
from services.contract.queries import shortened
from services.importers.values import clean_text
from services.importers.workbooks import PACKED, Bounds, as_csv

MOST_BYTES: Final = 512 * 2**20
MOST_ROWS: Final = 1_000_000
MOST_COLUMNS: Final = 1_000
#: All cells of a tape; a hundred thousand rows of sixty columns are a tenth of them.
MOST_CELLS: Final = 60_000_000
DELIMITERS: Final = (",", ";", "\t", "|")
#: Rows from the top among which the header is looked for, and by which delimiters are compared.
_TOP: Final = 60
_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_ROWS_AT_ONCE: Final = 10_000
_WORKBOOKS: Final = (".xlsx", ".xlsm")
_BOUNDS: Final = Bounds(
    unpacked=1 << 30,
    part=1 << 30,
    description=8 << 20,
    rows=MOST_ROWS,
    columns=MOST_COLUMNS,
    text=1 << 30,
    memory=4 << 30,
    seconds=240,
    fewest=2,
)
_MOST_ABOVE: Final = 20
#: Known names that make a row the header.
_FEWEST: Final = 2
#: Of a text that is not UTF-8, the most letters that are not English.
_MOST_OTHER: Final = 0.2


@dataclass(frozen=True, slots=True)
class Shape:
    """How a file is read, as far as somebody has said it; None is found out."""

    sheet: str | None = None
    header_row: int | None = None
    encoding: str | None = None
    delimiter: str | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """The table of one file."""

    file: str
    sha256: str
    #: How it was read, in words: "CSV, windows-1252, ';' between cells".
    form: str
    #: Rows above the header, as text.
    above: tuple[str, ...]
    header_row: int
    names: tuple[str, ...]
    #: Text of each column, white space around it gone, "" where a cell is empty.
    columns: tuple[pa.ChunkedArray, ...]
    #: Number of each row, as a spreadsheet shows it.
    rows: tuple[int, ...]
    #: Places in `rows` with cells beyond the header -> what is wrong.
    ragged: dict[int, str] = field(default_factory=dict)
    delimiter: str = ","


def read(path: Path, shape: Shape, known: Callable[[str], bool]) -> Sheet:
    """The table of a file; `known` says whether a text is the name of a column.

    Raises ImportRefused for a file that is too large, holds no table, or is none of these kinds.
    """
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise ImportRefused(f"{path.name} is no file; name a CSV or XLSX file")
        with path.open("rb") as opened:
            sha256 = file_digest(opened, "sha256").hexdigest() if size <= MOST_BYTES else ""
            opened.seek(0)
            packed = opened.read(4) == PACKED
    except FileNotFoundError:
        raise ImportRefused(f"{path.name}: there is no such file") from None
    except OSError as wrong:
        raise ImportRefused(f"{path.name} cannot be read: {wrong.strerror}") from wrong
    if size > MOST_BYTES:
        raise ImportRefused(
            f"{path.name} has {size >> 20:,} MB; {MOST_BYTES >> 20:,} MB are read at most"
        )
    if packed:
        with as_csv(path, path.name, _BOUNDS, shape.sheet) as (csv_file, form):
            table = Shape(None, shape.header_row, "utf-8", ",")
            return _table(csv_file, path.name, sha256, form, table, known)
    if path.suffix.lower() in _WORKBOOKS:
        raise ImportRefused(f"{path.name} is no workbook: it does not unpack")
    return _table(path, path.name, sha256, "CSV", shape, known)


def _table(
    path: Path, name: str, sha256: str, form: str, shape: Shape, known: Callable[[str], bool]
) -> Sheet:
    encoding = _encoding(path, name, shape.encoding)
    try:
        delimiter = shape.delimiter or _delimiter(path, encoding)
        with path.open(encoding=encoding, newline="") as opened:
            top = list(islice(csv.reader(opened, delimiter=delimiter), _TOP))
        header = _header(top, shape.header_row, known, name)
        names, kept = _names(top[header], name)
        columns, rows, ragged = _body(path, encoding, delimiter, header, len(top[header]), name)
    except csv.Error as wrong:
        raise ImportRefused(f"{name} is no table of cells: {wrong}") from wrong
    except UnicodeDecodeError as wrong:
        raise ImportRefused(
            f"{name} is not text in {encoding}, from byte {wrong.start:,} on; name its encoding"
            ' (encoding = "windows-1252" in the profile, or --encoding)'
        ) from wrong
    empty = {at for at in range(len(columns)) if not pc.any(pc.not_equal(columns[at], "")).as_py()}
    shown = [at for at in range(len(columns)) if at not in empty or kept[at]]
    between = {"\t": "a tab"}.get(delimiter, f"'{delimiter}'")
    return Sheet(
        file=name,
        sha256=sha256,
        form=form if form != "CSV" else f"CSV, {encoding}, {between} between cells",
        above=tuple(_line(row) for row in top[:header] if any(map(str.strip, row)))[:_MOST_ABOVE],
        header_row=header + 1,
        names=tuple(names[at] for at in shown),
        columns=tuple(columns[at] for at in shown),
        rows=tuple(rows),
        ragged=ragged,
        delimiter=delimiter,
    )


def _line(row: Sequence[str]) -> str:
    return clean_text(" ".join(row))[:200]


def _encoding(path: Path, name: str, said: str | None) -> str:
    if said:
        try:
            return codecs.lookup(said).name
        except LookupError:
            raise ImportRefused(f"'{shortened(said)}' is no encoding that is known") from None
    with path.open("rb") as opened:
        start = opened.read(4)
    for mark, encoding in _MARKS.items():
        if start.startswith(mark):
            return encoding
    bytes_of = np.zeros(256, np.int64)
    decoder, utf8 = codecs.getincrementaldecoder("utf-8")(), True
    with path.open("rb") as opened:
        while chunk := opened.read(1 << 20):
            bytes_of += np.bincount(np.frombuffer(chunk, np.uint8), minlength=256)
            utf8 = utf8 and _decodes(decoder, chunk)
    size = int(bytes_of.sum())
    if not size:
        raise ImportRefused(f"{name} is empty")
    if bytes_of[0]:
        raise ImportRefused(
            f"{name} is no text, or text in an encoding that nothing tells; save it as CSV in UTF-8"
        )
    if utf8 and _decodes(decoder, b"", final=True):
        return "utf-8"
    if bytes_of[128:].sum() > size * _MOST_OTHER:
        raise ImportRefused(
            f"{name} is not UTF-8, and too many of its letters are not English for windows-1252;"
            ' name its encoding (encoding = "..." in the profile, or --encoding)'
        )
    return "cp1252"


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def _delimiter(path: Path, encoding: str) -> str:
    """The one by which most rows of the top have the same number of cells, of more than one."""

    def evenness(delimiter: str) -> tuple[int, int]:
        with path.open(encoding=encoding, newline="") as opened:
            try:
                rows = list(islice(csv.reader(opened, delimiter=delimiter), _TOP))
            except csv.Error:
                return 0, 0
        widths = Counter(len(row) for row in rows if len(row) > 1)
        width, times = max(widths.items(), key=lambda one: one[0] * one[1], default=(0, 0))
        return times * min(width, 200), width

    return max(DELIMITERS, key=evenness)


def _header(
    top: Sequence[Sequence[str]], said: int | None, known: Callable[[str], bool], name: str
) -> int:
    if said is not None:
        if 1 <= said <= len(top) and any(map(str.strip, top[said - 1])):
            return said - 1
        raise ImportRefused(f"{name} has no header in row {said}")
    hits = [sum(known(cell) for cell in row if cell.strip()) for row in top]
    best = max(hits, default=0)
    if best >= _FEWEST:
        return hits.index(best)
    for at, row in enumerate(top[:-1]):
        cells = [cell.strip() for cell in row if cell.strip()]
        if (
            len(cells) > 1
            and len(set(cells)) == len(cells)
            and not any(any(letter.isdigit() for letter in cell[:1]) for cell in cells)
            and sum(1 for cell in top[at + 1] if cell.strip()) * 2 >= len(cells)
        ):
            return at
    raise ImportRefused(
        f"{name} has no row of column names among its first {_TOP}; say which row it is"
        " (header_row = 3 in the profile, or --header-row 3)"
    )


def _names(cells: Sequence[str], name: str) -> tuple[list[str], list[bool]]:
    """Names of all columns, told apart, and which of them the header names."""
    if len(cells) > MOST_COLUMNS:
        raise ImportRefused(f"{name} has {len(cells):,} columns; {MOST_COLUMNS:,} are read at most")
    names: list[str] = []
    for at, cell in enumerate(cells):
        plain = clean_text("".join(c if c.isprintable() else " " for c in cell))[:120]
        wanted, number = plain or f"Column {at + 1}", 2
        found = wanted
        while found in names:
            found, number = f"{wanted} ({number})", number + 1
        names.append(found)
    return names, [bool(cell.strip()) for cell in cells]


def _body(
    path: Path, encoding: str, delimiter: str, header: int, width: int, name: str
) -> tuple[list[pa.ChunkedArray], list[int], dict[int, str]]:
    chunks: list[list[pa.Array]] = [[] for _ in range(width)]
    numbers: list[int] = []
    ragged: dict[int, str] = {}
    with path.open(encoding=encoding, newline="") as opened:
        rows = enumerate(csv.reader(opened, delimiter=delimiter), 1)
        for part in _parts((number, row) for number, row in rows if number > header + 1):
            filled = [(number, row) for number, row in part if any(map(str.strip, row))]
            for number, row in filled:
                if len(row) != width:
                    if any(map(str.strip, row[width:])):
                        ragged[len(numbers)] = f"It has {len(row)} cells, the header {width}"
                    row[width:] = [""] * (width - len(row))
                numbers.append(number)
            if len(numbers) > MOST_ROWS or len(numbers) * width > MOST_CELLS:
                most = min(MOST_ROWS, MOST_CELLS // width)
                raise ImportRefused(f"{name} has more than {most:,} rows, the most that are read")
            for at, cells in enumerate(zip(*(row for _, row in filled), strict=True)):
                trimmed = pc.utf8_trim_whitespace(pa.array(cells, pa.string()))
                chunks[at].append(trimmed)
    if not numbers:
        raise ImportRefused(f"{name} has a header in row {header + 1} and no row below it")
    return [pa.chunked_array(parts, pa.string()) for parts in chunks], numbers, ragged


def _parts(rows: Iterable[tuple[int, list[str]]]) -> Iterator[list[tuple[int, list[str]]]]:
    left = iter(rows)
    while part := list(islice(left, _ROWS_AT_ONCE)):
        yield part
