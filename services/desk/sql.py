"""The desk in the SQL that SQLite and PostgreSQL share: one meaning, whichever holds the rows.

Compare and swap: a row is read "where the version still stands" and locked, so that two sessions
cannot both pass; why one did not pass is asked afterwards, in the same transaction.
"""

import secrets
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import ClassVar, Final, Literal

from services.contract import desk as contract
from services.contract.audit import AuditAction, Deed
from services.contract.desk import Note, NoteEvent, OnSubject, Seen, Subject, Watch, note_text
from services.contract.errors import (
    DeskUnavailable,
    ImportRefused,
    InvalidRequest,
    NoteConflict,
    NotFound,
)
from services.contract.users import name_key

from .audit import deed_on
from .cases import case_of, case_on
from .copying import HEADS, TABLES, Line
from .feeds import SqlFeeds
from .seals import CHAINED, Head, plain, row_of
from .searches import SEARCHES_SINCE
from .tables import MINE
from .transactions import Question, Row, Transaction
from .writing import Writing, heads

#: What is done to a note, in the audit of all writes.
_NOTED: Final[Mapping[str, AuditAction]] = {
    "add": "add_note",
    "edit": "edit_note",
    "delete": "delete_note",
}
_EVENT: Final = "note_id, action, by, at, version, body"
_OF_SUBJECT: Final = "source = ? AND kind = ? AND name = ?"
#: Of a source, what stands on a watchlist.
_LISTED: Final = "source = ? AND kind <> 'book'"


class SqlDesk(SqlFeeds):
    """What users write, in tables, each write with its entry in the audit; see Desk and Audit."""

    #: Numbers notes in the order in which they were written.
    _written_order: ClassVar[str]

    def fault(self) -> DeskUnavailable | None:
        """See Desk."""
        try:
            fault = self._asked((), to_write=True).fault
        except DeskUnavailable as error:
            return error
        self.verify_soon()
        return self._health.damage or fault

    def verify_soon(self) -> None:
        """See Desk."""
        self._health.look(self.verify)

    def verify(self) -> Mapping[str, int]:
        """See Desk."""
        found, rows = self._damages()
        damage = self._damaged("; ".join(found)) if found else None
        self._health.found(damage)
        if damage:
            raise damage
        return rows

    def on_subject(self, owner: str, subject: Subject) -> OnSubject:
        """See Desk."""
        sql = f"SELECT * FROM watches WHERE {MINE} AND {_OF_SUBJECT} ORDER BY since"
        watched = Question(sql, (name_key(owner), *_key(subject)))
        questions = (watched, self._notes_on(subject), _events_on(subject), case_on(subject))
        found = self._asked(questions, to_write=True)
        watches, notes, events, cases = found.rows
        watch = self._made(_of(owner, watches), _watch, "watches")
        written = self._made(notes, _note, "notes")
        self.verify_soon()
        return OnSubject(
            watch=watch[0] if watch else None,
            notes=written,
            events=self._made(events, lambda row: NoteEvent(**row)),
            fault=self._health.damage or found.fault,
            case=next(iter(self._made(cases, case_of, "cases")), None),
        )

    def watch(self, owner: str, subject: Subject, seen: Seen | None) -> None:
        """See Desk."""
        with self._writing() as desk:
            desk.desk.alone(name_key(owner))
            sql = f"SELECT 1 AS found FROM watches WHERE {MINE} AND {_OF_SUBJECT}"
            if desk.desk.rows(sql, (name_key(owner), *_key(subject))):
                return
            row = row_of("watches", owner, *_key(subject), self._now(),
                       seen and seen.model_dump_json())  # fmt: skip
            desk.put("watches", row)
            self._recorded(desk, owner, deed_on("watch", subject))
            sql = f"SELECT count(*) AS found FROM watches WHERE {MINE} AND {_LISTED}"
            values = (name_key(owner), subject.source)
            if desk.desk.rows(sql, values)[0]["found"] > contract.MOST_WATCHED:
                raise InvalidRequest(
                    f"{contract.MOST_WATCHED} loans and parties are watched already; stop watching"
                    " some"
                )

    def unwatch(self, owner: str, subject: Subject) -> None:
        """See Desk."""
        with self._writing() as desk:
            found = _watches(desk.desk, owner, subject)
            for row in found:
                desk.drop("watches", row)
            if found:
                self._recorded(desk, owner, deed_on("unwatch", subject))

    def watched(self, owner: str, source: str) -> tuple[Watch, ...]:
        """See Desk."""
        sql = f"SELECT * FROM watches WHERE {MINE} AND {_LISTED} ORDER BY kind, name, since DESC"
        rows = _of(owner, self._rows(sql, (name_key(owner), source)))
        # Once for each, where its owner was spelled in several ways.
        once = {(row["kind"], row["name"]): row for row in rows}
        return self._made(list(once.values()), _watch, "watches")

    def see(self, owner: str, seen: Mapping[Subject, Seen]) -> None:
        """See Desk."""
        with self._writing() as desk:
            marked = []
            # In one order whoever writes, or two of them could wait for each other.
            for subject in sorted(seen, key=_key):
                found = _watches(desk.desk, owner, subject)
                for row in found:
                    now = plain("watches", row) | {"seen": seen[subject].model_dump_json()}
                    desk.put("watches", now, instead_of=row)
                marked += [subject] if found else []
            if marked:
                self._recorded(desk, owner, _seen_of(marked))

    def add_note(self, owner: str, subject: Subject, body: str) -> Note:
        """See Desk."""
        now = self._now()
        row = row_of("notes", secrets.token_hex(8), *_key(subject), owner, now, note_text(body), 1,
                   owner, now)  # fmt: skip
        with self._writing() as desk:
            desk.put("notes", row)
            self._noted(desk, "add", owner, row)
        return _note(row)

    def edit_note(self, owner: str, note_id: str, version: int, body: str) -> Note:
        """See Desk."""
        written = note_text(body)
        with self._writing() as desk:
            before = _standing_note(desk.desk, note_id, version)
            changed = {"body": written, "version": version + 1, "changed_by": owner}
            row = plain("notes", before) | changed | {"changed_at": self._now()}
            desk.put("notes", row, instead_of=before)
            self._noted(desk, "edit", owner, row)
        return _note(row)

    def delete_note(self, owner: str, note_id: str, version: int) -> None:
        """See Desk."""
        with self._writing() as desk:
            before = _standing_note(desk.desk, note_id, version)
            desk.drop("notes", before)
            row = plain("notes", before) | {"changed_by": owner, "changed_at": self._now()}
            self._noted(desk, "delete", owner, row)

    def notes_of(self, subject: Subject) -> tuple[Note, ...]:
        """See Desk."""
        return self._made(self._asked([self._notes_on(subject)]).rows[0], _note, "notes")

    def audit_of(self, subject: Subject) -> tuple[NoteEvent, ...]:
        """See Desk."""
        rows = self._asked([_events_on(subject)]).rows[0]
        return self._made(rows, lambda row: NoteEvent(**row))

    def shared_watches(self, search_id: str) -> tuple[Watch, ...]:
        """See Desk."""
        sql = "SELECT owner, source FROM saved_searches WHERE search_id = ? AND shared AND page = ?"
        lists = self._rows(sql, (search_id, "watchlist"), SEARCHES_SINCE)
        if not lists:
            raise NotFound("This list is not shared any more")
        return self.watched(lists[0]["owner"], lists[0]["source"])

    def everything(self, *, damaged: bool = False) -> Iterator[Line]:
        """See Copied."""
        self._up_to_date()
        if not damaged:
            self.verify()
        with self._moment() as desk:
            for table in TABLES:
                order = {"notes": self._written_order}.get(table, TABLES[table][0])
                order = "entry" if table in CHAINED else order
                for row in desk.rows(f"SELECT * FROM {table} ORDER BY {order}"):
                    yield table, plain(table, row)
            yield HEADS, {table: asdict(head) for table, head in heads(desk).items()}

    def fill(self, lines: Iterable[Line]) -> int:
        """See Copied."""
        rows = 0
        with self._writing() as writing:
            if any(
                writing.desk.rows(f"SELECT 1 AS found FROM {table} LIMIT 1") for table in TABLES
            ):
                raise ImportRefused("This desk holds something already; restore into an empty one")
            for table, row in lines:
                if table == HEADS:
                    writing.copied = {name: Head(**head) for name, head in row.items()}
                    continue
                values = dict(row)
                if "shared" in values:
                    values["shared"] = bool(values["shared"])
                (writing.enter if table in CHAINED else writing.put)(table, values)
                rows += 1
        return rows

    @abstractmethod
    def _up_to_date(self) -> None:
        """Brings tables of an older version up to date. Raises DeskUnavailable."""

    @abstractmethod
    def _damages(self) -> tuple[list[str], Mapping[str, int]]:
        """What is not as it was written, in words, and the rows of each table.

        Raises DeskUnavailable.
        """

    def _noted(self, desk: Writing, action: Literal["add", "edit", "delete"], by: str, row: Row
               ) -> None:  # fmt: skip
        """Enters what was done to a note, with the text that stands after it, into both audits."""
        note = _note(row)
        at = note.changed_at.isoformat(timespec="microseconds")
        values = (note.note_id, action, by, at, note.version, *_key(note.subject), note.body)
        desk.enter("note_audit", row_of("note_audit", *values))
        deed = deed_on(_NOTED[action], note.subject, f"version {note.version}")
        self._recorded(desk, by, deed, at)

    def _notes_on(self, subject: Subject) -> Question:
        order = f"written_at, {self._written_order}"
        return Question(f"SELECT * FROM notes WHERE {_OF_SUBJECT} ORDER BY {order}", _key(subject))


def _events_on(subject: Subject) -> Question:
    sql = f"SELECT {_EVENT} FROM note_audit WHERE {_OF_SUBJECT} ORDER BY entry"
    return Question(sql, _key(subject))


def _key(subject: Subject) -> tuple[str, str, str]:
    return subject.source, subject.kind, subject.name


def _subject(row: Row) -> Subject:
    return Subject(source=row["source"], kind=row["kind"], name=row["name"])


def _watch(row: Row) -> Watch:
    seen = Seen.model_validate_json(row["seen"]) if row["seen"] else None
    return Watch(subject=_subject(row), since=row["since"], seen=seen)


def _note(row: Row) -> Note:
    of_subject = ("source", "kind", "name")
    values = {name: row[name] for name in TABLES["notes"] if name not in of_subject}
    return Note(subject=_subject(row), **values)


def _of(owner: str, rows: Iterable[Row]) -> list[Row]:
    """Those of one owner, however the name is spelled."""
    return [row for row in rows if name_key(row["owner"]) == name_key(owner)]


def _standing_note(desk: Transaction, note_id: str, version: int) -> Row:
    """The note, locked, if this version stands. Raises NotFound, NoteConflict."""
    sql = "SELECT * FROM notes WHERE note_id = ?"
    found = desk.rows(f"{sql} AND version = ?{desk.locking}", (note_id, version))
    if found:
        return found[0]
    found = desk.rows(sql, (note_id,))
    if not found:
        raise NotFound("This note was deleted meanwhile")
    note = _note(found[0])
    raise NoteConflict(
        f"{note.changed_by} has changed this note meanwhile", body=note.body, version=note.version
    )


def _watches(desk: Transaction, owner: str, subject: Subject) -> list[Row]:
    """The watches of an owner on a subject, locked: one for each spelling of the name."""
    sql = f"SELECT * FROM watches WHERE {MINE} AND {_OF_SUBJECT} ORDER BY owner{desk.locking}"
    return desk.rows(sql, (name_key(owner), *_key(subject)))


def _seen_of(marked: list[Subject]) -> Deed:
    """Loans and parties that were marked as seen at once."""
    if len(marked) == 1:
        return deed_on("see", marked[0])
    sources = {one.source for one in marked}
    source = sources.pop() if len(sources) == 1 else None
    return Deed(action="see", kind=None, name=f"{len(marked)} loans and parties", source=source)
