"""What tools are asked, where that is no query of the contract by itself."""

from typing import Annotated, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field

from services.contract.columns import BRIEF, COLUMN
from services.contract.history import HistoryQuery
from services.contract.loan_filter import LoanFilter
from services.contract.queries import Exact, Lower, Question, WholeNumber, listed
from services.contract.source import RankedBy


def _columns(names: tuple[str, ...]) -> tuple[str, ...]:
    if unknown := [name for name in names if name not in COLUMN]:
        raise ValueError(
            f"has '{unknown[0][:60]}', which is no column; the glossary names them all"
        )
    return tuple(dict.fromkeys(names))


class OneLoan(Question):
    """One loan, by its exact number."""

    loan_number: Exact


class LoanSearch(LoanFilter):
    """Which loans, and what to say of each."""

    columns: Annotated[
        tuple[str, ...],
        BeforeValidator(listed),
        Field(min_length=1, max_length=40),
        AfterValidator(_columns),
    ] = BRIEF

    slicing: ClassVar[frozenset[str]] = LoanFilter.slicing | {"columns"}


class LoanOverTime(HistoryQuery):
    """One loan, and which part of its line."""

    loan_number: Exact
    #: So many dates at most, the newest ones.
    most: Annotated[WholeNumber, Field(ge=1, le=120)] = 24

    slicing: ClassVar[frozenset[str]] = frozenset({"most"})

    def part_asked(self) -> HistoryQuery:
        """The question to the loan's line."""
        return HistoryQuery(since=self.since, until=self.until, sponsors=self.sponsors)


class SignalsOfLoan(Question):
    """The signals of a loan, or the one of a type: a loan has at most one of each."""

    loan_number: Exact
    signal_type: Lower | None = None


class Concentrated(LoanFilter):
    """Which loans, by what they are grouped, and how many groups."""

    by: RankedBy
    groups: Annotated[WholeNumber, Field(ge=1, le=50)] = 10

    slicing: ClassVar[frozenset[str]] = LoanFilter.slicing | {"by", "groups"}


class Everything(Question):
    """The whole book: nothing is to be said."""
