"""Scenarios as frames: the moves from one worst severity to another, and the loans that move."""

from collections.abc import Mapping
from typing import Any, ClassVar

import pandas as pd
import pyarrow as pa

from services.contract.errors import NotRescored
from services.contract.scenario import MOVED_EXPORT, Change, MovedFilter, Scenario, ScenarioFilter

from .asking import asked, in_words
from .columns import OF_MOVED, OF_MOVES
from .frame import of_rows, of_table
from .reading import Reading


class MovedScenarioFilter(ScenarioFilter):
    """The loans that a scenario moves; with `move`, those of one move."""

    move: Change | None = None

    slicing: ClassVar[frozenset[str]] = ScenarioFilter.slicing | {"move"}


def what_if(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Moves by loans and dollars; see Atlas.what_if."""
    _of_our_rules(reading)
    query = asked(ScenarioFilter, given)
    found = reading.figures.what_if(query.loans(), Scenario.of(**query.shifts()))
    plain = found.model_dump(exclude={"moves", "by_type", "out_of_reach"})
    missed = {why: share.loans for why, share in found.out_of_reach}
    said: dict[str, Any] = {
        "what": "moves in a scenario",
        "filters": _said(query),
        "totals": {**plain, "out_of_reach": missed},
    }
    return of_rows((dict(one) for one in found.moves), OF_MOVES, said | reading.said)


def moved_loans(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """The loans that move; see Atlas.moved_loans."""
    _of_our_rules(reading)
    query = asked(MovedScenarioFilter, given)
    moved = MovedFilter(**query.loans().filters(), move=query.move)
    batches = reading.figures.moved_batches(moved, Scenario.of(**query.shifts()))
    of = [OF_MOVED[name] for name in MOVED_EXPORT]
    said = {"what": "loans that move in a scenario", "filters": _said(query)}
    return of_table(pa.Table.from_batches(batches), of, said | reading.said)


def _said(query: ScenarioFilter) -> str:
    """Loans and shifts in words: "rates +100; state TX"."""
    shifts = [f"{name} {one:+g}" for name, one in query.shifts().items() if one]
    return "; ".join([*shifts, in_words(query) or "all loans"])


def _of_our_rules(reading: Reading) -> None:
    """Raises NotRescored over an API, with its mirror or without (D44)."""
    if reading.kind == "api":
        raise NotRescored.of_source()
