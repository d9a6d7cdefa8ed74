"""Tables in a schema of their own, brought up to date by numbered scripts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import psycopg
from psycopg import sql as compose

from .connections import Connection

#: The advisory lock of whoever brings tables up to date.
MIGRATING: Final = 7_241_883
#: How long a migration waits for another, and for the tables.
_PATIENCE_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of `schema`, which is the search path of every connection given here."""

    schema: str
    scripts: tuple[str, ...]
    #: What is done after a script, in its transaction, by number.
    after: Mapping[int, Callable[[Connection], None]] = field(default_factory=dict)

    def version(self, connection: Connection) -> int:
        """The number of the last migration; 0 where there are no tables yet."""
        try:
            found = connection.execute("SELECT max(number) AS number FROM migrations").fetchone()
        except psycopg.errors.UndefinedTable:
            return 0
        return (found and found["number"]) or 0

    def migrate(self, connection: Connection) -> bool:
        """Runs the scripts that are missing, in one transaction, one process at a time.

        False where this user may not.
        """
        try:
            with connection.waiting(2 * _PATIENCE_SECONDS), connection.transaction():
                self._migrate(connection)
        except psycopg.errors.InsufficientPrivilege:
            return False
        return True

    def grant(self, connection: Connection, role: str, rights: Sequence[str]) -> None:
        """Gives a role that does not own the tables `rights` to them ("SELECT ON notes")."""
        to = compose.Identifier(role)
        with connection.transaction():
            for right in (f"USAGE ON SCHEMA {self.schema}", *rights):
                connection.execute(compose.SQL(f"GRANT {right} TO {{}}").format(to))

    def _migrate(self, connection: Connection) -> None:
        connection.execute(f"SET LOCAL statement_timeout = '{_PATIENCE_SECONDS}s'")
        connection.execute(f"SET LOCAL lock_timeout = '{_PATIENCE_SECONDS}s'")
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATING,))
        # Asked first: to make a schema takes a right that its owner need not have.
        there = connection.execute("SELECT to_regnamespace(%s) AS there", (self.schema,)).fetchone()
        if not (there and there["there"]):
            connection.execute(f"CREATE SCHEMA {self.schema}")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (number int PRIMARY KEY, "
            "applied_at timestamptz NOT NULL DEFAULT now())"
        )
        found = connection.execute("SELECT max(number) AS number FROM migrations").fetchone()
        done = (found and found["number"]) or 0
        for number, script in enumerate(self.scripts[done:], done + 1):
            connection.execute(script.encode())
            if number in self.after:
                self.after[number](connection)
            connection.execute("INSERT INTO migrations (number) VALUES (%s)", (number,))
