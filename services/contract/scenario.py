"""What if: rates, NOI and cap rates other than they are, and what that would make of the loans."""

from typing import Annotated, Any, ClassVar, Final

from pydantic import AfterValidator, BeforeValidator, Field

from .aggregates import Share
from .facts import Fact, by_name
from .loan_filter import LoanFilter
from .queries import Lower, Number
from .records import Record
from .vocabulary import UNGRADED

#: Reference rates that a scenario moves each by itself, and the field of Scenario that does.
TENORS: Final = {
    "DGS5": "rate_5",
    "DGS7": "rate_7",
    "DGS10": "rate_10",
    "SOFR": "rate_short",
}

#: A shift of a reference rate, basis points.
RateShift = Annotated[Number, Field(ge=-200, le=300)]
#: A change of NOI, percent.
NoiChange = Annotated[Number, Field(ge=-30, le=10)]
#: A rise of the cap rate, basis points.
CapShift = Annotated[Number, Field(ge=0, le=200)]


class Scenario(Record):
    """Reference rates, NOI and cap rates against what they are; all zero is the book as it is."""

    #: Shifts of the Treasuries that refi rates rest on, each of its own tenor.
    rate_5: RateShift = 0
    rate_7: RateShift = 0
    rate_10: RateShift = 0
    #: Shift of the index that floating loans follow, whichever it is.
    rate_short: RateShift = 0
    noi: NoiChange = 0
    cap: CapShift = 0

    @classmethod
    def of(
        cls,
        rates: float | None = None,
        noi: float | None = None,
        cap: float | None = None,
        **by_tenor: float | None,
    ) -> "Scenario":
        """All rates by one shift, but those of `by_tenor` by their own; null is no change."""
        shifts: dict[str, float] = dict.fromkeys(TENORS.values(), rates or 0)
        shifts |= {name: shift for name, shift in by_tenor.items() if shift is not None}
        return cls(**shifts, noi=noi or 0, cap=cap or 0)


#: Parameters that say what a scenario shifts, in the order of ScenarioFilter.
SHIFTS: Final = ("rates", *TENORS.values(), "noi", "cap")


class ScenarioFilter(LoanFilter):
    """Which loans, in which scenario. None is no change."""

    rates: RateShift | None = None
    rate_5: RateShift | None = None
    rate_7: RateShift | None = None
    rate_10: RateShift | None = None
    rate_short: RateShift | None = None
    noi: NoiChange | None = None
    cap: CapShift | None = None

    slicing: ClassVar[frozenset[str]] = LoanFilter.slicing | frozenset(SHIFTS)

    def shifts(self, suffix: str = "") -> dict[str, float | None]:
        """What is shifted, by parameter; those of a further scenario end in `suffix`."""
        return {name: getattr(self, f"{name}{suffix}") for name in SHIFTS}

    def loans(self) -> LoanFilter:
        """The loans, in no order and on no page."""
        return self.part(LoanFilter, sliced=False)


def _move(value: object) -> object:
    return tuple(value.split(",")) if isinstance(value, str) else value


def _two(value: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(value) != 2:  # noqa: PLR2004 - from and to
        raise ValueError(
            f"must be two severities with a comma between; without a signal: {', '.join(UNGRADED)}"
        )
    return value


#: From one worst severity to another, or words of UNGRADED.
Change = Annotated[tuple[Lower, ...], BeforeValidator(_move), AfterValidator(_two)]


class MovedFilter(LoanFilter):
    """Loans whose worst severity a scenario changes; with `move` those of one move."""

    move: Change | None = None

    def loans(self) -> LoanFilter:
        """The loans among which they are."""
        return self.part(LoanFilter)


class Short(Record):
    """Loans that new proceeds do not repay at maturity."""

    loans: int
    #: What they lack, of the records' parts.
    dollars: int


class Move(Record):
    """Loans of one worst severity now and one in the scenario, which may be the same."""

    #: Severity words, or words of UNGRADED.
    before: str
    after: str
    loans: int
    book_value: int
    short_before: int
    short_after: int


class HorizonMoves(Record):
    """What loans that must be refinanced within one of HORIZONS lack, now and in the scenario."""

    word: str
    loans: int
    short_before: int
    short_after: int


class TypeMoves(Record):
    """The loans of one property type."""

    #: None for loans without one.
    property_type: str | None
    loans: int
    book_value: int
    worse: Share
    better: Share
    short_before: int
    short_after: int


#: DSCR under which coverage is thin, whatever the property type.
THIN_COVERAGE: Final = 1.25


class FloatingStage(Record):
    """Floating loans at one level of their index."""

    #: What borrowers pay after bought caps, percent, weighted by book value; None without any.
    coupon: float | None
    at_floor: Share
    at_cap: Share
    #: Loans by DSCR in place: under THIN_COVERAGE, and of them those under 1.00x.
    thin: Share
    uncovered: Share


class FloatingLoans(Record):
    """The floating loans that owe and are not defeased."""

    loans: int
    book_value: int
    now: FloatingStage
    then: FloatingStage
    #: In the scenario, once the caps that borrowers have bought have expired.
    uncapped: FloatingStage


class WhatIf(Record):
    """What a scenario would make of the loans that match a filter."""

    loans: int
    book_value: int
    #: By severity before, then after, mildest first; moves that no loan makes are left out.
    moves: tuple[Move, ...]
    worse: Share
    better: Share
    #: At refinance, as they are and in the scenario.
    short_before: Short
    short_after: Short
    #: By book value, the largest first.
    by_type: tuple[TypeMoves, ...]
    #: All of HORIZONS, in their order, and SINCE where some are in it (contract/maturities.py).
    by_horizon: tuple[HorizonMoves, ...]
    #: None where no loan floats.
    floating: FloatingLoans | None
    #: What keeps the scenario from parts of the loans -> those loans.
    out_of_reach: tuple[tuple[str, Share], ...]


class MovedLoan(Record):
    """A loan of which a scenario changes the worst severity, or that was asked for by its move."""

    loan_number: str
    property_type: str | None
    property_city: str | None
    property_state: str | None
    book_value: int | None
    #: Severity words, or words of UNGRADED.
    severity_before: str
    severity_after: str
    #: At refinance; None where not testable.
    dollars_short_before: int | None
    dollars_short_after: int | None


#: Columns of `Scenarios.moved_batches`.
MOVED_EXPORT: Final = tuple(MovedLoan.model_fields)
#: What columns of moves and of loans that move hold, where they are not those of loans.
FACTS: Final = by_name(
    Fact("before", "severity", "Worst signal now"),
    Fact("after", "severity", "Worst signal in the scenario"),
    Fact("severity_before", "severity", "Worst signal now"),
    Fact("severity_after", "severity", "Worst signal in the scenario"),
    Fact("short_before", "dollars", "Dollars short now"),
    Fact("short_after", "dollars", "Dollars short in the scenario"),
    Fact("dollars_short_before", "dollars", "Dollars short now"),
    Fact("dollars_short_after", "dollars", "Dollars short in the scenario"),
)
