"""The scope of every page: everything, the loans of your own tapes, those you watch, or a saved
set (D230).

A query carries its scope as one value: `book` or `set:ID` in an address, with the loan numbers
beside it once the desk was asked (frame/scope.py). Two scopes are equal where their stamps are, so
that a set of a hundred thousand loans is compared, hashed and remembered as a dozen letters.
"""

import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Annotated, Final, Literal, Self

from pydantic import BeforeValidator, InstanceOf, PlainSerializer

from .records import Record
from .snapshot_info import Snapshot

ScopeKind = Literal["book", "watched", "set"]
#: The importer whose sources are the user's own book.
OWN_IMPORTER: Final = "tape"
_SET: Final = re.compile(r"set:([0-9a-f]{16})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which loans a page is about. A store answers `book` by itself, the others by `numbers`."""

    kind: ScopeKind
    set_id: str = ""
    #: What `numbers` are known by; blank where the desk was not asked yet.
    stamp: str = ""
    numbers: tuple[str, ...] | None = field(default=None, compare=False, repr=False)
    #: As a sentence names it: "My book".
    name: str = field(default="", compare=False)

    def __str__(self) -> str:
        """As an address has it."""
        return f"set:{self.set_id}" if self.kind == "set" else self.kind

    @property
    def key(self) -> str:
        """What answers about it are remembered by."""
        return f"{self}@{self.stamp}"

    @classmethod
    def of(cls, kind: ScopeKind, numbers: tuple[str, ...], name: str, set_id: str = "") -> Self:
        """A scope whose loans are known."""
        stamp = sha256("\n".join(numbers).encode(errors="replace")).hexdigest()[:16]
        return cls(kind, set_id, stamp, numbers, name)


BOOK: Final = Scope("book", name="My book")
WATCHED: Final = Scope("watched", name="Watched by you")


def scope_of(value: object) -> object:
    """The scope that an address names, its numbers not known yet. Raises ValueError."""
    if not isinstance(value, str):
        return value
    named = {str(one): one for one in (BOOK, WATCHED)}
    if found := named.get(value):
        return found
    if found_set := _SET.fullmatch(value):
        return Scope("set", found_set[1])
    raise ValueError("must be book, watched, or set: and the id of a saved set")


#: A field of a query.
Scoped = Annotated[
    InstanceOf[Scope], BeforeValidator(scope_of), PlainSerializer(lambda one: one.key, str)
]


class Holding(Record):
    """How much of a party's loans a scope holds, and how the others are."""

    #: Loans, several notes of one counted once.
    loans: int
    held: int
    #: US dollars of the records held, each once.
    held_book_value: int
    #: Of the loans that are not held, those with a critical signal, and with a severe one at worst.
    others_critical: int
    others_severe: int


def own_sources(snapshot: Snapshot) -> tuple[str, ...]:
    """Keys of the sources that the user's own tapes were loaded as."""
    return tuple(one.key for one in snapshot.sources if one.importer == OWN_IMPORTER)
