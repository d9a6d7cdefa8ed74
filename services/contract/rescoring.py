"""How a snapshot has figures computed of its loans: what it holds for that, and who does it.

A store holds columns and knows no rule; the rules (services/signals) know no store. The two are
put together in services/sources.py.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from .citations import Citation
from .events import Event
from .history import HistoryRow
from .loan_figures import LenderTerms, LoanFigures
from .records import LoanDetail
from .scenario import Scenario
from .sizing import Sized, SizingInputs
from .snapshot_info import RateUsed, Snapshot

Ranks = npt.NDArray[np.int8]
Places = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class ScenarioInputs:
    """What a snapshot holds of its loans so that a scenario can rescore them, by loan_id."""

    #: The columns that `Scores.inputs` had.
    columns: Mapping[str, npt.NDArray[Any]]
    #: Worst severity of the rules that no scenario moves, as a rank in SEVERITIES; 0 is none.
    #: Contagion is a lead beside it (D279).
    fixed: Ranks

    @property
    def nbytes(self) -> int:
        """Room that it takes."""
        return self.fixed.nbytes + sum(column.nbytes for column in self.columns.values())


@dataclass(frozen=True, slots=True, eq=False)
class FloatersStage:
    """Floating loans at one level of their index, in the order of Floaters.loans."""

    #: What the borrower pays after a bought cap, percent figure; NaN without a coupon.
    coupon: npt.NDArray[np.float64]
    dscr: npt.NDArray[np.float64]
    at_floor: npt.NDArray[np.bool_]
    at_cap: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Floaters:
    """The floating loans that owe and are not defeased, in a scenario."""

    #: Their loan_id, ascending.
    loans: Places
    now: FloatersStage
    then: FloatersStage
    #: In the scenario, once the caps that borrowers have bought have expired.
    uncapped: FloatersStage

    @property
    def nbytes(self) -> int:
        """Room that it takes."""
        one = self.now
        arrays = (one.coupon, one.dscr, one.at_floor, one.at_cap)
        return self.loans.nbytes + 3 * sum(array.nbytes for array in arrays)


@dataclass(frozen=True, slots=True, eq=False)
class Rescored:
    """What a scenario makes of the loans, by loan_id."""

    #: Worst severity as a rank in SEVERITIES; 0 is none.
    severity: Ranks
    #: Dollars short at refinance; NaN where not testable.
    dollars_short: npt.NDArray[np.float64]
    #: Loans that no scenario moves: defeased in full, or ended.
    stays: npt.NDArray[np.bool_]
    #: Why the scenario does not reach some loans, or not by all that it changes -> those loans.
    out_of_reach: Mapping[str, npt.NDArray[np.bool_]]
    floaters: Floaters

    @property
    def nbytes(self) -> int:
        """Room that it takes."""
        beside = self.severity.nbytes + self.dollars_short.nbytes + self.stays.nbytes
        beside += self.floaters.nbytes
        return beside + sum(rows.nbytes for rows in self.out_of_reach.values())


class Rescorer(Protocol):
    """Computes of the loans of a snapshot by the rules and tables that scored them.

    `tables` are the texts of the limits and spreads in force, by name.
    """

    def moving(self, snapshot: Snapshot) -> frozenset[str]:
        """Ids of the rules that a scenario can move.

        Raises NotRescored for a snapshot that these rules have not scored.
        """
        ...

    def rescore(
        self,
        inputs: ScenarioInputs,
        snapshot: Snapshot,
        tables: Mapping[str, str],
        scenario: Scenario,
    ) -> Rescored:
        """Every loan in a scenario."""
        ...

    def figures(
        self,
        loan: LoanDetail,
        as_of: date,
        rates: Iterable[RateUsed],
        tables: Mapping[str, str],
    ) -> LoanFigures:
        """Every figure of one loan on a day; `rates` are those that its refi rate stands on."""
        ...

    def cited(self, loan: LoanDetail, found: LoanFigures) -> tuple[Citation, ...]:
        """Where the computed ones of a loan's figures come from, `found` being all of them."""
        ...

    def sized(self, inputs: SizingInputs) -> Sized:
        """A new loan by each constraint."""
        ...

    def terms(self, property_type: str, tables: Mapping[str, str], as_of: date) -> LenderTerms:
        """What a new lender asks of a property type, with the spread nearest to a day."""
        ...

    def events(
        self, before: HistoryRow | None, after: HistoryRow | None, since: date, until: date
    ) -> tuple[Event, ...]:
        """What happened to a loan between two periods, the most important first."""
        ...
