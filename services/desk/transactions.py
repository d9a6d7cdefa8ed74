"""How tables of a desk are read and written, whichever database holds them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from services.contract.errors import DeskUnavailable

T = TypeVar("T")
Row = Mapping[str, Any]


class Transaction(Protocol):
    """One transaction that has begun. Parameters are written as question marks."""

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Runs a statement; the rows that it gives, by column."""
        ...

    def alone(self, owner: str) -> None:
        """Waits until no other transaction counts what this owner has."""
        ...

    def steady(self) -> None:
        """Lets all that is read from now on be of one moment. Comes first."""
        ...


class Tables(ABC):
    """The tables of a desk. `clock` says what time it is, in UTC."""

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._clock = clock

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Transaction]:
        """One transaction, on disk when the block has ended; undone by any error.

        Raises DeskUnavailable.
        """

    @abstractmethod
    def _rows(self, sql: str, values: Sequence[object], since: int) -> list[Row]:
        """What a statement reads; nothing where the tables are older than migration `since`.

        Raises DeskUnavailable.
        """

    @abstractmethod
    def _unreadable(self, why: str) -> DeskUnavailable:
        """The sentence for an entry that does not read."""

    def _now(self) -> str:
        return self._clock().isoformat(timespec="microseconds")

    def _read(
        self, sql: str, values: Sequence[object], made: Callable[[Row], T], since: int = 1
    ) -> tuple[T, ...]:
        """What the rows of a statement are made into."""
        try:
            return tuple(map(made, self._rows(sql, values, since)))
        except ValueError:
            raise self._unreadable("an entry does not read") from None


def places(values: Iterable[object]) -> str:
    """Question marks for values of a statement."""
    return ", ".join("?" for _ in values)
