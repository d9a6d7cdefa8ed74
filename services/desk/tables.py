"""The tables of a desk in either database: one write, what is read, whether all is whole."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeVar

from services.contract.errors import DeskUnavailable

from .health import Health, health_of
from .seals import Head, intact
from .transactions import Question, Row, Transaction
from .writing import Writing

T = TypeVar("T")
#: The migration since which rows are sealed, and found by the key of their owner's name.
SEALED_SINCE: Final = 4
#: What a statement asks for the rows of one owner: tables from before the keys give everybody's,
#: and what is not the owner's is left out when it is read.
MINE: Final = "owner_key = ?"
_EVERYBODYS: Final = "? <> ''"


class Answers(NamedTuple):
    """The rows that each statement read; why nothing can be written now, if that was asked."""

    rows: list[list[Row]]
    fault: DeskUnavailable | None


class Tables(ABC):
    """The tables of a desk. `clock` says what time it is, in UTC; `place` which desk it is."""

    def __init__(
        self, place: str, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._clock = clock
        self._health: Health = health_of(place)

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[Transaction]:
        """One transaction that writes, on disk when the block has ended; undone by any error.

        Raises DeskUnavailable.
        """

    @abstractmethod
    def _moment(self) -> AbstractContextManager[Transaction]:
        """One transaction that reads all as of one moment and keeps nobody from writing.

        Raises DeskUnavailable.
        """

    @abstractmethod
    def _asked(self, questions: Sequence[Question], *, to_write: bool = False) -> Answers:
        """What statements read, asked at once; `to_write` asks whether writing goes, too.

        Raises DeskUnavailable.
        """

    @abstractmethod
    def _unreadable(self, why: str) -> DeskUnavailable:
        """The sentence for an entry that does not read."""

    @abstractmethod
    def _damaged(self, what: str) -> DeskUnavailable:
        """The sentence for a desk that is not as it was written."""

    @abstractmethod
    def _kept(self, head: Head) -> None:
        """Keeps the newest head of the audit elsewhere, where there is anywhere else."""

    @abstractmethod
    def _allowed(self) -> None:
        """Raises NotPermitted where whoever acts may not write at all any more."""

    @contextmanager
    def _writing(self) -> Iterator[Writing]:
        """One write with its seals, on disk when the block has ended; undone by any error.

        Raises DeskUnavailable, NotPermitted.
        """
        if self._health.damage:
            raise self._health.damage
        self._allowed()
        with self._transaction() as desk:
            writing = Writing(desk)
            yield writing
            heads = writing.seal()
        if heads:
            self._kept(heads["audit"])

    def _now(self) -> str:
        return self._clock().isoformat(timespec="microseconds")

    def _rows(self, sql: str, values: Sequence[object], since: int = 1) -> list[Row]:
        """What one statement reads."""
        return self._asked([Question(sql, values, since)]).rows[0]

    def _made(
        self, rows: Sequence[Row], made: Callable[[Row], T], table: str | None = None
    ) -> tuple[T, ...]:
        """What rows are made into; one of `table` that is not as it was written is given as it
        reads, and the desk counts as damaged from now on.
        """
        try:
            found = tuple(map(made, rows))
        except (ValueError, TypeError):
            raise self._unreadable("an entry does not read") from None
        if table and any("digest" in row and not intact(table, row) for row in rows):
            self._health.found(self._damaged("an entry does not read as it was written"))
        return found

    def _read(
        self, sql: str, values: Sequence[object], made: Callable[[Row], T], since: int = 1
    ) -> tuple[T, ...]:
        """What the rows of a statement are made into."""
        return self._made(self._rows(sql, values, since), made)


def of_version(question: Question, version: int) -> str:
    """A statement as tables of this version can be asked."""
    return question.sql if version >= SEALED_SINCE else question.sql.replace(MINE, _EVERYBODYS)
