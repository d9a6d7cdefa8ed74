"""Requests a day, counted in PostgreSQL: exact over all nodes, and after any of them ends (D95)."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from pydantic import SecretStr

from services.contract.errors import ServiceUnavailable
from services.database.connections import Connection, Connections

from .database import QUOTAS, Database, prepare
from .outage import Outage

#: So long requests are let through by the counts that this process knows while the database does
#: not answer; they are added to it afterwards. As long as keys stay good (D94).
GRACE_SECONDS: Final = 60.0
#: Windows whose counts this process knows, and those that it has to add.
_MOST: Final = 10_000
#: Between two removals of windows that are over.
_REMOVE_SECONDS: Final = 3_600.0
_Answer = TypeVar("_Answer")

# One statement, so that no count is lost between two nodes. Windows are the database's: now() is
# one moment for all of it, and clocks of nodes do not matter.
_ADD: Final = """
INSERT INTO quotas AS q (name, used, ends_at)
VALUES (%(name)s, %(amount)s, now() + make_interval(secs => %(expiry)s))
ON CONFLICT (name) DO UPDATE SET
  used = CASE WHEN q.ends_at > now() THEN q.used ELSE 0 END + excluded.used,
  ends_at = CASE WHEN q.ends_at > now() THEN q.ends_at ELSE excluded.ends_at END
RETURNING used, extract(epoch FROM ends_at - now())::float8 AS seconds
"""
_READ: Final = """
SELECT used, extract(epoch FROM ends_at - now())::float8 AS seconds
FROM quotas WHERE name = %s AND ends_at > now()
"""
# Not those that somebody is about to count in: they begin again by themselves.
_REMOVE: Final = """
DELETE FROM quotas WHERE name IN (
  SELECT name FROM quotas WHERE ends_at < now() LIMIT 10000 FOR UPDATE SKIP LOCKED)
"""


class _Count(NamedTuple):
    used: int
    #: When the window ends, seconds since 1970 by this machine's clock.
    ends: float


class PostgresQuotas:
    """Counts of a database; see Counts."""

    def __init__(
        self,
        address: SecretStr,
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database: Database = Connections(address, QUOTAS)
        self._clock = clock
        self._monotonic = monotonic
        self._removed = monotonic()
        #: What the database said last, and what it has not been told, by the name of a window.
        self._last: OrderedDict[str, _Count] = OrderedDict()
        self._owed: dict[str, tuple[int, int]] = {}
        self._guard = threading.Lock()
        self._outage = Outage(
            "Daily quotas",
            f"counted by this process for up to {GRACE_SECONDS:.0f} seconds",
            monotonic=monotonic,
        )

    def __repr__(self) -> str:
        return f"PostgresQuotas({self._database.shown})"

    def prepare(self) -> None:
        """Brings the tables up to date. Raises ServiceUnavailable, SettingsInvalid."""
        with self._database.one() as connection:
            prepare(connection, self._database.shown)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """See Counts. Raises ServiceUnavailable."""

        def add(connection: Connection) -> _Count:
            return self._added(connection, key, expiry, amount)

        found = self._asked(add)
        if found is None:
            self._owe(key, expiry, amount)
            return self._guess(key).used
        self._remember(key, found)
        return found.used

    def get(self, key: str) -> int:
        """See Counts. Raises ServiceUnavailable."""
        return self._read(key).used

    def get_expiry(self, key: str) -> float:
        """See Counts. Raises ServiceUnavailable."""
        return self._read(key).ends

    def close(self) -> None:
        """Ends the connections that nobody uses."""
        self._database.close()

    def _read(self, key: str) -> _Count:
        def read(connection: Connection) -> _Count:
            row = connection.execute(_READ, (key,)).fetchone()
            now = self._clock()
            return _Count(row["used"], now + row["seconds"]) if row else _Count(0, now)

        found = self._asked(read)
        if found is None:
            return self._guess(key)
        self._remember(key, found)
        return found

    def _asked(self, ask: Callable[[Connection], _Answer]) -> _Answer | None:
        """What the database answers; None while it does not, for GRACE_SECONDS."""
        try:
            with self._database.one() as connection:
                if self._owed:
                    self._settle(connection)
                found = ask(connection)
                if self._monotonic() - self._removed > _REMOVE_SECONDS:
                    self._removed = self._monotonic()
                    connection.execute(_REMOVE)
        except ServiceUnavailable as error:
            if self._outage.failed(error) >= GRACE_SECONDS:
                raise ServiceUnavailable(
                    "Requests cannot be counted just now; try again in some seconds"
                ) from error
            return None
        self._outage.answered()
        return found

    def _added(self, connection: Connection, key: str, expiry: int, amount: int) -> _Count:
        row = connection.execute(_ADD, {"name": key, "amount": amount, "expiry": expiry}).fetchone()
        assert row  # noqa: S101 - the statement returns one
        return _Count(row["used"], self._clock() + row["seconds"])

    def _remember(self, key: str, count: _Count) -> None:
        with self._guard:
            self._last[key] = count
            self._last.move_to_end(key)
            if len(self._last) > _MOST:
                self._last.popitem(last=False)

    def _owe(self, key: str, expiry: int, amount: int) -> None:
        """Keeps a count until the database answers again. Raises ServiceUnavailable."""
        with self._guard:
            if key not in self._owed and len(self._owed) >= _MOST:
                raise ServiceUnavailable(
                    "Requests cannot be counted just now; try again in some seconds"
                )
            self._owed[key] = (self._owed.get(key, (0, 0))[0] + amount, expiry)

    def _guess(self, key: str) -> _Count:
        """The count by what this process knows."""
        now = self._clock()
        with self._guard:
            last = self._last.get(key)
            if last is None or last.ends <= now:
                last = _Count(0, now)
            return _Count(last.used + self._owed.get(key, (0, 0))[0], last.ends)

    def _settle(self, connection: Connection) -> None:
        """Adds what is owed, all or nothing."""
        with self._guard:
            owed, self._owed = self._owed, {}
        try:
            with connection.transaction():
                for key in sorted(owed):  # in one order, so that no two nodes wait for each other
                    amount, expiry = owed[key]
                    self._added(connection, key, expiry, amount)
        except BaseException:
            for key, (amount, expiry) in owed.items():
                self._owe(key, expiry, amount)
            raise
