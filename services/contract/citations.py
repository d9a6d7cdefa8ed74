"""Where a figure of a loan comes from: raw value as filed, or formula with its inputs (D246).

A filed figure names element, record, file and hash; a computed one its formula, and of each input
the citation that it has itself. So every figure can be recomputed from citations alone.
"""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Final, Literal, Protocol

from .facts import Kind
from .records import LoanDetail, Record

#: What is said of a figure whose way from the file is not kept.
NOT_KEPT: Final = "Its place in the file is not kept"
#: Of a fact that several elements decide together, or a rule over them.
BY_RULE: Final = "By a rule over several values; no single place or formula gives it"
#: Of a loan of the demonstration, and of one that an API answered.
MADE_UP: Final = "Made up: no document has it"
ANSWERED: Final = "As the service answered; it names no document"

Value = str | bool | int | float | None
#: How a figure came to be: a source states it, or it follows from others by a formula.
Basis = Literal["filed", "computed"]


class Place(Record):
    """One value of a record, as it stands in the file."""

    record: str
    element: str
    raw: str


class Said(Record):
    """What an importer made one fact of."""

    places: tuple[Place, ...] = ()
    #: What was done, with element names; and with the raw values filled in. Empty: taken as it is.
    formula: str = ""
    filled: str = ""


class Input(Record):
    """One input of a formula."""

    name: str
    value: float
    #: Key of the citation that says where it comes from; None of a table or a count.
    of: str | None = None
    #: Which table or count it is from, where no citation says so.
    said: str = ""


class Citation(Record):
    """Where one figure comes from."""

    #: Name of the fact, or of the computed figure; unique within a loan.
    key: str
    label: str
    kind: Kind
    #: A date as YYYY-MM-DD. None: not known, and `why` says why.
    value: Value
    why: str = ""
    basis: Basis
    places: tuple[Place, ...] = ()
    formula: str = ""
    #: The same with figures in place of names: an expression whose value is `value`.
    filled: str = ""
    inputs: tuple[Input, ...] = ()
    source: str = ""
    #: Name of the file, and SHA-256 of its content; None where a source has none.
    file: str | None = None
    sha256: str | None = None
    as_of: date | None = None
    #: What an income is of: "NCF, 1 Jan to 31 Mar 2024, 3 months, annualised".
    period: str = ""
    provenance: str = ""
    #: What made it, with the version: the rules of an importer, or the tables that scored it.
    rule: str = ""
    #: What cannot be said.
    limit: str = ""


class LoanCitations(Record):
    """Of one loan, facts first, then what is computed; by `key` each is there once."""

    loan_number: str
    citations: tuple[Citation, ...]

    def by_key(self) -> Mapping[str, Citation]:
        """The same by key."""
        return {one.key: one for one in self.citations}


class Citations(Protocol):
    """Where figures come from. Asked for one loan at a time."""

    def citations(self, loan_number: str) -> LoanCitations:
        """Of every figure of a loan's dossier. Raises NotFound, NotRescored."""
        ...


class FiledRecords(Protocol):
    """Reads a loan's facts again from the file that it was imported from."""

    def facts(self, importer: str, file: Path, loan: LoanDetail) -> Mapping[str, Said]:
        """By name of the fact; empty where the importer does not say, or the file has no such loan.

        What a fact was made of is said only where that gives the fact again.
        """
        ...
