"""Lines and sections of a digest. Words from outside are on one line each, and not escaped."""

from dataclasses import dataclass
from typing import Final

from services.contract.queries import shortened

#: Loans that a section lists; of the others it is said how many there are.
MOST_LOANS: Final = 25
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class Line:
    """A loan of which there is something to say."""

    #: Property and loan number.
    name: str
    #: What it is and how it stands, in one line.
    facts: str
    #: What happened, a sentence each.
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Loans under one heading."""

    heading: str
    loans: tuple[Line, ...]
    #: What is said where not all are listed, or none is.
    rest: str = ""


def named(property_name: str | None, loan_number: str) -> str:
    """A loan by its property, where that has a name, and its number."""
    return plain(f"{property_name} ({loan_number})" if property_name else loan_number)


def plain(text: str) -> str:
    """On one line, and not endless."""
    return shortened(" ".join(text.split()), _LONGEST)
