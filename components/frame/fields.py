"""What a field is filled in with: words of a list, one of them, a figure, a day, letters.

Each kind says what the browser draws of it, and reads what the browser sends: no more than an
address could say.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Generic, TypeVar

from components.kit import text
from components.kit.formatting import count, fixed
from services.contract.errors import InvalidRequest
from services.contract.queries import Query

T = TypeVar("T")
#: Words of a list with how many records each would find; empty where that is not known.
Counts = Mapping[str, int]
EARLIEST: Final = date(1900, 1, 1)
LATEST: Final = date(2200, 12, 31)
#: Letters of a word, as a parameter takes them.
_LONGEST: Final = 200
#: The words of a question whether something is so.
YES_NO: Final = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(ABC, Generic[T]):
    """One kind of field, of values `T`."""

    #: What stands over it.
    label: str
    #: What stands in it while it is empty.
    empty: str = ""
    #: What is said when it is pointed at.
    help: str = ""
    #: Whether its label is for screen readers alone: what stands in it says enough.
    bare: bool = False
    #: Whether something always stands in it; where a figure is deleted the page has its own.
    required: bool = False

    @abstractmethod
    def sent(self, value: T | None) -> dict[str, Any]:
        """What the browser draws: the kind of field, its value, the ends of its range."""

    @abstractmethod
    def read(self, given: object) -> T | None:
        """What the browser sent, as a value, None for none. Raises ValueError or TypeError."""

    @abstractmethod
    def fault(self, value: T) -> str:
        """What a value has to do that this field can hold; empty where it can hold this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Several(Field[tuple[str, ...]]):
    """Some of a list of words."""

    #: Empty where any word may be one: those that were counted are offered.
    options: tuple[str, ...]
    write: Callable[[str], str] = str
    #: Whether capital letters count in its words.
    exact: bool = True

    def sent(self, value: tuple[str, ...] | None) -> dict[str, Any]:
        """The words chosen."""
        return {"kind": "several", "chosen": list(value or ())}

    def offered(self, value: Sequence[str] | None, counts: Counts) -> list[dict[str, str]]:
        """What can be chosen: the word, how it reads, how many records it would find."""
        if not self.exact:
            counts = _folded(counts)
        listed = self.options or sorted({*counts, *(value or ())})
        return [_option(word, self.write(word), counts) for word in listed]

    def read(self, given: object) -> tuple[str, ...] | None:
        """The words, in their order."""
        if not isinstance(given, list) or not all(map(_short, given)) or self.fault(tuple(given)):
            raise ValueError(given)
        return tuple(sorted(set(given))) or None

    def fault(self, value: tuple[str, ...]) -> str:
        """Other words than those of the list."""
        fits = not self.options or set(value) <= set(self.options)
        return "" if fits else f"be one of {', '.join(self.options)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class One(Field[T]):
    """One word of a list, each of which means a value."""

    words: Mapping[str, T]
    write: Callable[[str], str] = str

    def sent(self, value: T | None) -> dict[str, Any]:
        """The word chosen, in a list of one."""
        chosen = [word for word, means in self.words.items() if means == value]
        return {"kind": "one", "chosen": chosen}

    def offered(self, _value: T | None, counts: Counts) -> list[dict[str, str]]:
        """The words, and how many records each would find."""
        return [_option(word, self.write(word), counts) for word in self.words]

    def read(self, given: object) -> T | None:
        """What the word means."""
        match given:
            case [] if not self.required:
                return None
            case [str(word)] if word in self.words:
                return self.words[word]
        raise ValueError(given)

    def fault(self, value: T) -> str:
        """What no word means."""
        return "" if value in self.words.values() else f"be one of {', '.join(self.words)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Field[float]):
    """A figure, as a reader types it: 65, 2,500,000, 2.5m."""

    low: float
    high: float
    #: What an arrow key adds.
    step: float
    whole: bool = False
    #: Digits after the point that are shown, as many as there are where None.
    digits: int | None = None

    def sent(self, value: float | None) -> dict[str, Any]:
        """The figure as it stands in the field, its range, and what is said of another."""
        return {
            "kind": "number",
            "value": "" if value is None else self._shown(value),
            "low": self.low,
            "high": self.high,
            "step": self.step,
            "whole": self.whole,
            "fault": f"A number from {self.low:,} to {self.high:,}",
        }

    def read(self, given: object) -> float | None:
        """The figure; dollars and months are whole."""
        if given is None:
            return None
        if isinstance(given, bool) or not isinstance(given, int | float) or self.fault(given):
            raise ValueError(given)
        return round(given) if self.whole else float(given)

    def fault(self, value: float) -> str:
        """Figures out of its range."""
        fits = math.isfinite(value) and self.low <= value <= self.high
        return "" if fits else f"lie from {self.low:,} to {self.high:,}"

    def _shown(self, value: float) -> str:
        if self.digits is not None:
            return fixed(value, self.digits)
        # What ends just below a class of a chart is shown as the end of the class.
        return f"{value:,}" if self.whole else f"{round(value, 6) + 0:g}"


def confidence(label: str, help_text: str) -> Number:
    """A confidence. Zero is a value: it leaves out what has none."""
    return Number(label=label, empty="Any, 0 to 1", low=0, high=1, step=0.05, help=help_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Day(Field[date]):
    """A day."""

    def sent(self, value: date | None) -> dict[str, Any]:
        """The day and its range, ISO."""
        low, high = EARLIEST.isoformat(), LATEST.isoformat()
        return {
            "kind": "day", "value": value.isoformat() if value else "", "low": low, "high": high,
        }  # fmt: skip

    def read(self, given: object) -> date | None:
        """The day."""
        if given is None:
            return None
        if not isinstance(given, str) or self.fault(value := date.fromisoformat(given)):
            raise ValueError(given)
        return value

    def fault(self, value: date) -> str:
        """Days that nobody means."""
        return "" if EARLIEST <= value <= LATEST else f"lie from {EARLIEST} to {LATEST}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters(Field[str]):
    """A name, or a part of one, as the reader knows it."""

    #: Whether it is what the page is asked by, and has more room.
    wide: bool = False
    #: As many letters as its parameter takes.
    longest: int = _LONGEST

    def sent(self, value: str | None) -> dict[str, Any]:
        """The letters, and how many there may be."""
        return {"kind": "letters", "value": value or "", "longest": self.longest, "wide": self.wide}

    def read(self, given: object) -> str | None:
        """The letters without white space around them."""
        if given is None:
            return None
        if not isinstance(given, str) or self.fault(given):
            raise ValueError(given)
        return given.strip() or None

    def fault(self, value: str) -> str:
        """Longer texts than a name is."""
        return "" if len(value) <= self.longest else f"have at most {self.longest} letters"


def check(fields: Mapping[str, Field[Any]], query: Query) -> None:
    """Raises InvalidRequest for a value that is sound but that its field cannot hold."""
    for name, field in fields.items():
        value = getattr(query, name)
        if value is not None and (fault := field.fault(value)):
            raise InvalidRequest(
                f"Parameter '{name}' is '{query.params()[name]}' but must {fault}", parameter=name
            )


def _option(word: str, label: str, counts: Counts) -> dict[str, str]:
    found = count(counts.get(word, 0)) if counts else ""
    return {"word": word, "label": text.line(label), "count": found}


def _short(word: object) -> bool:
    return isinstance(word, str) and len(word) <= _LONGEST


def _folded(counts: Counts) -> dict[str, int]:
    """Counts by word without capital letters."""
    folded: dict[str, int] = {}
    for word, number in counts.items():
        folded[word.casefold()] = folded.get(word.casefold(), 0) + number
    return folded
