"""Connections to a PostgreSQL database: a few, used again, and no waiting for one that is down.

Who meets a database that is down or frozen waits for it once, CONNECT_SECONDS at most. From then
on calls are refused at once with the same sentence, while a thread asks for it; as soon as it
answers calls go through again. So nobody is held up by a database that is known to be down.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row
from pydantic import SecretStr

from services.contract.errors import CreditAtlasError, SettingsInvalid
from services.contract.queries import shortened

Failed = TypeVar("Failed", bound=CreditAtlasError)
#: Longest wait for a connection, for one statement, and for a lock that another session holds.
CONNECT_SECONDS: Final = 3
STATEMENT_SECONDS: Final = 5.0
_LOCK_SECONDS: Final = 3.0
#: Between two looks whether an answer has come.
_LOOK_SECONDS: Final = 0.1
#: At most so many connections of one process.
_MOST: Final = 8
#: Between two questions whether a database that was down answers again: first, and at most.
_AGAIN_SECONDS: Final = 0.5
_LONGEST_SECONDS: Final = 10.0
#: After so long without a call nobody asks any more: the next call does.
_UNUSED_SECONDS: Final = 60.0
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
        self._slots = threading.BoundedSemaphore(_MOST)
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._down: Failed | None = None
        self._asked = 0.0
        self._closed = threading.Event()
        self._asker: threading.Thread | None = None

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
        self._asked = time.monotonic()
        down = self._down
        if down:
            raise type(down)(down.message)
        if not self._slots.acquire(timeout=self._statement_seconds):
            raise self.unavailable("all connections to it are in use")
        try:
            connection = self._answering()
            try:
                yield connection
            finally:
                self._back(connection)
        except Silent as error:
            raise self._found_down(error) from None
        except psycopg.Error as error:
            raise self.unavailable(str(error)) from None
        finally:
            self._slots.release()

    def close(self) -> None:
        """Ends the connections that nobody uses; those in use end when they come back."""
        self._closed.set()
        if self._asker:
            # A command that ends meanwhile would have it cut off, and libraries complain at length.
            self._asker.join(CONNECT_SECONDS)
        while (connection := self._taken()) is not None:
            connection.close()

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

    def _taken(self) -> Connection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _back(self, connection: Connection) -> None:
        if self._closed.is_set() or connection.closed or connection.info.transaction_status:
            connection.close()  # nobody wants it, broken, or in the middle of something
        else:
            with self._lock:
                self._idle.append(connection)

    def _answering(self) -> Connection:
        """A connection of before that still answers, else a new one."""
        while (connection := self._taken()) is not None:
            try:
                self._ask(connection)
            except Silent as error:  # the others would be as silent
                raise self._found_down(error) from None
            except psycopg.Error:
                connection.close()
            else:
                return connection
        try:
            connection = self._connected()
            self._ask(connection)
        except psycopg.Error as error:
            raise self._found_down(error) from None
        return connection

    def _ask(self, connection: Connection) -> None:
        """Asks the question of this use. Raises Silent, psycopg.Error."""
        with connection.waiting(CONNECT_SECONDS):
            try:
                connection.said = connection.execute(self._use.question.encode()).fetchone()
            except psycopg.errors.UndefinedTable:  # it answers, and nothing was made yet
                connection.said = None

    def _found_down(self, error: psycopg.Error) -> Failed:
        down = self.unavailable(str(error))
        self._ask_again(down)
        return down

    def _connected(self) -> Connection:
        # A server that vanishes without a word must not hold a page for minutes.
        default: dict[str, str | int] = {
            "connect_timeout": CONNECT_SECONDS,
            "application_name": "creditatlas",
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "keepalives_count": 2,
            "tcp_user_timeout": 5_000,
        }
        address = make_conninfo("", **(default | self._given))
        # Prepared statements live in one session, and a pooler between may change it.
        connection = Connection.connect(
            address, autocommit=True, row_factory=dict_row, prepare_threshold=None
        )
        try:
            with connection.waiting(CONNECT_SECONDS):
                self._begin(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin(self, connection: Connection) -> None:
        """Sets the session's limits of time and where its tables are. Raises psycopg.Error."""
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

    def _ask_again(self, down: Failed) -> None:
        """Remembers that it is down, and asks for it in the background until it answers."""
        with self._lock:
            if self._down:
                return
            self._down = down
            self._asker = threading.Thread(target=self._asking, name="database", daemon=True)
            self._asker.start()

    def _asking(self) -> None:
        pause = _AGAIN_SECONDS
        while time.monotonic() - self._asked < _UNUSED_SECONDS:
            if self._closed.wait(pause):
                break
            pause = min(1.5 * pause, _LONGEST_SECONDS)
            try:
                connection = self._connected()
            except psycopg.Error as error:
                self._down = self.unavailable(str(error))
            else:
                self._back(connection)
                break
        self._down = None
