"""The desk of one machine: a SQLite file, made on the first write.

A connection lives as long as one call, so that threads and processes share nothing but the file.
A write is one transaction that is on disk when the call returns.
"""

import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from services.contract.desk import MOST_WATCHED, Note, NoteEvent, Seen, Subject, Watch, note_text
from services.contract.errors import DeskUnavailable, InvalidRequest, NoteConflict, NotFound

T = TypeVar("T")
#: Shape of the file: `PRAGMA user_version`.
_FORMAT: Final = 1
_SCHEMA: Final = (Path(__file__).parent / "schema.sql").read_text(encoding="utf-8")
#: Seconds that a write waits for another one to end.
_PATIENCE: Final = 10.0
_NOTE: Final = (
    "note_id, source, kind, name, author, written_at, body, version, changed_by, changed_at"
)
_OF_SUBJECT: Final = "source = ? AND kind = ? AND name = ?"


class SqliteDesk:
    """Watches and notes in one file; see Desk. `clock` says what time it is, in UTC."""

    def __init__(
        self, path: Path, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._path = path
        self._clock = clock

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

    def watch(self, owner: str, subject: Subject, seen: Seen | None) -> None:
        """See Desk."""
        with self._writing() as desk:
            desk.execute(
                "INSERT INTO watches VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (owner, *_key(subject), self._now(), seen and seen.model_dump_json()),
            )
            sql = "SELECT count(*) FROM watches WHERE owner = ? AND source = ?"
            if desk.execute(sql, (owner, subject.source)).fetchone()[0] > MOST_WATCHED:
                raise InvalidRequest(
                    f"{MOST_WATCHED} loans and parties are watched already; stop watching some"
                )

    def unwatch(self, owner: str, subject: Subject) -> None:
        """See Desk."""
        with self._writing() as desk:
            sql = f"DELETE FROM watches WHERE owner = ? AND {_OF_SUBJECT}"
            desk.execute(sql, (owner, *_key(subject)))

    def watched(self, owner: str, source: str) -> tuple[Watch, ...]:
        """See Desk."""
        return self._read(
            "SELECT source, kind, name, since, seen FROM watches WHERE owner = ? AND source = ? "
            "ORDER BY kind, name",
            (owner, source),
            _watch,
        )

    def see(self, owner: str, seen: Mapping[Subject, Seen]) -> None:
        """See Desk."""
        with self._writing() as desk:
            desk.executemany(
                f"UPDATE watches SET seen = ? WHERE owner = ? AND {_OF_SUBJECT}",
                [(one.model_dump_json(), owner, *_key(of)) for of, one in seen.items()],
            )

    def add_note(self, owner: str, subject: Subject, body: str) -> Note:
        """See Desk."""
        now = self._now()
        values = (
            *(secrets.token_hex(8), *_key(subject), owner, now),
            *(note_text(body), 1, owner, now),
        )
        with self._writing() as desk:
            sql = f"INSERT INTO notes ({_NOTE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *"
            note = _note(desk.execute(sql, values).fetchone())
            _audit(desk, "add", note)
        return note

    def edit_note(self, owner: str, note_id: str, version: int, body: str) -> Note:
        """See Desk."""
        written = note_text(body)
        with self._writing() as desk:
            _standing(desk, note_id, version)
            sql = (
                "UPDATE notes SET body = ?, version = version + 1, changed_by = ?, changed_at = ? "
                "WHERE note_id = ? AND version = ? RETURNING *"
            )
            values = (written, owner, self._now(), note_id, version)
            note = _note(desk.execute(sql, values).fetchone())
            _audit(desk, "edit", note)
        return note

    def delete_note(self, owner: str, note_id: str, version: int) -> None:
        """See Desk."""
        with self._writing() as desk:
            note = _standing(desk, note_id, version)
            deleted = {"changed_by": owner, "changed_at": datetime.fromisoformat(self._now())}
            _audit(desk, "delete", note.model_copy(update=deleted))
            sql = "DELETE FROM notes WHERE note_id = ? AND version = ?"
            desk.execute(sql, (note_id, version))

    def notes_of(self, subject: Subject) -> tuple[Note, ...]:
        """See Desk."""
        sql = f"SELECT {_NOTE} FROM notes WHERE {_OF_SUBJECT} ORDER BY written_at, rowid"
        return self._read(sql, _key(subject), _note)

    def audit_of(self, subject: Subject) -> tuple[NoteEvent, ...]:
        """See Desk."""
        return self._read(
            f"SELECT note_id, action, by, at, version, body FROM note_audit WHERE {_OF_SUBJECT} "
            "ORDER BY entry",
            _key(subject),
            lambda row: NoteEvent(**dict(row)),
        )

    def _now(self) -> str:
        return self._clock().isoformat(timespec="microseconds")

    def _read(
        self, sql: str, values: tuple[object, ...], made: Callable[[sqlite3.Row], T]
    ) -> tuple[T, ...]:
        """What the rows of a statement are made into; nothing where nothing was written yet."""
        if not self._path.exists():
            return ()
        try:
            try:
                rows = self._rows("mode=ro", sql, values)
            except sqlite3.OperationalError:
                # Where nothing can be written the file cannot be shared with a writer, only read.
                rows = self._rows("immutable=1", sql, values)
            return tuple(map(made, rows))
        except (sqlite3.Error, ValueError) as error:
            raise self._unreadable(error) from None

    def _rows(self, mode: str, sql: str, values: tuple[object, ...]) -> list[sqlite3.Row]:
        address = f"{self._path.absolute().as_uri()}?{mode}"
        with closing(sqlite3.connect(address, uri=True, timeout=_PATIENCE)) as desk:
            desk.row_factory = sqlite3.Row
            if desk.execute("PRAGMA user_version").fetchone()[0] == 0:
                return []  # its tables are not made yet
            return desk.execute(sql, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, on disk when the block has ended; undone by any error."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            found = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise self._unwritable(str(error)) from None
        with closing(found) as desk:
            desk.row_factory = sqlite3.Row
            try:
                self._prepare(desk)
                desk.execute("BEGIN IMMEDIATE")
                yield desk
                desk.execute("COMMIT")
            except sqlite3.OperationalError as error:
                raise self._unwritable(str(error)) from None
            except sqlite3.DatabaseError as error:
                raise self._unreadable(error) from None

    def _prepare(self, desk: sqlite3.Connection) -> None:
        """Makes the tables of a new file. Raises DeskUnavailable for a younger file."""
        desk.execute("PRAGMA synchronous = FULL")
        (found,) = desk.execute("PRAGMA user_version").fetchone()
        if found > _FORMAT:
            raise self._unwritable("a newer Credit Atlas wrote it")
        if found == 0:
            desk.execute("PRAGMA journal_mode = WAL")
            # One script, one transaction: two processes may make the file at once.
            desk.executescript(
                f"BEGIN IMMEDIATE;\n{_SCHEMA}\nPRAGMA user_version = {_FORMAT};\nCOMMIT;"
            )

    def _unwritable(self, why: str) -> DeskUnavailable:
        return DeskUnavailable(
            f"Watches and notes cannot be written now ('{self._path}': {why}); see that this file "
            "and its folder can be written, or name another one in CREDIT_ATLAS_DESK"
        )

    def _unreadable(self, error: Exception) -> DeskUnavailable:
        why = str(error) if isinstance(error, sqlite3.Error) else "an entry does not read"
        return DeskUnavailable(
            f"Watches and notes cannot be read or written now ('{self._path}': {why}); put a "
            "backup in its place, or name another file in CREDIT_ATLAS_DESK"
        )


def _takes_files(folder: Path) -> bool:
    probe = folder / f".desk-{secrets.token_hex(4)}"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


def _key(subject: Subject) -> tuple[str, str, str]:
    return subject.source, subject.kind, subject.name


def _subject(row: sqlite3.Row) -> Subject:
    return Subject(source=row["source"], kind=row["kind"], name=row["name"])


def _watch(row: sqlite3.Row) -> Watch:
    seen = Seen.model_validate_json(row["seen"]) if row["seen"] else None
    return Watch(subject=_subject(row), since=row["since"], seen=seen)


def _note(row: sqlite3.Row) -> Note:
    values: dict[str, Any] = dict(row)
    del values["source"], values["kind"], values["name"]
    return Note(subject=_subject(row), **values)


def _standing(desk: sqlite3.Connection, note_id: str, version: int) -> Note:
    """The note, if this version of it stands. Raises NotFound, NoteConflict."""
    row = desk.execute(f"SELECT {_NOTE} FROM notes WHERE note_id = ?", (note_id,)).fetchone()
    if row is None:
        raise NotFound("This note was deleted meanwhile")
    note = _note(row)
    if note.version != version:
        raise NoteConflict(
            f"{note.changed_by} has changed this note meanwhile",
            body=note.body,
            version=note.version,
        )
    return note


def _audit(desk: sqlite3.Connection, action: str, note: Note) -> None:
    desk.execute(
        "INSERT INTO note_audit (note_id, action, by, at, version, source, kind, name, body) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(note.note_id, action, note.changed_by, note.changed_at.isoformat(), note.version),
            *(*_key(note.subject), note.body),
        ),
    )
