"""The kinds of file of the package: which columns each has, and of which kind a sheet is.

A header says it. Without one, the columns and what stands in them say it, or the file is refused:
several kinds have nearly as many columns, and blank ones at the end are not in a spreadsheet.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused
from services.contract.schedule_al import NO_PROPERTY_TYPE, PAYMENT_STATUSES, PROPERTY_TYPES
from services.importers.base import Field, load_rules
from services.importers.cmbs.codes import LISTS
from services.importers.sheets import Sheet
from services.importers.values import amount_value, count_value, day_value, rate_value

#: Kind -> what a sentence calls it.
KINDS: Final = {
    "setup": "Loan Setup",
    "periodic": "Loan Periodic Update",
    "property": "Property",
    "financial": "Financial",
    "watchlist": "Servicer Watchlist",
}
#: Columns of a sheet without a header that a kind has at least and at most.
_WIDTHS: Final = {
    "setup": (60, 95),
    "periodic": (60, 153),
    "property": (13, 99),
    "financial": (9, 9),
}
_TITLE_ROWS: Final = 30
#: Rows of a sheet without a header that must read as their kind does.
_MOST_OF: Final = 0.9
#: Cells of a header that must be names of one kind's columns.
_HALF: Final = 0.5
_LEAST_NAMES: Final = 5
_STATE: Final = re.compile("[A-Z]{2}")
_LINE_ITEM: Final = re.compile(r"\d{3}[A-Z]+")
_AS_OF: Final = re.compile(r"\bas of:?\s+(\d{8}|\d{4}-\d\d-\d\d)\b", re.IGNORECASE)
_FORMER: Final = re.compile(r"\(\s*fka\b.*?\)|\(y/n(?:/s)?\)", re.IGNORECASE)
_ODD: Final = re.compile(r"[^a-z0-9#%$+]+")


@dataclass(frozen=True, slots=True)
class Line:
    """One record of a sheet: raw values by the name of their column."""

    row: int
    values: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Table:
    """A sheet whose kind is known."""

    kind: str
    lines: tuple[Line, ...]
    #: By a title above the header; None where there is none.
    as_of: date | None = None


@cache
def rules() -> Mapping[str, Mapping[str, Field]]:
    """Columns by kind and name, in the order of the standard."""
    return load_rules(Path(__file__).with_name("crefc_irp.toml"), tuple(KINDS), LISTS).fields


def table(sheet: Sheet, name: str) -> Table:
    """A sheet by its header, else by its columns. Raises ImportRefused, which calls it `name`."""
    headed = [
        (hits, kind, at)
        for at, row in enumerate(sheet.rows[:_TITLE_ROWS])
        for kind in KINDS
        if (hits := _names_in(row, kind))
    ]
    if headed:
        most = max(headed)[0]
        best = [(kind, at) for hits, kind, at in headed if hits == most]
        if len(best) > 1:
            raise _ambiguous(name, [kind for kind, _ in best])
        kind, at = best[0]
        return Table(kind, _lines(sheet, at + 1, _columns(sheet.rows[at], kind)), _dated(sheet, at))
    first = next((at for at, row in enumerate(sheet.rows) if sum(map(bool, row)) >= 3), 0)  # noqa: PLR2004
    rows = [row for row in sheet.rows[first:] if any(row)]
    fitting = [kind for kind in _WIDTHS if _fits(rows, kind)]
    if len(fitting) > 1:
        raise _ambiguous(name, fitting)
    if not fitting:
        width = max(map(_width, rows), default=0)
        raise ImportRefused(
            f"{name} has no header, and its {width:,} columns are those of no file of the package"
            f" that is read ({', '.join(KINDS.values())}); add the header row."
        )
    return Table(fitting[0], _lines(sheet, first, list(rules()[fitting[0]])), _dated(sheet, first))


def _ambiguous(name: str, kinds: Sequence[str]) -> ImportRefused:
    both = " and ".join(KINDS[kind] for kind in kinds)
    return ImportRefused(f"{name} reads as {both}; add the header row of the one that it is.")


def _folded(header: str) -> str:
    return _ODD.sub("", _FORMER.sub("", header).casefold())


@cache
def _by_header(kind: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name, field in rules()[kind].items():
        found |= {_folded(one): name for one in (name, *field.also)}
    return found


def _names_in(row: Sequence[str], kind: str) -> int:
    """How many columns of a kind a row names, 0 where it is not its header."""
    cells = [_folded(cell) for cell in row if cell]
    known = {found for cell in cells if (found := _by_header(kind).get(cell))}
    enough = len(known) >= _LEAST_NAMES and len(known) >= _HALF * len(cells)
    return len(known) if enough and "Loan ID" in known else 0


def _columns(header: Sequence[str], kind: str) -> list[str]:
    """The name of each column: the standard's, else as it is written there."""
    return [
        "EMPTY FIELD" if _folded(cell).startswith("emptyfield")
        else _by_header(kind).get(_folded(cell)) or cell or f"column {at} without a header"
        for at, cell in enumerate(header, 1)
    ]  # fmt: skip


def _lines(sheet: Sheet, start: int, columns: Sequence[str]) -> tuple[Line, ...]:
    found = []
    for at, row in enumerate(sheet.rows[start:], start + 1):
        values: dict[str, list[str]] = {}
        for place, cell in enumerate(row):
            if cell:
                name = columns[place] if place < len(columns) else f"column {place + 1}"
                values.setdefault(name, []).append(cell)
        if values:
            found.append(Line(at, values))
    return tuple(found)


def _dated(sheet: Sheet, above: int) -> date | None:
    cells = (cell for row in sheet.rows[:above] for cell in row)
    said = next((found for cell in cells if (found := _AS_OF.search(cell))), None)
    return day_value(said[1]) if said else None


def _width(row: Sequence[str]) -> int:
    return max((at for at, cell in enumerate(row, 1) if cell), default=0)


def _reads(convert: Callable[[str], object]) -> Callable[[str], bool]:
    def reads(cell: str) -> bool:
        try:
            convert(cell)
        except ValueError:
            return False
        return True

    return reads


def _shaped(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda cell: pattern.fullmatch(cell) is not None


def _one_of(*known: str) -> Callable[[str], bool]:
    return lambda cell: cell.upper() in known


_day, _amount, _rate, _count = map(_reads, (day_value, amount_value, rate_value, count_value))
_any: Callable[[str], bool] = bool
#: Kind -> column -> what every cell of it is; those of `_NEEDED` are never blank.
_CELLS: Final[Mapping[str, Mapping[int, Callable[[str], bool]]]] = {
    "setup": {
        5: _amount,
        6: _count,
        7: _count,
        8: _rate,
        10: _day,
        12: _one_of("Y", "N", "P"),
        13: _one_of("Y", "N"),
        43: _day,
        44: _amount,
        45: _rate,
    },
    "periodic": {
        5: _day,
        6: _amount,
        7: _amount,
        8: _day,
        10: _rate,
        11: _day,
        23: _amount,
        24: _amount,
        25: _amount,
        40: _one_of(*PAYMENT_STATUSES, "6"),
        41: _one_of("Y", "N"),
    },
    "property": {
        4: _any,
        5: _day,
        7: _any,
        10: _shaped(_STATE),
        13: _one_of(*PROPERTY_TYPES, NO_PROPERTY_TYPE),
    },
    "financial": {
        3: _any,
        4: _day,
        5: _day,
        6: str.isalpha,
        7: str.isalpha,
        8: _shaped(_LINE_ITEM),
        9: _amount,
    },
}
_NEEDED: Final = {
    "setup": (1, 3, 4, 5, 8, 43, 44),
    "periodic": (1, 3, 4, 5, 6, 7, 10),
    "property": (1, 3, 4, 5, 7, 13),
    "financial": (1, 2, 3, 4, 5, 6, 8, 9),
}


def _fits(rows: Sequence[Sequence[str]], kind: str) -> bool:
    least, most = _WIDTHS[kind]
    if not rows or not least <= max(map(_width, rows)) <= most:
        return False
    return sum(_is_of(row, kind) for row in rows) >= _MOST_OF * len(rows)


def _is_of(row: Sequence[str], kind: str) -> bool:
    def cell(column: int) -> str:
        return row[column - 1] if column <= len(row) else ""

    return all(map(cell, _NEEDED[kind])) and all(
        is_one(cell(column)) for column, is_one in _CELLS[kind].items() if cell(column)
    )
