"""The desk of a team: PostgreSQL, shared by all processes and nodes.

A write is one transaction and is acknowledged after its commit. When the connection breaks during
a commit nobody can say whether it was done: the call fails, and what was written may be there.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import ClassVar, Final

import psycopg
from pydantic import SecretStr

from services.contract.errors import DeskUnavailable, InvalidRequest
from services.database.connections import STATEMENT_SECONDS, Connection, Connections, Use
from services.database.tables import MIGRATING, Tables

from .migrations import scripts
from .sql import SqlDesk
from .transactions import Row

_SCRIPTS: Final = scripts("postgres")
_ROLE: Final = re.compile(r"[^\x00]{1,63}")
_TABLES: Final = Tables("credit_atlas", _SCRIPTS)
_USE: Final = Use(
    "CREDIT_ATLAS_DESK",
    _TABLES.schema,
    "Watches and notes cannot be read or written now",
    DeskUnavailable,
)
#: What the role of the nodes may do: the audit it can only add to.
_RIGHTS: Final = (
    "SELECT ON watches, notes, note_audit, saved_searches, audit, migrations",
    "INSERT ON note_audit, audit",
    "INSERT, UPDATE, DELETE ON watches, notes, saved_searches",
)


class PostgresDesk(SqlDesk):
    """What users write, in the schema credit_atlas of a database; see Desk.

    Raises SettingsInvalid for what is no address of one.
    """

    _written_order: ClassVar[str] = "entry"

    def __init__(
        self,
        address: SecretStr,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        statement_seconds: float = STATEMENT_SECONDS,
    ) -> None:
        super().__init__(clock)
        self._connections = Connections(address, _USE, statement_seconds=statement_seconds)

    def __repr__(self) -> str:
        return f"PostgresDesk({self._connections.shown})"

    def close(self) -> None:
        """Ends the connections that nobody uses."""
        self._connections.close()

    def check(self) -> None:
        """Raises DeskUnavailable where the database does not answer; nothing is made in it."""
        try:
            with self._connections.one():
                return
        except DeskUnavailable:
            self.close()
            raise

    def fault(self) -> DeskUnavailable | None:
        """See Desk."""
        try:
            with self._connections.one() as connection:
                self._prepare(connection)
                found = connection.execute("SHOW transaction_read_only").fetchone()
                if found and found["transaction_read_only"] == "on":
                    return self._unwritable("it takes no writes, as a standby does")
        except DeskUnavailable as error:
            return error
        return None

    def migrate(self, grant: str | None = None) -> tuple[int, int]:
        """Brings the tables up to date; the migration they stood at before, and that now.

        `grant` names a role that may then read and write, and change nothing in the audit.
        Raises DeskUnavailable; InvalidRequest for what is no name of a role.
        """
        if grant is not None and not _ROLE.fullmatch(grant):
            raise InvalidRequest("The name of a role has 1 to 63 characters", parameter="grant")
        with self._connections.one() as connection:
            before = _TABLES.version(connection)
            self._prepare(connection)
            if grant is not None:
                _TABLES.grant(connection, grant, _RIGHTS)
            return before, _TABLES.version(connection)

    def _rows(self, sql: str, values: Sequence[object], since: int) -> list[Row]:
        """See SqlDesk."""
        with self._connections.one() as connection:
            if _TABLES.version(connection) < since:
                return []
            return _Transaction(connection).rows(sql, values)

    @contextmanager
    def _writing(self) -> Iterator["_Transaction"]:
        """See SqlDesk."""
        with self._connections.one() as connection:
            self._prepare(connection)
            try:
                with connection.transaction():
                    yield _Transaction(connection)
            except psycopg.DataError:
                raise InvalidRequest("A text that is written must be readable text") from None

    def _prepare(self, connection: Connection) -> None:
        """Brings the tables up to date. Raises DeskUnavailable for younger ones, and where this
        user may not.
        """
        found = _TABLES.version(connection)
        if found > len(_SCRIPTS):
            raise self._unwritable("a newer Credit Atlas made its tables; update this one")
        if found < len(_SCRIPTS) and not _TABLES.migrate(connection):
            raise self._unwritable(
                "its tables are not up to date; run 'creditatlas desk migrate' as their owner"
            )

    def _unwritable(self, why: str) -> DeskUnavailable:
        sentence = "Watches and notes can be read but not written now"
        return self._connections.unavailable(why, sentence=sentence)

    def _unreadable(self, why: str) -> DeskUnavailable:
        return self._connections.unavailable(why)


class _Transaction:
    """A connection on which a transaction has begun."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """See Transaction."""
        found = self._connection.execute(sql.replace("?", "%s"), values)
        return list(found) if found.description else []

    def alone(self, owner: str) -> None:
        """See Transaction."""
        self._connection.execute(
            "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (MIGRATING, owner)
        )

    def steady(self) -> None:
        """See Transaction."""
        self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        # A large table is read longer than a page may wait for a statement.
        self._connection.execute("SET LOCAL statement_timeout = 0")
