"""Files of records whose columns are known by name: which kind a file is of, and its records."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused
from services.importers.base import Facts, Field, RecordRejected, Row
from services.importers.reading import digest
from services.importers.sheets import Sheet, sheets
from services.importers.ties import Place, Rejects
from services.importers.values import clean_text

#: Rows from the top among which the header is looked for: titles may stand above it.
_TOP: Final = 30
_SUFFIXES: Final = frozenset({".csv", ".txt", ".xlsx"})
_ODD: Final = re.compile(r"[^a-z0-9#%$]+")

#: Columns by kind of file and name.
Kinds = Mapping[str, Mapping[str, Field]]


@dataclass(frozen=True, slots=True)
class Line:
    """One record."""

    #: Its row, as a spreadsheet shows it: "row 12".
    place: str
    #: By the rules' name of the column, else by the file's.
    values: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Records:
    """The records of one kind in one file."""

    kind: str
    file: str
    path: Path
    sha256: str
    lines: tuple[Line, ...]

    def read(
        self,
        fields: Mapping[str, Field],
        ignored: Collection[str],
        take: Callable[[Facts, Place], None],
        *,
        rejects: Rejects,
        unmapped: Counter[str],
    ) -> None:
        """Hands the facts of each record to `take`; a record that does not read, or that `take`
        raises ValueError for, is a row of `rejects`.
        """
        for line in self.lines:
            record = f"{self.file}, {line.place}"
            row = Row(record, line.values)
            try:
                facts = row.facts(fields, unmapped)
                row.close(ignored, unmapped)
            except RecordRejected as bad:
                rejects.append((bad.record, bad.reason))
                continue
            with rejects.of(record):
                take(facts, Place(self.file, line.place))


def records(
    paths: Sequence[Path],
    kinds: Kinds,
    needs: Mapping[str, Sequence[str]],
    *,
    blanks: Container[str] = (),
) -> list[Records]:
    """The records of files, or of the CSV, TXT and XLSX files of folders, in their order.

    A sheet is of the kind of which its header has most columns, among these all that the kind
    `needs`. `blanks` are texts that say nothing. Raises ImportRefused for a file of no kind, or one
    without a record.
    """
    found = []
    for path in _files(paths):
        of_path = [one for sheet in sheets(path) if (one := _of(sheet, path, kinds, needs, blanks))]
        if not of_path:
            asked = "; or ".join(f"{kind}: {', '.join(names)}" for kind, names in needs.items())
            raise ImportRefused(f"{path.name} has no header with the columns of a kind ({asked}).")
        if not any(one.lines for one in of_path):
            raise ImportRefused(f"{path.name} has a header and no record below it.")
        found += of_path
    return found


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        inside = sorted(one for one in path.iterdir() if one.suffix.lower() in _SUFFIXES)
        if not inside:
            raise ImportRefused(f"the folder {path.resolve().name} holds no CSV, TXT or XLSX file.")
        yield from inside


def _of(
    sheet: Sheet,
    path: Path,
    kinds: Kinds,
    needs: Mapping[str, Sequence[str]],
    blanks: Container[str],
) -> Records | None:
    best = max(
        (
            (len(known), kind, at)
            for at, row in enumerate(sheet.rows[:_TOP])
            for kind, fields in kinds.items()
            if (known := _known(row, fields)).issuperset(needs[kind])
        ),
        default=None,
    )
    if best is None:
        return None
    _, kind, at = best
    names = _names(sheet.rows[at], kinds[kind])
    lines = tuple(
        Line(f"row {number}", _values(names, row, blanks))
        for number, row in enumerate(sheet.rows[at + 1 :], at + 2)
        if any(row)
    )
    return Records(kind, path.name, path, digest(path.read_bytes()), lines)


def _values(
    names: Sequence[str], row: Sequence[str], blanks: Container[str]
) -> dict[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for at, cell in enumerate(row):
        text = clean_text(cell)
        if text and text not in blanks:
            name = names[at] if at < len(names) else "(beyond the header)"
            found.setdefault(name, []).append(text)
    return dict(found)


def _folded(header: str) -> str:
    return _ODD.sub("", header.casefold())


def _by_header(fields: Mapping[str, Field]) -> dict[str, str]:
    return {
        _folded(spelling): name
        for name, field in fields.items()
        for spelling in (name, *field.also)
    }


def _known(row: Sequence[str], fields: Mapping[str, Field]) -> set[str]:
    by_header = _by_header(fields)
    return {by_header[one] for cell in row if (one := _folded(cell)) in by_header}


def _names(header: Sequence[str], fields: Mapping[str, Field]) -> list[str]:
    by_header = _by_header(fields)
    return [
        by_header.get(_folded(cell)) or clean_text(cell) or f"column {at} without a header"
        for at, cell in enumerate(header, 1)
    ]
