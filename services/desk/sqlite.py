"""The desk of one machine: a SQLite file, made on the first write.

A connection lives as long as one call, so that threads and processes share nothing but the file.
A write is one transaction that is on disk when the call returns.
"""

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import ClassVar, Final

from services.contract.errors import DeskUnavailable

from . import head
from .migrations import scripts
from .seals import Head
from .sql import SqlDesk
from .tables import SEALED_SINCE, Answers, of_version
from .transactions import Question, Row
from .verifying import damages
from .writing import seal_all

#: Shape of the file: `PRAGMA user_version` is the number of its last migration.
_SCRIPTS: Final = scripts("sqlite")
#: Seconds that a write waits for another one to end, and a page to read.
_PATIENCE: Final = 10.0
_READING_PATIENCE: Final = 0.5
_TRY_EVERY: Final = 0.01
#: Why a file does not open: where nothing can be written, what readers share cannot be made.
_CANNOT_SHARE: Final = ("SQLITE_CANTOPEN", "SQLITE_READONLY")


class SqliteDesk(SqlDesk):
    """What users write, in one file; see Desk. `clock` says what time it is, in UTC."""

    _written_order: ClassVar[str] = "rowid"

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        most_a_minute: int | None = None,
    ) -> None:
        super().__init__(str(path.absolute()), clock, most_a_minute)
        self._path = path

    def check(self) -> None:
        """Raises DeskUnavailable where no such file can be meant; nothing is made."""
        if not self._path.absolute().parent.is_dir():
            raise self._unwritable("there is no such folder")
        if self._path.is_dir():
            raise self._unwritable("it is a folder")
        self._version_now()

    @property
    def shown(self) -> str:
        """Which file it is."""
        return f"'{self._path}'"

    def _asked(self, questions: Sequence[Question], *, to_write: bool = False) -> Answers:
        """See SqlDesk; nothing where nothing was written yet."""
        if not self._path.exists():
            self._nothing_lost(0)
            return Answers([[] for _ in questions], self._no_file() if to_write else None)
        with self._reading() as (file, version):
            self._nothing_lost(version)
            rows = [
                _Transaction(file).rows(of_version(one, version), one.values)
                if version >= one.since
                else []
                for one in questions
            ]
        return Answers(rows, self._no_write(version) if to_write else None)

    def _no_file(self) -> DeskUnavailable | None:
        folder = next((one for one in self._path.parents if one.exists()), self._path.parent)
        if not folder.is_dir() or not _takes_files(folder):
            return self._unwritable("its folder takes no new file")
        return None

    def _no_write(self, version: int) -> DeskUnavailable | None:
        """Why the file takes no write, as far as can be said without writing."""
        if version > len(_SCRIPTS):
            return self._unwritable("a newer Credit Atlas wrote it")
        if not (_writable(self._path) and _writable(self._path.parent)):
            return self._unwritable("it is read-only here")
        return None

    def _nothing_lost(self, version: int) -> None:
        """Raises DeskUnavailable where a file that is missing or empty held something."""
        if version >= SEALED_SINCE or not head.place(self._path).exists():
            return
        # Another process may have brought the file up to date since its version was read. It keeps
        # the head after that is written, so the version of now tells.
        if self._version_now() < SEALED_SINCE:
            raise self._unreadable("what was written is not there")

    def _version_now(self) -> int:
        """0 without a file. Raises DeskUnavailable where it does not read."""
        if not self._path.exists():
            return 0
        with self._reading() as (_, version):
            return version

    @contextmanager
    def _reading(self) -> Iterator[tuple[sqlite3.Connection, int]]:
        """The file as of one moment, and its version. Nobody who writes waits for it."""
        address = self._path.absolute().as_uri()
        try:
            try:
                file = _opened(f"{address}?mode=ro")
            except sqlite3.OperationalError as error:
                if not error.sqlite_errorname.startswith(_CANNOT_SHARE):
                    raise
                self._nothing_beside()
                # Where nothing can be written the file cannot be shared with a writer, only read.
                file = _opened(f"{address}?immutable=1")
            with closing(file):
                yield file, _version(file)
        except sqlite3.Error as error:
            fault = self._unreadable(str(error))
            if not isinstance(error, sqlite3.OperationalError):  # no file of SQLite's any more
                self._health.found(fault)
            raise fault from None

    def _nothing_beside(self) -> None:
        """Raises DeskUnavailable where the newest writes stand in the log beside the file."""
        log = self._path.with_name(f"{self._path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise self._unreadable(
                f"the newest writes stand in '{log.name}' beside it, which is read only where this "
                "folder can be written"
            )

    @contextmanager
    def _moment(self) -> Iterator["_Transaction"]:
        """See SqlDesk."""
        with self._reading() as (file, _):
            yield _Transaction(file)

    @contextmanager
    def _transaction(self) -> Iterator["_Transaction"]:
        """See SqlDesk."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            found = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise self._unwritable(str(error)) from None
        with closing(found) as file:
            _read_as_rows(file)
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
        found = _version(file)
        if found > len(_SCRIPTS):
            raise self._unwritable("a newer Credit Atlas wrote it")
        self._nothing_lost(found)
        _write_ahead(file)
        if found == len(_SCRIPTS):
            return
        file.execute("BEGIN IMMEDIATE")
        for number, script in enumerate(_SCRIPTS, 1):
            # Asked again, now that nobody else writes: two processes may prepare one file at once.
            if number > _version(file):
                for statement in _statements(script):
                    file.execute(statement)
                if number == SEALED_SINCE:
                    seal_all(_Transaction(file))
                file.execute(f"PRAGMA user_version = {number}")
        file.execute("COMMIT")

    def _up_to_date(self) -> None:
        """See SqlDesk."""
        if self._version_now() >= len(_SCRIPTS):
            return
        with self._transaction():
            pass

    def _damages(self) -> tuple[list[str], Mapping[str, int]]:
        """See SqlDesk: also the file's own structure, and what is kept beside it."""
        if not self._path.exists():
            self._nothing_lost(0)
            return [], {}
        try:
            kept, found = head.read(self._path), []
        except ValueError:
            kept, found = None, [f"'{head.place(self._path).name}' is not as it was written"]
        with self._reading() as (file, version):
            self._nothing_lost(version)
            said = [row[0] for row in file.execute("PRAGMA integrity_check(3)")]
            found += [" ".join(one.split()) for one in said if one != "ok"]
            if version <= len(_SCRIPTS) and not _made_by(version) <= _shape(file):
                found.append("its tables are not as they were made")
            if found or version != len(_SCRIPTS):
                return found, {}
            return damages(_Transaction(file), kept)

    def _kept(self, newest: Head) -> None:
        """See SqlDesk."""
        head.keep(self._path, newest)

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

    def _damaged(self, what: str) -> DeskUnavailable:
        name = self._path.name
        return DeskUnavailable(
            f"Watches and notes are damaged and cannot be written now ('{self._path}': {what}); "
            f"what still reads is shown; move '{name}' and all '{name}-...' away and run "
            "'creditatlas desk restore' with a backup, or name another file in CREDIT_ATLAS_DESK"
        )


class _Transaction:
    """A connection on which a transaction has begun; SQLite lets one write at a time."""

    locking = ""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """See Transaction."""
        return [dict(row) for row in self._file.execute(sql, values)]

    def many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """See Transaction."""
        self._file.executemany(sql, values)

    def alone(self, owner: str) -> None:
        """See Transaction: nobody else writes meanwhile."""


def _opened(address: str) -> sqlite3.Connection:
    """A connection that has begun to read."""
    file = sqlite3.connect(address, uri=True, timeout=_READING_PATIENCE, isolation_level=None)
    try:
        _read_as_rows(file)
        file.execute("BEGIN")
        file.execute("SELECT count(*) FROM sqlite_master")
    except BaseException:
        file.close()
        raise
    return file


def _read_as_rows(file: sqlite3.Connection) -> None:
    file.row_factory = sqlite3.Row
    # A damaged letter is one letter: the digest of its row tells, and the rest of it is read.
    file.text_factory = lambda text: text.decode(errors="replace")


def _write_ahead(file: sqlite3.Connection) -> None:
    """Lets readers and a writer in at once; a copy that was put here may have another mode.

    While another connection writes, SQLite refuses this change at once, whatever its timeout, so
    the wait is here. Nothing changes in a file that has this mode already.
    """
    ends = monotonic() + _PATIENCE
    while True:
        try:
            file.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > ends:
                raise
            sleep(_TRY_EVERY)
        else:
            return


def _version(file: sqlite3.Connection) -> int:
    found: int = file.execute("PRAGMA user_version").fetchone()[0]
    return found


def _statements(script: str) -> Iterator[str]:
    """The statements of a script; one ends with a line."""
    said = ""
    for line in script.splitlines():
        said += f"{line}\n"
        if sqlite3.complete_statement(said):
            yield said
            said = ""


def _shape(file: sqlite3.Connection) -> frozenset[tuple[str, ...]]:
    """Tables, indices and triggers by name, and how they were made."""
    rows = file.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
    return frozenset((*row[:3], " ".join(row[3].split())) for row in rows)


@cache
def _made_by(version: int) -> frozenset[tuple[str, ...]]:
    """What the migrations up to this one make."""
    with closing(sqlite3.connect(":memory:")) as file:
        for script in _SCRIPTS[:version]:
            file.executescript(script)
        return _shape(file)


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _takes_files(folder: Path) -> bool:
    probe = folder / f".desk-{secrets.token_hex(4)}"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True
