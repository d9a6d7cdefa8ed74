"""The audit in SQL: an entry for each write, in the transaction of the write (D91)."""

from collections.abc import Callable, Iterator
from copy import copy
from datetime import UTC, datetime, time
from typing import Final, Self

from services.contract.audit import (
    NEEDED,
    AuditAction,
    AuditEntry,
    AuditFilter,
    AuditRole,
    Deed,
    detail_text,
)
from services.contract.desk import Subject
from services.contract.errors import NotPermitted
from services.contract.records import Page
from services.contract.users import Authority, name_key

from .tables import Tables
from .transactions import Row
from .writing import Writing

_COLUMNS: Final = "at, by, role, action, kind, name, source, detail"
#: The migration that made the table.
_SINCE: Final = 3
#: Entries that are read at a time, where all are.
_AT_A_TIME: Final = 5_000


class SqlAudit(Tables):
    """What was written, taken away or changed, in a table; see Audit."""

    def __init__(
        self,
        place: str,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        most_a_minute: int | None = None,
    ) -> None:
        super().__init__(place, clock)
        #: Who opens a desk by no sign-in stands at the machine that holds its address.
        self._authority: Authority | None = None
        self._most_a_minute = most_a_minute

    def acting(self, authority: Authority) -> Self:
        """See Audit."""
        other = copy(self)
        other._authority = authority  # noqa: SLF001 - of its own kind
        return other

    def record(self, by: str, deed: Deed) -> None:
        """See Audit."""
        with self._writing() as desk:
            self._recorded(desk, by, deed)

    def note_entrance(self, action: AuditAction, by: str, role: AuditRole, sentence: str) -> None:
        """See Audit."""
        deed = Deed(action=action, kind=None, name="", detail=sentence)
        with self._writing() as desk:
            desk.enter("audit", _row(self._now(), by, role, deed))

    def entries(self, query: AuditFilter) -> Page[AuditEntry]:
        """See Audit."""
        where, values = _condition(query)
        sql = f"SELECT count(*) AS found FROM audit WHERE {where}"
        total = sum(row["found"] for row in self._rows(sql, values, _SINCE))
        sql = f"SELECT entry, {_COLUMNS} FROM audit WHERE {where} ORDER BY entry DESC"
        items = self._read(
            f"{sql} LIMIT ? OFFSET ?",
            (*values, query.per_page, query.offset),
            lambda row: AuditEntry(**row),
            _SINCE,
        )
        return Page(items=items, page=query.page, per_page=query.per_page, total=total)

    def every_entry(self, query: AuditFilter) -> Iterator[AuditEntry]:
        """See Audit."""
        where, values = _condition(query)
        sql = f"SELECT entry, {_COLUMNS} FROM audit WHERE {where}"
        found = self._read(
            f"{sql} ORDER BY entry DESC LIMIT ?",
            (*values, _AT_A_TIME),
            lambda row: AuditEntry(**row),
            _SINCE,
        )
        while found:
            yield from found
            found = self._read(
                f"{sql} AND entry < ? ORDER BY entry DESC LIMIT ?",
                (*values, found[-1].entry, _AT_A_TIME),
                lambda row: AuditEntry(**row),
                _SINCE,
            )

    def people(self) -> tuple[str, ...]:
        """See Audit."""
        sql = "SELECT DISTINCT by FROM audit ORDER BY by"
        return tuple(row["by"] for row in self._rows(sql, (), _SINCE))

    def _allowed(self) -> None:
        """See Tables."""
        if self._authority:
            self._authority()

    def _recorded(
        self, desk: Writing, by: str, deed: Deed, at: str | None = None, *, counted: bool = True
    ) -> None:
        """Adds an entry to a write; `at` is now, unless the write says its own time. One that is
        not `counted` is a further one of the same write, and no more for the writes of a minute.

        Every write that changes something comes by here: whether it may be done is asked here, too.
        """
        role: AuditRole = "admin"
        if self._authority:
            user = self._authority()
            if needed := NEEDED.get(deed.action):
                user.require(needed)
            if name_key(user.name) != name_key(by):
                raise NotPermitted(f"{user.name} is signed in and cannot write as another user")
            role = user.role
        row = _row(at or self._now(), by, role, deed)
        desk.enter("audit", row, self._most_a_minute if self._authority and counted else None)


def _row(at: str, by: str, role: AuditRole, deed: Deed) -> Row:
    values = (at, by, role, deed.action, deed.kind, deed.name, deed.source)
    return dict(zip(_COLUMNS.split(", "), (*values, detail_text(deed.detail)), strict=True))


def _condition(query: AuditFilter) -> tuple[str, tuple[object, ...]]:
    """Which entries, as SQL and its values."""
    since = datetime.combine(query.since, time(), UTC) if query.since else None
    given = {
        "by = ?": query.by,
        "action = ?": query.action,
        "at >= ?": since.isoformat(timespec="microseconds") if since else None,
    }
    found = {sql: value for sql, value in given.items() if value is not None}
    return " AND ".join(found) or "1 = 1", tuple(found.values())


def deed_on(action: AuditAction, subject: Subject, detail: str = "") -> Deed:
    """What is done to a loan or a party."""
    return Deed(
        action=action,
        kind=subject.kind,
        name=subject.name,
        source=subject.source,
        detail=detail,
    )
