"""Scenarios as frames: the moves from one worst severity to another, and the loans that move."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import pandas as pd
import pyarrow as pa

from services.contract.errors import NotRescored
from services.contract.loan_filter import LoanFilter
from services.contract.scenario import (
    MOVED_EXPORT,
    CapShift,
    Change,
    MovedFilter,
    NoiChange,
    RateShift,
    Scenario,
)

from .asking import asked, in_words
from .columns import OF_MOVED, OF_MOVES
from .frame import of_rows, of_table
from .reading import Reading

_SHIFTS: Final = ("rates", "rate_5", "rate_7", "rate_10", "noi", "cap")


class ScenarioFilter(LoanFilter):
    """Which loans, in which scenario; the parameters of the page What if."""

    rates: RateShift | None = None
    rate_5: RateShift | None = None
    rate_7: RateShift | None = None
    rate_10: RateShift | None = None
    noi: NoiChange | None = None
    cap: CapShift | None = None

    slicing: ClassVar[frozenset[str]] = LoanFilter.slicing | frozenset(_SHIFTS)

    @property
    def scenario(self) -> Scenario:
        """Rates, NOI and cap rates against what they are."""
        return Scenario.of(**{name: getattr(self, name) for name in _SHIFTS})

    @property
    def said(self) -> str:
        """Loans and shifts in words."""
        shifts = [f"{name} {one:+g}" for name in _SHIFTS if (one := getattr(self, name))]
        return "; ".join([*shifts, in_words(self) or "all loans"])


class MovedScenarioFilter(ScenarioFilter):
    """The loans that a scenario moves; with `move`, those of one move."""

    move: Change | None = None

    slicing: ClassVar[frozenset[str]] = ScenarioFilter.slicing | {"move"}


def what_if(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Moves by loans and dollars; see Atlas.what_if."""
    _of_our_rules(reading)
    query = asked(ScenarioFilter, given)
    found = reading.figures.what_if(_loans(query), query.scenario)
    plain = found.model_dump(exclude={"moves", "by_type", "out_of_reach"})
    missed = {why: share.loans for why, share in found.out_of_reach}
    said: dict[str, Any] = {
        "what": "moves in a scenario",
        "filters": query.said,
        "totals": {**plain, "out_of_reach": missed},
    }
    return of_rows((dict(one) for one in found.moves), OF_MOVES, said | reading.said)


def moved_loans(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """The loans that move; see Atlas.moved_loans."""
    _of_our_rules(reading)
    query = asked(MovedScenarioFilter, given)
    moved = MovedFilter(**_loans(query).filters(), move=query.move)
    batches = reading.figures.moved_batches(moved, query.scenario)
    of = [OF_MOVED[name] for name in MOVED_EXPORT]
    said = {"what": "loans that move in a scenario", "filters": query.said}
    return of_table(pa.Table.from_batches(batches), of, said | reading.said)


def _loans(query: ScenarioFilter) -> LoanFilter:
    return LoanFilter(
        **{name: one for name, one in query.filters().items() if name in LoanFilter.model_fields}
    )


def _of_our_rules(reading: Reading) -> None:
    """Raises NotRescored over an API, with its mirror or without (D44)."""
    if reading.kind == "api":
        raise NotRescored.of_source()
