"""How tables of a desk are read and written, whichever database holds them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

Row = Mapping[str, Any]


class Question(NamedTuple):
    """A statement that reads, its values, and since which migration there is anything to read."""

    sql: str
    values: Sequence[object]
    since: int = 1


class Transaction(Protocol):
    """One transaction that has begun. Parameters are written as question marks."""

    #: After a SELECT whose rows nobody else changes until this transaction ends.
    locking: str

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Runs a statement; the rows that it gives, by column."""
        ...

    def many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Runs one statement with each of many values."""
        ...

    def alone(self, owner: str) -> None:
        """Waits until no other transaction counts what this owner has."""
        ...


def places(values: Iterable[object]) -> str:
    """Question marks for values of a statement."""
    return ", ".join("?" for _ in values)
