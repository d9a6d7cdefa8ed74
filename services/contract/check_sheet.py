"""A filing checked against itself and against the one before: what an analyst does by hand first
(D282).

Nothing here is a signal: a finding is a place where two figures of one filing, or of two, do not
agree, and which of them is wrong only its servicer can say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, Protocol

from .facts import FACT
from .records import Record

#: Dollars by which two balances may differ, and which part of them: filings state seven digits.
DOLLAR: Final = 1.0
PART: Final = 1e-6
#: The same of a month's interest, of which days and rate are rounded too, and of a coverage ratio.
INTEREST_DOLLARS: Final = 5.0
INTEREST_PART: Final = 0.002
COVERAGE: Final = 0.02
#: Part of the loans by which fewer may have a field than in the filing before.
FEWER: Final = 0.1

CheckName = Literal[
    "roll-forward", "opening balance", "missing", "new", "interest", "actual balance", "coverage",
    "reporting date", "duplicate", "fields",
]  # fmt: skip
#: Unit of the two figures of a finding.
Unit = Literal["dollars", "times", "share", ""]


@dataclass(frozen=True, slots=True)
class CheckKind:
    """One check: its name, and in one sentence what must hold."""

    label: str
    holds: str
    #: What a finding's two figures are.
    unit: Unit
    expected: str = ""
    filed: str = ""
    #: Whether it needs the filing before too.
    of_two: bool = False


#: The checks, in their order.
CHECKS: Final[Mapping[CheckName, CheckKind]] = {
    "roll-forward": CheckKind(
        "Roll-forward",
        "Opening balance less principal, and less the loss where one ends the loan, is the closing"
        " balance.",
        "dollars", "Rolled forward", "Closing balance",
    ),
    "opening balance": CheckKind(
        "Opening balance",
        "The opening balance is the closing balance of the filing before.",
        "dollars", "Closing balance before", "Opening balance", of_two=True,
    ),
    "missing": CheckKind(
        "Records missing", "Every record of the filing before that owed something is still there.",
        "dollars", "Balance before", of_two=True,
    ),
    "new": CheckKind(
        "Records added",
        "Every loan that was made before the year of the filing before was in it.",
        "dollars", "", "Balance", of_two=True,
    ),
    "interest": CheckKind(
        "Interest",
        "Scheduled interest is the opening balance at the coupon, for the days of a month.",
        "dollars", "Computed", "Scheduled interest",
    ),
    "actual balance": CheckKind(
        "Actual balance",
        "A loan that is paid to date owes its scheduled balance.",
        "dollars", FACT["scheduled_balance"].label, "Actual balance",
    ),
    "coverage": CheckKind(
        "Coverage",
        "The DSCR is the filed income over the filed debt service.",
        "times", "Computed", FACT["dscr"].label,
    ),
    "reporting date": CheckKind(
        "Reporting date", "Every record reports for the date that most of them report for.", "",
    ),
    "duplicate": CheckKind(
        "Duplicates",
        "No two loans have the same property, city and original amount.",
        "dollars", "", FACT["original_amount"].label,
    ),
    "fields": CheckKind(
        "Fields",
        "No field is filled for fewer loans than before, by a tenth of them.",
        "share", "Filled before", "Filled", of_two=True,
    ),
}  # fmt: skip

#: What is added up: balances as filed, to the cent, and the book value that all pages count.
SumName = Literal["scheduled balance", "actual balance", "book value"]


class Balance(Record):
    """The sum of one kind of balance over the records of a filing."""

    of: SumName
    #: Whether records that are the sum of others are added too, so that their dollars count twice.
    every_record: bool
    #: Records that state it.
    records: int
    #: US dollars and cents.
    dollars: float


#: What a balance falls by, in a roll-forward.
PRINCIPAL: Final = (
    *("scheduled_principal", "unscheduled_principal"),
    *("other_principal", "non_cash_principal"),
)


class RollForward(Record):
    """The balances of a filing, rolled forward; of records that are no sum of others and state both
    ends. US dollars and cents.
    """

    records: int
    opening: float
    scheduled_principal: float
    unscheduled_principal: float
    other_principal: float
    #: As CREFC files have it: written off, or changed by a modification.
    non_cash_principal: float
    #: Realized losses that end a loan: without them its balance would not close.
    losses: float
    closing: float

    @property
    def principal(self) -> float:
        """All kinds of it; what adds to the balance is negative."""
        kinds: list[float] = [getattr(self, name) for name in PRINCIPAL]
        return round(sum(kinds), 2)

    @property
    def rolled(self) -> float:
        """The opening balance, less principal and losses."""
        return round(self.opening - self.principal - self.losses, 2)


class Check(Record):
    """How one check came out."""

    check: CheckName
    #: Records, or fields, that state what it needs.
    tested: int
    found: int


class Finding(Record):
    """A place where a check does not hold."""

    check: CheckName
    #: None of a field.
    loan_number: str | None = None
    property_name: str | None = None
    #: Name of a fact; None of a loan.
    field: str | None = None
    #: In the unit of the check; None where it has none.
    expected: float | None
    filed: float | None
    #: A date, or the number of another loan; empty where the figures say it all.
    remark: str = ""

    @property
    def difference(self) -> float | None:
        """Filed less expected."""
        if self.expected is None or self.filed is None:
            return None
        return round(self.filed - self.expected, 4)

    @property
    def size(self) -> float:
        """By how much it is off; of a record that is there once, all of it."""
        off = (self.difference, self.filed, self.expected)
        return abs(next((one for one in off if one is not None), 0))


class Filing(Record):
    """One filing of one source."""

    source: str
    title: str
    as_of: date
    #: The filing before of the same source; None without one.
    before: date | None
    file: str | None
    records: int
    #: None where no record states both ends.
    roll: RollForward | None


class CheckedFiling(Filing):
    """How many findings a filing has."""

    #: How many of the checks any record states enough for.
    tested: int
    #: Findings by check, all of them.
    found: Mapping[CheckName, int]


class CheckSheet(Filing):
    """One filing with all findings."""

    #: How many loans its records are of, and how many of the records are no sum of others.
    loans: int
    notes: int
    balances: tuple[Balance, ...]
    #: In the order of CHECKS.
    checks: tuple[Check, ...]
    #: By check, in that order, the largest first, then by loan_number or field.
    findings: tuple[Finding, ...]


class CheckSheets(Protocol):
    """Filings, checked."""

    def checked_filings(self, source: str | None = None) -> list[CheckedFiling]:
        """Every filing of a source, by its key, the newest one first; None: of each source its
        newest one, by date, then key.

        Raises NotFound, and NoHistory of a snapshot that keeps no filing.
        """
        ...

    def check_sheet(self, source: str, as_of: date | None = None) -> CheckSheet:
        """The filing of a source, by its key, as of a date; None: its newest one.

        Raises NotFound, and NoHistory of a snapshot that keeps no filing.
        """
        ...
