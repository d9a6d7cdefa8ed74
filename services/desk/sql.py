"""The desk in the SQL that SQLite and PostgreSQL share: one meaning, whichever holds the rows.

Compare and swap is one statement, "where the version still stands": two sessions cannot both pass
it, and why it did not pass is asked afterwards, in the same transaction.
"""

import json
import secrets
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import ClassVar, Final, NoReturn

from services.contract import desk as contract
from services.contract.audit import AuditAction, Deed
from services.contract.desk import (
    Note,
    NoteEvent,
    SavedSearch,
    Search,
    SearchFound,
    Seen,
    Subject,
    Watch,
    note_text,
    saved_params,
    search_name,
)
from services.contract.errors import (
    DeskUnavailable,
    ImportRefused,
    InvalidRequest,
    NoteConflict,
    NotFound,
    SearchConflict,
)

from .audit import SqlAudit, deed_on
from .copying import TABLES
from .transactions import Row, Transaction, places

_NOTE: Final = (
    "note_id, source, kind, name, author, written_at, body, version, changed_by, changed_at"
)
_SEARCH: Final = "search_id, owner, source, name, page, params, shared, found, saved_at, version"
_WATCH: Final = "source, kind, name, since, seen"
_OF_SUBJECT: Final = "source = ? AND kind = ? AND name = ?"
#: The migration that made the table of saved searches.
_SEARCHES_SINCE: Final = 2


class SqlDesk(SqlAudit):
    """What users write, in tables, each write with its entry in the audit; see Desk and Audit."""

    #: Numbers notes in the order in which they were written.
    _written_order: ClassVar[str]

    @abstractmethod
    def fault(self) -> DeskUnavailable | None:
        """See Desk."""

    def watch(self, owner: str, subject: Subject, seen: Seen | None) -> None:
        """See Desk."""
        with self._writing() as desk:
            desk.alone(owner)
            new = desk.rows(
                "INSERT INTO watches (owner, source, kind, name, since, seen) "
                "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING name",
                (owner, *_key(subject), self._now(), seen and seen.model_dump_json()),
            )
            if new:
                self._recorded(desk, owner, deed_on("watch", subject))
            sql = "SELECT count(*) AS found FROM watches WHERE owner = ? AND source = ?"
            if desk.rows(sql, (owner, subject.source))[0]["found"] > contract.MOST_WATCHED:
                raise InvalidRequest(
                    f"{contract.MOST_WATCHED} loans and parties are watched already; stop watching"
                    " some"
                )

    def unwatch(self, owner: str, subject: Subject) -> None:
        """See Desk."""
        with self._writing() as desk:
            sql = f"DELETE FROM watches WHERE owner = ? AND {_OF_SUBJECT} RETURNING name"
            if desk.rows(sql, (owner, *_key(subject))):
                self._recorded(desk, owner, deed_on("unwatch", subject))

    def watched(self, owner: str, source: str) -> tuple[Watch, ...]:
        """See Desk."""
        sql = f"SELECT {_WATCH} FROM watches WHERE owner = ? AND source = ? ORDER BY kind, name"
        return self._read(sql, (owner, source), _watch)

    def see(self, owner: str, seen: Mapping[Subject, Seen]) -> None:
        """See Desk."""
        sql = f"UPDATE watches SET seen = ? WHERE owner = ? AND {_OF_SUBJECT} RETURNING name"
        with self._writing() as desk:
            # In one order whoever writes, or two of them could wait for each other.
            marked = [
                subject
                for subject in sorted(seen, key=_key)
                if desk.rows(sql, (seen[subject].model_dump_json(), owner, *_key(subject)))
            ]
            if marked:
                self._recorded(desk, owner, _seen_of(marked))

    def add_note(self, owner: str, subject: Subject, body: str) -> Note:
        """See Desk."""
        now = self._now()
        values = (
            *(secrets.token_hex(8), *_key(subject), owner, now),
            *(note_text(body), 1, owner, now),
        )
        with self._writing() as desk:
            sql = f"INSERT INTO notes ({_NOTE}) VALUES ({places(values)}) RETURNING {_NOTE}"
            note = _note(desk.rows(sql, values)[0])
            _audit(desk, "add", note)
            self._recorded(desk, owner, _deed_on("add_note", note), note.changed_at)
        return note

    def edit_note(self, owner: str, note_id: str, version: int, body: str) -> Note:
        """See Desk."""
        written = note_text(body)
        with self._writing() as desk:
            sql = (
                "UPDATE notes SET body = ?, version = version + 1, changed_by = ?, changed_at = ? "
                f"WHERE note_id = ? AND version = ? RETURNING {_NOTE}"
            )
            found = desk.rows(sql, (written, owner, self._now(), note_id, version))
            if not found:
                _overtaken(desk, note_id)
            note = _note(found[0])
            _audit(desk, "edit", note)
            self._recorded(desk, owner, _deed_on("edit_note", note), note.changed_at)
        return note

    def delete_note(self, owner: str, note_id: str, version: int) -> None:
        """See Desk."""
        with self._writing() as desk:
            sql = f"DELETE FROM notes WHERE note_id = ? AND version = ? RETURNING {_NOTE}"
            found = desk.rows(sql, (note_id, version))
            if not found:
                _overtaken(desk, note_id)
            deleted = {"changed_by": owner, "changed_at": datetime.fromisoformat(self._now())}
            note = _note(found[0]).model_copy(update=deleted)
            _audit(desk, "delete", note)
            self._recorded(desk, owner, _deed_on("delete_note", note), note.changed_at)

    def notes_of(self, subject: Subject) -> tuple[Note, ...]:
        """See Desk."""
        order = f"written_at, {self._written_order}"
        sql = f"SELECT {_NOTE} FROM notes WHERE {_OF_SUBJECT} ORDER BY {order}"
        return self._read(sql, _key(subject), _note)

    def audit_of(self, subject: Subject) -> tuple[NoteEvent, ...]:
        """See Desk."""
        return self._read(
            f"SELECT note_id, action, by, at, version, body FROM note_audit WHERE {_OF_SUBJECT} "
            "ORDER BY entry",
            _key(subject),
            lambda row: NoteEvent(**row),
        )

    def save_search(
        self, owner: str, name: str, search: Search, found: SearchFound, *, shared: bool = False
    ) -> SavedSearch:
        """See Desk."""
        named = search_name(name)
        values = (
            *(secrets.token_hex(8), owner, search.source, named, search.page),
            *(saved_params(search), shared, found.model_dump_json(), self._now(), 1),
        )
        with self._writing() as desk:
            desk.alone(owner)
            _unused(desk, owner, search.source, named)
            sql = "SELECT count(*) AS found FROM saved_searches WHERE owner = ? AND source = ?"
            if desk.rows(sql, (owner, search.source))[0]["found"] >= contract.MOST_SEARCHES:
                raise InvalidRequest(
                    f"{contract.MOST_SEARCHES} searches are saved already; delete some"
                )
            sql = f"INSERT INTO saved_searches ({_SEARCH}) VALUES ({places(values)})"
            saved = _search(desk.rows(f"{sql} RETURNING {_SEARCH}", values)[0])
            action: AuditAction = "share_search" if saved.shared else "save_search"
            self._recorded(desk, owner, _deed_to(action, saved))
        return saved

    def change_search(
        self,
        owner: str,
        search_id: str,
        version: int,
        *,
        name: str | None = None,
        found: SearchFound | None = None,
        shared: bool | None = None,
    ) -> SavedSearch:
        """See Desk."""
        named = None if name is None else search_name(name)
        with self._writing() as desk:
            desk.alone(owner)
            now = _standing(desk, owner, search_id, version)
            if named and named != now.name:
                _unused(desk, owner, now.search.source, named)
            sql = (
                "UPDATE saved_searches SET name = ?, found = ?, shared = ?, version = version + 1 "
                f"WHERE search_id = ? AND version = ? RETURNING {_SEARCH}"
            )
            values = (
                named or now.name,
                (found or now.found).model_dump_json(),
                now.shared if shared is None else shared,
            )
            changed = _search(desk.rows(sql, (*values, search_id, version))[0])
            is_new = changed.shared and not now.shared
            action: AuditAction = "share_search" if is_new else "change_search"
            self._recorded(desk, owner, _deed_to(action, changed, _changes(now, changed)))
        return changed

    def delete_search(self, owner: str, search_id: str, version: int) -> None:
        """See Desk."""
        with self._writing() as desk:
            desk.alone(owner)
            now = _standing(desk, owner, search_id, version)
            desk.rows("DELETE FROM saved_searches WHERE search_id = ?", (search_id,))
            self._recorded(desk, owner, _deed_to("delete_search", now))

    def searches(self, owner: str, source: str) -> tuple[SavedSearch, ...]:
        """See Desk."""
        sql = (
            f"SELECT {_SEARCH} FROM saved_searches WHERE source = ? AND (owner = ? OR shared) "
            "ORDER BY owner <> ?, owner, name"
        )
        return self._read(sql, (source, owner, owner), _search, _SEARCHES_SINCE)

    def shared_watches(self, search_id: str) -> tuple[Watch, ...]:
        """See Desk."""
        sql = "SELECT owner, source FROM saved_searches WHERE search_id = ? AND shared AND page = ?"
        lists = self._rows(sql, (search_id, "watchlist"), _SEARCHES_SINCE)
        if not lists:
            raise NotFound("This list is not shared any more")
        return self.watched(lists[0]["owner"], lists[0]["source"])

    def everything(self) -> Iterator[tuple[str, Row]]:
        """See Copied."""
        with self._writing() as desk:
            desk.steady()
            for table, columns in TABLES.items():
                order = "entry" if table in {"note_audit", "audit"} else columns[0]
                order = self._written_order if table == "notes" else order
                sql = f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}"
                for row in desk.rows(sql):
                    yield table, row

    def fill(self, lines: Iterable[tuple[str, Row]]) -> int:
        """See Copied."""
        rows = 0
        with self._writing() as desk:
            if any(desk.rows(f"SELECT 1 AS found FROM {table} LIMIT 1") for table in TABLES):
                raise ImportRefused("This desk holds something already; restore into an empty one")
            for table, row in lines:
                values = dict(row)
                if "shared" in values:
                    values["shared"] = bool(values["shared"])
                sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places(values)})"
                desk.rows(sql, tuple(values.values()))
                rows += 1
        return rows


def _key(subject: Subject) -> tuple[str, str, str]:
    return subject.source, subject.kind, subject.name


def _subject(row: Row) -> Subject:
    return Subject(source=row["source"], kind=row["kind"], name=row["name"])


def _watch(row: Row) -> Watch:
    seen = Seen.model_validate_json(row["seen"]) if row["seen"] else None
    return Watch(subject=_subject(row), since=row["since"], seen=seen)


def _note(row: Row) -> Note:
    of_subject = ("source", "kind", "name")
    values = {name: value for name, value in row.items() if name not in of_subject}
    return Note(subject=_subject(row), **values)


def _search(row: Row) -> SavedSearch:
    return SavedSearch(
        search_id=row["search_id"],
        owner=row["owner"],
        name=row["name"],
        search=Search(source=row["source"], page=row["page"], params=json.loads(row["params"])),
        shared=bool(row["shared"]),
        found=SearchFound.model_validate_json(row["found"]),
        saved_at=row["saved_at"],
        version=row["version"],
    )


def _overtaken(desk: Transaction, note_id: str) -> NoReturn:
    """Says why a note could not be changed: it is gone, or another version stands."""
    found = desk.rows(f"SELECT {_NOTE} FROM notes WHERE note_id = ?", (note_id,))
    if not found:
        raise NotFound("This note was deleted meanwhile")
    note = _note(found[0])
    raise NoteConflict(
        f"{note.changed_by} has changed this note meanwhile", body=note.body, version=note.version
    )


def _standing(desk: Transaction, owner: str, search_id: str, version: int) -> SavedSearch:
    """The search of this owner, if this version stands. Raises NotFound, SearchConflict."""
    sql = f"SELECT {_SEARCH} FROM saved_searches WHERE search_id = ? AND owner = ?"
    found = desk.rows(sql, (search_id, owner))
    if not found:
        raise NotFound("This saved search was deleted meanwhile, or is another user's")
    if found[0]["version"] != version:
        raise SearchConflict("This saved search was changed in another window meanwhile")
    return _search(found[0])


def _unused(desk: Transaction, owner: str, source: str, name: str) -> None:
    sql = "SELECT 1 AS found FROM saved_searches WHERE owner = ? AND source = ? AND name = ?"
    if desk.rows(sql, (owner, source, name)):
        raise InvalidRequest(
            f"You have a saved search '{name}' already; give this one another name",
            parameter="name",
        )


def _audit(desk: Transaction, action: str, note: Note) -> None:
    values = (
        *(note.note_id, action, note.changed_by, note.changed_at.isoformat(), note.version),
        *(*_key(note.subject), note.body),
    )
    desk.rows(
        "INSERT INTO note_audit (note_id, action, by, at, version, source, kind, name, body) "
        f"VALUES ({places(values)})",
        values,
    )


def _deed_on(action: AuditAction, note: Note) -> Deed:
    """What was done to a note; its text stands in the audit of notes."""
    return deed_on(action, note.subject, f"version {note.version}")


def _seen_of(marked: list[Subject]) -> Deed:
    """Loans and parties that were marked as seen at once."""
    if len(marked) == 1:
        return deed_on("see", marked[0])
    sources = {one.source for one in marked}
    source = sources.pop() if len(sources) == 1 else None
    return Deed(action="see", kind=None, name=f"{len(marked)} loans and parties", source=source)


def _deed_to(action: AuditAction, saved: SavedSearch, detail: str = "") -> Deed:
    search = saved.search
    said = detail or f"{search.page}: {json.dumps(dict(search.params), ensure_ascii=False)}"
    return Deed(action=action, kind="search", name=saved.name, source=search.source, detail=said)


def _changes(was: SavedSearch, now: SavedSearch) -> str:
    """What of a search was changed, in words."""
    said = []
    if was.name != now.name:
        said.append(f"renamed from '{was.name}'")
    if was.shared != now.shared:
        said.append("shared with everybody" if now.shared else "no longer shared")
    if was.found != now.found:
        said.append("counts marked as seen")
    return ", ".join(said) or "nothing"
