"""Connections to a PostgreSQL database: a few, used again, and no waiting for one that is down.

The pool is psycopg's. Who meets a database that is down or frozen waits for it once, WAIT_SECONDS
at most. From then on calls are refused at once with the same sentence, while the pool goes on
connecting; as soon as it has a connection that answers calls go through again.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Generic, Self, TypeVar

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool, PoolTimeout
from pydantic import SecretStr

from services.contract.errors import CreditAtlasError, SettingsInvalid
from services.contract.queries import shortened

# What it warns of is said to who asks, in a sentence.
logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)

Failed = TypeVar("Failed", bound=CreditAtlasError)
#: Longest wait for a connection, for one statement, and for a lock that another session holds.
CONNECT_SECONDS: Final = 3
STATEMENT_SECONDS: Final = 5.0
_LOCK_SECONDS: Final = 3.0
#: Between two looks whether an answer has come.
_LOOK_SECONDS: Final = 0.1
#: At most so many connections of one process.
_MOST: Final = 8
#: Longest wait of a call for a connection: a little longer than connecting may take.
WAIT_SECONDS: Final = CONNECT_SECONDS + 0.5
#: After so long a call looks whether connecting has failed already.
_SOON_SECONDS: Final = 0.25
#: Wait for a connection while the database is down.
_DOWN_SECONDS: Final = 0.01
#: The pool tries again after 1, 2 and 4 seconds, then at the next call.
_AGAIN_SECONDS: Final = 10.0
_REASON_LETTERS: Final = 300


class Silent(psycopg.OperationalError):
    """The server is there, and says nothing."""


class Connection(psycopg.Connection[dict[str, Any]]):
    """A connection that does not wait for ever.

    Where a server is frozen its own limits of time do not hold, and TCP has nothing to complain of:
    the machine acknowledges what it is sent.
    """

    #: Seconds that an answer may take: more than the server lets a statement.
    patience: float = 2 * STATEMENT_SECONDS
    #: What it answered when it was taken; None where there are no tables to ask yet.
    said: dict[str, Any] | None = None

    @classmethod
    def connect(  # type: ignore[override]
        cls,
        conninfo: str = "",
        *,
        failed: Callable[[psycopg.Error], None],
        **options: Any,  # noqa: ANN401 - as psycopg takes them
    ) -> Self:
        """See psycopg; `failed` hears why there is no connection, which the pool does not say."""
        try:
            return super().connect(conninfo, **options)
        except psycopg.Error as error:
            failed(error)
            raise

    @contextmanager
    def waiting(self, seconds: float) -> Iterator[None]:
        """Answers may take so long while the block lasts."""
        self.patience = seconds
        try:
            yield
        finally:
            self.patience = Connection.patience

    def wait(
        self, gen: PQGen[RV], interval: float = _LOOK_SECONDS, timeout: float | None = None
    ) -> RV:
        """See psycopg. Raises Silent."""
        limit = self.patience if timeout is None else timeout
        begun = time.monotonic()
        try:
            return super().wait(gen, interval, limit)
        except psycopg.OperationalError:
            if time.monotonic() - begun < limit:
                raise
            self.close()
            raise Silent("it does not answer") from None


@dataclass(frozen=True, slots=True)
class Use(Generic[Failed]):
    """What a database is used for."""

    #: The setting that names it.
    setting: str
    #: The schema whose tables statements mean.
    schema: str
    #: What cannot be done while it does not answer, as the beginning of a sentence.
    sentence: str
    #: As which error that is said.
    error: type[Failed]
    #: What a connection is asked whenever it is taken, to see that it answers.
    question: str = "SELECT 1"


class Connections(Generic[Failed]):
    """At most _MOST connections to one database, for one use of it."""

    def __init__(
        self, address: SecretStr, use: Use[Failed], *, statement_seconds: float = STATEMENT_SECONDS
    ) -> None:
        self._use = use
        try:
            given = conninfo_to_dict(address.get_secret_value())
        except psycopg.ProgrammingError:
            # The fault may quote the address, and that holds a password.
            raise SettingsInvalid(
                f"{use.setting} is no address of a PostgreSQL database; write "
                "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
            ) from None
        self._given: dict[str, str | int] = {
            name: str(value) for name, value in given.items() if value is not None
        }
        self._statement_seconds = statement_seconds
        self._pool: ConnectionPool[Connection] | None = None
        self._lock = threading.Lock()
        #: Why the database is down; None where nothing is known against it.
        self._fault: psycopg.Error | None = None

    @property
    def shown(self) -> str:
        """The database without its password: host:port/name."""
        host, port = self._given.get("host") or "localhost", self._given.get("port") or 5432
        return f"{host}:{port}/{self._given.get('dbname') or self._given.get('user') or ''}"

    @contextmanager
    def one(self) -> Iterator[Connection]:
        """A connection that answered just now, in autocommit. Raises the error of its use.

        Whatever PostgreSQL refuses within the block becomes that error, with its reason.
        """
        pool = self._opened()
        try:
            connection = self._answering(pool)
            try:
                yield connection
            finally:
                pool.putconn(connection)
        except PoolTimeout:
            why = str(self._fault) if self._fault else "all connections to it are in use"
            raise self.unavailable(why) from None
        except psycopg.Error as error:
            if isinstance(error, Silent):
                self._down(pool, error)
            raise self.unavailable(str(error)) from None

    def close(self) -> None:
        """Ends the connections that nobody uses; those in use end when they come back."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool:
            pool.close(WAIT_SECONDS)

    def unavailable(self, why: str, *, sentence: str | None = None) -> Failed:
        """The error for a database that cannot be asked, or refuses; never with a password.

        `sentence` says what cannot be done, where that is not what its use says.
        """
        # Of several lines the first says what is the matter, after where: that stands here already.
        said = " ".join(why.strip().partition("\n")[0].rpartition(" failed: ")[2].split())
        password = self._given.get("password")
        if password:
            said = said.replace(str(password), "***")
        return self._use.error(
            f"{sentence or self._use.sentence} (PostgreSQL at {self.shown}: "
            f"{shortened(said.rstrip('. '), _REASON_LETTERS)})"
        )

    def _opened(self) -> ConnectionPool[Connection]:
        with self._lock:
            if self._pool is None:
                # A server that vanishes without a word must not hold a page for minutes.
                default: dict[str, str | int] = {
                    "connect_timeout": CONNECT_SECONDS,
                    "application_name": "creditatlas",
                    "keepalives_idle": 5,
                    "keepalives_interval": 2,
                    "keepalives_count": 2,
                    "tcp_user_timeout": 5_000,
                }
                self._pool = ConnectionPool(
                    make_conninfo("", **(default | self._given)),
                    connection_class=Connection,
                    kwargs={
                        "autocommit": True,
                        "row_factory": dict_row,
                        # Prepared statements live in one session; a pooler between may change it.
                        "prepare_threshold": None,
                        "failed": self._failed,
                    },
                    configure=self._begin,
                    min_size=0,
                    max_size=_MOST,
                    reconnect_timeout=_AGAIN_SECONDS,
                    num_workers=1,
                    open=True,
                )
            return self._pool

    def _answering(self, pool: ConnectionPool[Connection]) -> Connection:
        """A connection that has answered just now. Raises PoolTimeout, psycopg.Error."""
        cut: psycopg.Error = psycopg.OperationalError("it cut the connection")
        for _ in range(2):
            connection = self._taken(pool)
            try:
                self._ask(connection)
            except psycopg.Error as error:
                pool.putconn(connection)
                if isinstance(error, Silent):
                    raise
                # It was cut while nobody used it, and so were those beside it.
                pool.drain()
                cut = error
            else:
                self._fault = None
                return connection
        raise cut

    def _taken(self, pool: ConnectionPool[Connection]) -> Connection:
        if not self._fault:
            with suppress(PoolTimeout):
                return pool.getconn(_SOON_SECONDS)
        return pool.getconn(_DOWN_SECONDS if self._fault else WAIT_SECONDS - _SOON_SECONDS)

    def _failed(self, error: psycopg.Error) -> None:
        self._fault = error

    def _down(self, pool: ConnectionPool[Connection], error: Silent) -> None:
        """Remembers that the database is down: connections that nobody uses would be as silent."""
        self._fault = error
        pool.drain()

    def _ask(self, connection: Connection) -> None:
        """Asks the question of this use. Raises Silent, psycopg.Error."""
        with connection.waiting(CONNECT_SECONDS):
            try:
                connection.said = connection.execute(self._use.question.encode()).fetchone()
            except psycopg.errors.UndefinedTable:  # it answers, and nothing was made yet
                connection.said = None

    def _begin(self, connection: Connection) -> None:
        """Sets the session's limits of time and where its tables are. Raises psycopg.Error."""
        with connection.waiting(CONNECT_SECONDS):
            connection.execute(
                "SELECT set_config('statement_timeout', %s, false), "
                "set_config('lock_timeout', %s, false), set_config('timezone', 'UTC', false), "
                "set_config('search_path', %s, false), "
                # What is acknowledged must be on disk, whatever the database's own default says.
                "set_config('synchronous_commit', CASE current_setting('synchronous_commit') "
                "WHEN 'off' THEN 'on' WHEN 'local' THEN 'on' "
                "ELSE current_setting('synchronous_commit') END, false)",
                (
                    f"{self._statement_seconds * 1000:.0f}",
                    f"{_LOCK_SECONDS * 1000:.0f}",
                    self._use.schema,
                ),
            )
