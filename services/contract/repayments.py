"""What became of the loans that came due while filings were kept: how many of how many were repaid
in time, by property type and by debt yield a year before (D284).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final, Literal, Protocol

from .aggregates import class_bounds
from .history import OverTime
from .proportion import interval
from .records import Record
from .scope import Scoped

#: Months before its due date at which a loan is looked at.
NOTICE: Final = 12
#: Months after its due date within which a loan counts as repaid in time.
Grace = Literal[0, 3, 12]
#: Upper ends of the classes of debt yield, percent figures; a class holds its lower end.
DEBT_YIELDS: Final = (7.0, 8.0, 10.0, 12.0)
#: Those classes, each from its lower to its upper end; the last is that of loans without one.
CLASSES: Final = class_bounds(DEBT_YIELDS)
#: What a loan that came due has come to. Of "unknown" nothing is known: it is in no share.
OUTCOMES: Final = ("repaid", "extended", "unpaid", "liquidated", "unknown")


class RepaymentQuery(OverTime):
    """Which loans that came due, by what the filing says in which they are looked at."""

    scope: Scoped | None = None
    grace: Grace = 0

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page"})


class DueLoans(Record):
    """Loans of one property type and class of debt yield that came due, by what they came to.

    A loan of several notes counts once, by the record that represents it. Type, debt yield and
    dollars are those of the filing in which it is looked at.
    """

    property_type: str | None
    #: The debt yield is at least `low` and under `high`; both None where it is not known.
    low: float | None
    high: float | None
    #: Paid in full.
    repaid: int
    repaid_balance: int
    #: Still owed, and due on a later day than it was.
    extended: int
    extended_balance: int
    #: Still owed past its due date.
    unpaid: int
    unpaid_balance: int
    #: Liquidated, or paid off at a discount or with a loss.
    liquidated: int
    liquidated_balance: int
    #: Ended in a way that the source does not state, repurchased, defeased, or filed no more.
    unknown: int
    unknown_balance: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """Some of these loans together: by words of OUTCOMES loans, and US dollars."""

    loans: dict[str, int]
    balance: dict[str, int]

    @classmethod
    def of(cls, cells: Iterable[DueLoans]) -> "Outcome":
        """The loans of these cells."""
        found = list(cells)
        return cls(
            {word: sum(getattr(one, word) for one in found) for word in OUTCOMES},
            {word: sum(getattr(one, f"{word}_balance") for one in found) for word in OUTCOMES},
        )

    @property
    def known(self) -> int:
        """Loans of which it is known what they came to."""
        return sum(self.loans.values()) - self.loans["unknown"]

    @property
    def interval(self) -> tuple[float, float] | None:
        """Between which fractions the share repaid lies, 95 %; None without a known loan."""
        return interval(self.loans["repaid"], self.known) if self.known else None


class Repayments(Record):
    """The loans that came due, and which days are known."""

    #: By property type, then debt yield; None last.
    cells: tuple[DueLoans, ...]
    #: First and last due date of these loans; None without any.
    first: date | None
    last: date | None
    #: Loans that came due too: those of which no filing is as late as `grace` asks, and those that
    #: were not filed a year before.
    not_yet: int
    no_notice: int


class MaturityOutcomes(Protocol):
    """What became of loans that came due."""

    def repayments(self, query: RepaymentQuery) -> Repayments:
        """The loans that came due and match, by what they came to. Raises NoHistory."""
        ...
