"""A copy of a desk as lines of JSON: a backup, and the way from SQLite to PostgreSQL and back.

The first line names the format, the last counts the rows: a file that was cut is refused. Between
them stands one row a line, with its table.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol, TextIO

from services.contract.errors import ImportRefused

Line = tuple[str, Mapping[str, Any]]
_FORMAT: Final = {"desk": 1}
#: Tables and their columns, in the order in which they are written; `entry` is given anew.
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "watches": ("owner", "source", "kind", "name", "since", "seen"),
    "notes": ("note_id", "source", "kind", "name", "author", "written_at", "body", "version",
              "changed_by", "changed_at"),
    "note_audit": ("note_id", "action", "by", "at", "version", "source", "kind", "name", "body"),
    "saved_searches": ("search_id", "owner", "source", "name", "page", "params", "shared", "found",
                       "saved_at", "version"),
    "audit": ("at", "by", "role", "action", "kind", "name", "source", "detail"),
}  # fmt: skip


class Copied(Protocol):
    """A desk that can be copied."""

    def everything(self) -> Iterator[Line]:
        """Every row with its table, as of one moment. Raises DeskUnavailable."""
        ...

    def fill(self, lines: Iterable[Line]) -> int:
        """Writes rows into an empty desk, all or none; how many.

        Raises ImportRefused where it holds anything; DeskUnavailable.
        """
        ...


def dump(desk: Copied, path: Path) -> int:
    """Writes a copy, in place of an earlier one once it is whole; how many rows.

    Only its owner can read the file: notes are not for everybody on a machine.
    """
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        # Path.open takes no opener.
        with open(unfinished, "w", encoding="utf-8", opener=_for_its_owner) as file:
            rows = _copied(desk, file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return rows


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _copied(desk: Copied, file: TextIO) -> int:
    rows = 0
    _write(file, _FORMAT)
    for table, row in desk.everything():
        _write(file, {"table": table, "row": {name: _plain(one) for name, one in row.items()}})
        rows += 1
    _write(file, {"rows": rows})
    return rows


def restore(path: Path, desk: Copied) -> int:
    """Fills an empty desk from a copy; how many rows. Raises ImportRefused, DeskUnavailable."""
    try:
        return desk.fill(list(_lines(path)))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ImportRefused(f"'{path}' is no copy of a desk") from None


def _lines(path: Path) -> Iterator[Line]:
    """The rows of a copy, checked against TABLES."""
    with path.open(encoding="utf-8") as file:
        if json.loads(file.readline()) != _FORMAT:
            raise ImportRefused(f"'{path}' is no copy of a desk that this Credit Atlas reads")
        rows = 0
        for line in file:
            found = json.loads(line)
            if "rows" in found:
                if found["rows"] != rows:
                    break
                return
            table, row = found["table"], found["row"]
            if tuple(row) != TABLES[table]:
                raise ImportRefused(f"'{path}' holds another kind of row in line {rows + 2}")
            rows += 1
            yield table, row
        raise ImportRefused(f"'{path}' is not whole: it ends after {rows:,} rows")


def _write(file: TextIO, line: Mapping[str, Any]) -> None:
    file.write(json.dumps(line) + "\n")


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
