"""The desk of one machine: a SQLite file, made on the first write.

A connection lives as long as one call, so that threads and processes share nothing but the file.
A write is one transaction that is on disk when the call returns.
"""

import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Final

from services.contract.errors import DeskUnavailable

from .migrations import scripts
from .sql import SqlDesk
from .transactions import Row

#: Shape of the file: `PRAGMA user_version` is the number of its last migration.
_SCRIPTS: Final = scripts("sqlite")
#: Seconds that a write waits for another one to end.
_PATIENCE: Final = 10.0


class SqliteDesk(SqlDesk):
    """What users write, in one file; see Desk. `clock` says what time it is, in UTC."""

    _written_order: ClassVar[str] = "rowid"

    def __init__(
        self, path: Path, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        super().__init__(clock)
        self._path = path

    def check(self) -> None:
        """Raises DeskUnavailable where no such file can be meant; nothing is made."""
        if not self._path.absolute().parent.is_dir():
            raise self._unwritable("there is no such folder")
        self._rows("SELECT name FROM sqlite_master", (), 0)

    def fault(self) -> DeskUnavailable | None:
        """See Desk."""
        if not self._path.exists():
            folder = next((one for one in self._path.parents if one.exists()), self._path.parent)
            if not folder.is_dir() or not _takes_files(folder):
                return self._unwritable("its folder takes no new file")
            return None
        try:
            with self._writing():
                return None
        except DeskUnavailable as error:
            return error

    def _rows(self, sql: str, values: Sequence[object], since: int) -> list[Row]:
        """See SqlDesk; nothing where nothing was written yet."""
        if not self._path.exists():
            return []
        try:
            try:
                return self._selected("mode=ro", sql, values, since)
            except sqlite3.OperationalError:
                # Where nothing can be written the file cannot be shared with a writer, only read.
                return self._selected("immutable=1", sql, values, since)
        except sqlite3.Error as error:
            raise self._unreadable(str(error)) from None

    def _selected(self, mode: str, sql: str, values: Sequence[object], since: int) -> list[Row]:
        address = f"{self._path.absolute().as_uri()}?{mode}"
        with closing(sqlite3.connect(address, uri=True, timeout=_PATIENCE)) as file:
            file.row_factory = sqlite3.Row
            if file.execute("PRAGMA user_version").fetchone()[0] < since:
                return []  # its tables are not made yet
            return _Transaction(file).rows(sql, values)

    @contextmanager
    def _writing(self) -> Iterator["_Transaction"]:
        """See SqlDesk."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            found = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise self._unwritable(str(error)) from None
        with closing(found) as file:
            file.row_factory = sqlite3.Row
            try:
                self._prepare(file)
                file.execute("BEGIN IMMEDIATE")
                yield _Transaction(file)
                file.execute("COMMIT")
            except sqlite3.OperationalError as error:
                raise self._unwritable(str(error)) from None
            except sqlite3.DatabaseError as error:
                raise self._unreadable(str(error)) from None

    def _prepare(self, file: sqlite3.Connection) -> None:
        """Brings the tables up to date. Raises DeskUnavailable for a younger file."""
        file.execute("PRAGMA synchronous = FULL")
        (found,) = file.execute("PRAGMA user_version").fetchone()
        if found > len(_SCRIPTS):
            raise self._unwritable("a newer Credit Atlas wrote it")
        if found == 0:
            file.execute("PRAGMA journal_mode = WAL")
        if found < len(_SCRIPTS):
            # One script, one transaction: two processes may prepare the file at once.
            script = "\n".join(_SCRIPTS[found:])
            file.executescript(
                f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {len(_SCRIPTS)};\nCOMMIT;"
            )

    def _unwritable(self, why: str) -> DeskUnavailable:
        return DeskUnavailable(
            f"Watches and notes cannot be written now ('{self._path}': {why}); see that this file "
            "and its folder can be written, or name another one in CREDIT_ATLAS_DESK"
        )

    def _unreadable(self, why: str) -> DeskUnavailable:
        return DeskUnavailable(
            f"Watches and notes cannot be read or written now ('{self._path}': {why}); put a "
            "backup in its place, or name another file in CREDIT_ATLAS_DESK"
        )


class _Transaction:
    """A connection on which a transaction has begun; SQLite lets one write at a time."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """See Transaction."""
        return [dict(row) for row in self._file.execute(sql, values)]

    def alone(self, owner: str) -> None:
        """See Transaction: nobody else writes meanwhile."""

    def steady(self) -> None:
        """See Transaction: nobody else writes meanwhile."""


def _takes_files(folder: Path) -> bool:
    probe = folder / f".desk-{secrets.token_hex(4)}"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True
