"""A copy of a desk as lines of JSON: a backup, and the way from SQLite to PostgreSQL and back.

The first line names the format, the last counts the rows and holds the head of each table: a file
that was cut or changed is refused. Between them stands one row a line, with its table.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol, TextIO

from services.contract.errors import ImportRefused

Line = tuple[str, Mapping[str, Any]]
_FORMAT: Final = {"desk": 2}
#: Of before there were heads: read, and sealed as it is.
_OLDER: Final = {"desk": 1}
#: In place of a table, at the end: what each table held in all.
HEADS: Final = "heads"
#: Tables and their columns, in the order in which they are written; `entry` is numbered again.
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "watches": ("owner", "source", "kind", "name", "since", "seen"),
    "notes": ("note_id", "source", "kind", "name", "author", "written_at", "body", "version",
              "changed_by", "changed_at"),
    "note_audit": ("note_id", "action", "by", "at", "version", "source", "kind", "name", "body"),
    "saved_searches": ("search_id", "owner", "source", "name", "page", "params", "shared", "found",
                       "saved_at", "version"),
    "verdicts": ("kind", "first", "second", "verdict", "by", "at"),
    "cases": ("case_id", "source", "name", "state", "assignee", "due", "reason", "steps", "closing",
              "worst", "as_of", "clean", "origin", "opened_by", "opened_at", "changed_by",
              "changed_at", "version"),
    "feeds": ("token_hash", "owner", "made_at"),
    "audit": ("at", "by", "role", "action", "kind", "name", "source", "detail"),
}  # fmt: skip


class Copied(Protocol):
    """A desk that can be copied."""

    def everything(self, *, damaged: bool = False) -> Iterator[Line]:
        """Every row with its table, as of one moment; the heads come last. Nobody who writes waits
        for it.

        Raises DeskUnavailable, also for a desk that is damaged, unless `damaged`.
        """
        ...

    def fill(self, lines: Iterable[Line]) -> int:
        """Writes rows into an empty desk, all or none; how many.

        Raises ImportRefused where it holds anything, and for rows that are not what their heads
        say; DeskUnavailable.
        """
        ...


def dump(desk: Copied, path: Path, *, damaged: bool = False) -> int:
    """Writes a copy, in place of an earlier one once it is whole; how many rows.

    A damaged desk is copied if `damaged`: it would take the place of a copy that is not. Only its
    owner can read the file: notes are not for everybody on a machine.
    """
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        # Path.open takes no opener.
        with open(unfinished, "w", encoding="utf-8", opener=_for_its_owner) as file:
            rows = _copied(desk.everything(damaged=damaged), file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return rows


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _copied(lines: Iterable[Line], file: TextIO) -> int:
    rows, heads = 0, {}
    _write(file, _FORMAT)
    for table, row in lines:
        if table == HEADS:
            heads = {HEADS: row}
            continue
        _write(file, {"table": table, "row": {name: _plain(one) for name, one in row.items()}})
        rows += 1
    _write(file, {"rows": rows, **heads})
    return rows


def restore(path: Path, desk: Copied, *, damaged: bool = False) -> int:
    """Fills an empty desk from a copy; how many rows.

    One that is not as it was written is taken as it reads if `damaged`. Raises ImportRefused,
    DeskUnavailable.
    """
    try:
        return desk.fill([line for line in _lines(path) if line[0] != HEADS or not damaged])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ImportRefused(f"'{path}' is no copy of a desk") from None


def _lines(path: Path) -> Iterator[Line]:
    """The rows of a copy, checked against TABLES."""
    with path.open(encoding="utf-8") as file:
        written = json.loads(file.readline())
        if written not in (_FORMAT, _OLDER):
            raise ImportRefused(f"'{path}' is no copy of a desk that this Credit Atlas reads")
        rows = 0
        for line in file:
            found = json.loads(line)
            if "rows" in found:
                if found["rows"] != rows:
                    break
                if written == _FORMAT:
                    yield HEADS, {table: found[HEADS][table] for table in TABLES}
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
