"""The desk of a team: PostgreSQL, shared by all processes and nodes.

A write is one transaction and is acknowledged after its commit. When the connection breaks during
a commit nobody can say whether it was done: the call fails, and what was written may be there.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from typing import ClassVar, Final

import psycopg
from pydantic import SecretStr

from services.contract.errors import DeskUnavailable, InvalidRequest
from services.database.connections import STATEMENT_SECONDS, Connection, Connections, Use
from services.database.tables import MIGRATING, Tables

from .migrations import scripts
from .seals import Head
from .sql import SqlDesk
from .tables import SEALED_SINCE, Answers, of_version
from .transactions import Question, Row
from .verifying import damages
from .writing import seal_all

_SCRIPTS: Final = scripts("postgres")
_ROLE: Final = re.compile(r"[^\x00]{1,63}")
_TABLES: Final = Tables(
    "credit_atlas", _SCRIPTS, {SEALED_SINCE: lambda connection: seal_all(_Transaction(connection))}
)
_USE: Final = Use(
    "CREDIT_ATLAS_DESK",
    _TABLES.schema,
    "Watches and notes cannot be read or written now",
    DeskUnavailable,
    "SELECT max(number) AS version, current_setting('transaction_read_only') AS read_only "
    "FROM migrations",
)
#: What the role of the nodes may do: the audit it can only add to.
_RIGHTS: Final = (
    "SELECT ON watches, notes, note_audit, saved_searches, verdicts, cases, feeds, audit, seals",
    "SELECT ON heads, migrations",
    "INSERT ON note_audit, audit, seals",
    "INSERT, UPDATE, DELETE ON watches, notes, saved_searches, verdicts, cases, feeds",
    "UPDATE ON heads",
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
        most_a_minute: int | None = None,
    ) -> None:
        super().__init__(address.get_secret_value(), clock, most_a_minute)
        self._connections = Connections(address, _USE, statement_seconds=statement_seconds)

    def __repr__(self) -> str:
        return f"PostgresDesk({self.shown})"

    @property
    def shown(self) -> str:
        """Which database it is."""
        return self._connections.shown

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

    def _asked(self, questions: Sequence[Question], *, to_write: bool = False) -> Answers:
        """See SqlDesk: two round trips, whatever is asked."""
        with self._connections.one() as connection:
            version = _version(connection)
            asked = [one if version >= one.since else None for one in questions]
            pipelined = len(asked) > 1 and psycopg.Pipeline.is_supported()
            with connection.pipeline() if pipelined else nullcontext():
                found = [
                    one and connection.execute(_percents(of_version(one, version)), one.values)
                    for one in asked
                ]
            rows: list[list[Row]] = [list(one) if one else [] for one in found]
            return Answers(rows, self._no_write(connection) if to_write else None)

    def _no_write(self, connection: Connection) -> DeskUnavailable | None:
        """Why the database takes no write, as its connection said when it was taken."""
        try:
            if _version(connection) != len(_SCRIPTS):
                self._prepare(connection)
            elif connection.said and connection.said["read_only"] == "on":
                return self._unwritable("it takes no writes, as a standby does")
        except DeskUnavailable as error:
            return error
        except psycopg.errors.ReadOnlySqlTransaction:
            return self._unwritable("it takes no writes, as a standby does")
        return None

    @contextmanager
    def _moment(self) -> Iterator["_Transaction"]:
        """See SqlDesk."""
        with self._connections.one() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # A large table is read longer than a page may wait for a statement.
            connection.execute("SET LOCAL statement_timeout = 0")
            yield _Reading(connection)

    @contextmanager
    def _transaction(self) -> Iterator["_Transaction"]:
        """See SqlDesk."""
        with self._connections.one() as connection:
            self._prepare(connection)
            try:
                with connection.transaction():
                    yield _Transaction(connection)
            except psycopg.DataError:
                raise InvalidRequest("A text that is written must be readable text") from None

    def _up_to_date(self) -> None:
        """See SqlDesk."""
        with self._connections.one() as connection:
            self._prepare(connection)

    def _damages(self) -> tuple[list[str], Mapping[str, int]]:
        """See SqlDesk."""
        with self._connections.one() as connection:
            if _version(connection) != len(_SCRIPTS):
                return [], {}
        with self._moment() as desk:
            off = desk.rows(
                "SELECT tgname FROM pg_trigger WHERE tgenabled NOT IN ('O', 'A') "
                "AND tgrelid IN ('audit'::regclass, 'note_audit'::regclass, 'seals'::regclass) "
                "ORDER BY tgname"
            )
            found, rows = damages(desk)
            return [f"the trigger '{one['tgname']}' is switched off" for one in off] + found, rows

    def _prepare(self, connection: Connection) -> None:
        """Brings the tables up to date. Raises DeskUnavailable for younger ones, and where this
        user may not.
        """
        found = _version(connection)
        if found > len(_SCRIPTS):
            raise self._unwritable("a newer Credit Atlas made its tables; update this one")
        if found < len(_SCRIPTS) and not _TABLES.migrate(connection):
            raise self._unwritable(
                "its tables are not up to date; run 'creditatlas desk migrate' as their owner"
            )

    def _kept(self, head: Head) -> None:
        """See Tables: a server keeps its own log, and checks it."""

    def _unwritable(self, why: str) -> DeskUnavailable:
        sentence = "Watches and notes can be read but not written now"
        return self._connections.unavailable(why, sentence=sentence)

    def _unreadable(self, why: str) -> DeskUnavailable:
        return self._connections.unavailable(why)

    def _damaged(self, what: str) -> DeskUnavailable:
        sentence = (
            "Watches and notes are damaged and cannot be written now; what still reads is shown; "
            "restore a backup into an empty database and name it in CREDIT_ATLAS_DESK"
        )
        return self._connections.unavailable(what, sentence=sentence)


class _Transaction:
    """A connection on which a transaction has begun."""

    locking = " FOR UPDATE"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """See Transaction."""
        found = self._connection.execute(_percents(sql), values)
        return list(found) if found.description else []

    def many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """See Transaction."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_percents(sql), values)

    def alone(self, owner: str) -> None:
        """See Transaction."""
        self._connection.execute(
            "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (MIGRATING, owner)
        )


class _Reading(_Transaction):
    """One that only reads."""

    locking = ""


def _percents(sql: str) -> str:
    """A statement as psycopg writes it."""
    return sql.replace("?", "%s")


def _version(connection: Connection) -> int:
    """The number of the last migration, as it was when the connection was taken."""
    return int((connection.said or {}).get("version") or 0)
