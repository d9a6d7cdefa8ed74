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
from psycopg import sql as compose
from pydantic import SecretStr

from services.contract.errors import DeskUnavailable, InvalidRequest

from .connections import STATEMENT_SECONDS, Connection, Connections
from .migrations import scripts
from .sql import SqlDesk
from .transactions import Row

_SCRIPTS: Final = scripts("postgres")
_SCHEMA: Final = "credit_atlas"
#: The advisory locks of this product: of migrations, and of what one owner has.
_MIGRATING: Final = 7_241_883
#: How long a migration waits for another, and for the tables.
_PATIENCE: Final = "60s"
_ROLE: Final = re.compile(r"[^\x00]{1,63}")
_TABLES: Final = ("watches", "notes", "note_audit", "saved_searches", "audit", "migrations")


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
        self._connections = Connections(address, statement_seconds=statement_seconds)

    def __repr__(self) -> str:
        return f"PostgresDesk({self._connections.shown})"

    def close(self) -> None:
        """Ends the connections that nobody uses."""
        self._connections.close()

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
            before = _version(connection)
            self._prepare(connection)
            if grant is not None:
                _granted(connection, grant)
            return before, _version(connection)

    def _rows(self, sql: str, values: Sequence[object], since: int) -> list[Row]:
        """See SqlDesk."""
        with self._connections.one() as connection:
            if _version(connection) < since:
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
        found = _version(connection)
        if found > len(_SCRIPTS):
            raise self._unwritable("a newer Credit Atlas made its tables; update this one")
        if found < len(_SCRIPTS):
            try:
                _migrated(connection)
            except psycopg.errors.InsufficientPrivilege:
                raise self._unwritable(
                    "its tables are not up to date; run 'creditatlas desk migrate' as their owner"
                ) from None

    def _unwritable(self, why: str) -> DeskUnavailable:
        return self._connections.unavailable(why, reads=True)

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
            "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (_MIGRATING, owner)
        )

    def steady(self) -> None:
        """See Transaction."""
        self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        # A large table is read longer than a page may wait for a statement.
        self._connection.execute("SET LOCAL statement_timeout = 0")


def _version(connection: Connection) -> int:
    """The number of the last migration; 0 where there are no tables yet."""
    try:
        found = connection.execute("SELECT max(number) AS number FROM migrations").fetchone()
    except psycopg.errors.UndefinedTable:
        return 0
    return (found and found["number"]) or 0


def _migrated(connection: Connection) -> None:
    """Runs the scripts that are missing, in one transaction, one process at a time."""
    with connection.transaction():
        connection.execute(f"SET LOCAL statement_timeout = '{_PATIENCE}'")
        connection.execute(f"SET LOCAL lock_timeout = '{_PATIENCE}'")
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
        # Asked first: to make a schema takes a right that its owner need not have.
        there = connection.execute("SELECT to_regnamespace(%s) AS there", (_SCHEMA,)).fetchone()
        if not (there and there["there"]):
            connection.execute(f"CREATE SCHEMA {_SCHEMA}")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (number int PRIMARY KEY, "
            "applied_at timestamptz NOT NULL DEFAULT now())"
        )
        found = connection.execute("SELECT max(number) AS number FROM migrations").fetchone()
        done = (found and found["number"]) or 0
        for number, script in enumerate(_SCRIPTS[done:], done + 1):
            connection.execute(script.encode())
            connection.execute("INSERT INTO migrations (number) VALUES (%s)", (number,))


def _granted(connection: Connection, role: str) -> None:
    """Lets a role that does not own the tables read and write; the audit it can only add to."""
    to = compose.Identifier(role)
    with connection.transaction():
        for statement in (
            f"GRANT USAGE ON SCHEMA {_SCHEMA} TO {{}}",
            f"GRANT SELECT ON {', '.join(_TABLES)} TO {{}}",
            "GRANT INSERT ON note_audit, audit TO {}",
            "GRANT INSERT, UPDATE, DELETE ON watches, notes, saved_searches TO {}",
        ):
            connection.execute(compose.SQL(statement).format(to))
