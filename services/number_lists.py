"""Lists of loan numbers that somebody pasted or uploaded, as columns of texts."""

import csv
import io
import re
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused
from services.contract.loan_filter import MOST_NUMBERS
from services.importers.workbooks import PACKED, Bounds, as_csv

MOST_MEGABYTES: Final = 5
MOST_COLUMNS: Final = 200
MOST_ROWS: Final = 200_000
#: Of all columns together.
_MOST_CELLS: Final = 10 * MOST_NUMBERS
#: Characters of a number.
_LONGEST: Final = 200
_BOUNDS: Final = Bounds(
    unpacked=20 << 20,
    part=10 << 20,
    description=1 << 20,
    rows=MOST_ROWS,
    columns=MOST_COLUMNS,
    text=16 << 20,
    memory=512 << 20,
    seconds=5,
)
_BETWEEN: Final = re.compile(r"[,;\t\n]")
#: A process reads one workbook of numbers at a time: many large ones would take its memory.
_reading = threading.Lock()


def pasted(text: str) -> list[list[str]]:
    """Numbers one a line, or with commas, semicolons or tabs between: one column, or none.

    Raises ImportRefused for more than a set holds.
    """
    return _columns([cell] for cell in _BETWEEN.split("\n".join(text.splitlines())))


def uploaded(name: str, content: bytes, *, waits: Callable[[], object] = bool) -> list[list[str]]:
    """The columns of a CSV in UTF-8, or of the first visible sheet of a workbook.

    Cells in their order without white space around them; empty ones, and those too long for a
    number, are left out, and columns without any. `waits` is called while a workbook is read; what
    it raises ends that. Raises ImportRefused, one sentence.
    """
    if len(content) > MOST_MEGABYTES << 20:
        raise ImportRefused(f"{name} is larger than {MOST_MEGABYTES} MB")
    if not content.startswith(PACKED) and not name.casefold().endswith(".xlsx"):
        return _of_csv(name, content)
    while not _reading.acquire(timeout=0.1):
        waits()
    try:
        with tempfile.TemporaryDirectory(prefix="credit-atlas-numbers-") as folder:
            path = Path(folder) / "list.xlsx"
            path.write_bytes(content)
            with as_csv(path, name, _BOUNDS, waits=waits) as (found, _):
                return _of_csv(name, found.read_bytes())
    finally:
        _reading.release()


def _of_csv(name: str, content: bytes) -> list[list[str]]:
    try:
        return _columns(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")), name)
    except (UnicodeDecodeError, csv.Error):
        raise ImportRefused(f"{name} does not read as CSV in UTF-8") from None


def _columns(rows: Iterable[Sequence[str]], name: str = "The list") -> list[list[str]]:
    columns: list[list[str]] = [[] for _ in range(MOST_COLUMNS)]
    cells = 0
    for at, row in enumerate(rows):
        if len(row) > MOST_COLUMNS or at >= MOST_ROWS:
            unit, most = ("rows", MOST_ROWS) if at >= MOST_ROWS else ("columns", MOST_COLUMNS)
            raise ImportRefused(f"{name} has more than {most:,} {unit}; give its numbers alone")
        for column, value in zip(columns, row, strict=False):
            cell = value.strip()
            if cell and len(cell) <= _LONGEST and "\x00" not in cell:
                column.append(cell)
                cells += 1
                if len(column) > MOST_NUMBERS or cells > _MOST_CELLS:
                    raise ImportRefused(
                        f"{name} has more than {MOST_NUMBERS:,} numbers; give fewer"
                    )
    return [column for column in columns if column]
