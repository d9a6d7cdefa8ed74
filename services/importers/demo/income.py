"""What the properties earn today, how full they are, and what they are appraised at."""

from dataclasses import dataclass
from datetime import date

import numpy as np

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.dates import NO_DAY, Days, month_of
from services.importers.demo.draws import Generator, chance
from services.importers.demo.market import Debt, reference_rate
from services.importers.demo.statements import (
    UNDERWRITTEN,
    Period,
    debt_service,
    filed,
    periods,
)
from services.importers.demo.underwriting import Underwriting, appraised, cap_level

TURN_OF_VALUES = 2022.5  # when rates rose and values turned
REPRICING_YEARS = 3.0
SEASONED_YEARS = 3.0  # until then a property earns about what it was underwritten to
# An ailing property keeps this part of its income at best; the rest goes, seldom all of it.
KEPT, LOST_AT_MOST, SELDOM = 0.95, 0.70, 1.7
LOSSES = 0.035  # of ailing properties do not even cover their costs
LOST = (-0.30, 0.0)  # income of those, of the underwritten
STATE_DRAG = 0.10  # of income, where a state's stress is 1
REAPPRAISED_DAYS = 900  # the oldest of appraisals that lenders renew
APPRAISED_BEFORE = 75  # days before the loan, at most


@dataclass(frozen=True, slots=True)
class Income:
    """Of all properties of the whole loan (D22), a year's, before anything is left out."""

    listed: tuple[Period, ...]
    period: Ints  # of `listed`, or UNDERWRITTEN
    noi: Ints
    ncf: Ints
    dscr: Floats  # of the period; on NCF, on NOI where that alone is reported
    occupancy: Floats
    left: Floats  # of the underwritten income, but for drift
    trend: Floats  # of a sound property's income since underwriting

    @property
    def filed(self) -> Bools:
        """Whether a period is filed since underwriting."""
        return np.asarray(self.period != UNDERWRITTEN)


def income(
    rng: Generator, data: Assumptions, debt: Debt, then: Underwriting, *, as_of: date
) -> Income:
    """Underwritten income, drifted by type and state, and hurt where a property ails."""
    rows = len(debt.kind)
    years = debt.dates.years_old(as_of)
    seasoned = np.clip(years / SEASONED_YEARS, 0, 1)
    stress = data.places.stress[debt.state]
    weak = chance(rng, _ailing(data, debt) * (1 + stress) * seasoned, rows)
    left = np.where(weak, KEPT - LOST_AT_MOST * rng.random(rows) ** SELDOM, 1.0)
    left = np.where(weak & chance(rng, LOSSES, rows), rng.uniform(*LOST, rows), left)
    drift = data.of_type["drift"][debt.kind] * years - STATE_DRAG * stress * seasoned
    trend = np.exp(drift + seasoned * rng.normal(0, 0.09, rows))
    listed = periods(as_of)
    period = filed(rng, debt, listed)
    now = period != UNDERWRITTEN
    noi = np.where(now, np.rint(then.noi * trend * left), then.noi).astype(np.int64)
    ncf = noi - then.reserves
    service = debt_service(debt, listed, period)
    days = np.array([*(one.days for one in listed), 365])[period]
    covered = np.where(then.on_noi, noi, ncf) * (days / 365) / service
    emptied = np.where(weak, (1 - np.maximum(left, 0)) * rng.uniform(0.15, 0.75, rows), 0.0)
    moved = seasoned * (rng.normal(0, 0.03, rows) + np.minimum(drift, 0) * 0.5)
    occupancy = np.round(np.clip(then.occupancy + moved - emptied, 0.05, 1.0), 2)
    return Income(
        listed=listed,
        period=period,
        noi=noi,
        ncf=ncf,
        dscr=np.where(now, np.round(covered, 2), then.dscr),
        occupancy=np.where(now, occupancy, then.occupancy),
        left=left,
        trend=trend,
    )


def _ailing(data: Assumptions, debt: Debt) -> Floats:
    """Chance of an ailing property by type and vintage."""
    year = np.clip(debt.dates.year - data.first_year, 0, len(data.vintage_stress) - 1)
    return data.of_type["weak"][debt.kind] * data.vintage_stress[year]


@dataclass(frozen=True, slots=True)
class Appraisals:
    """The latest value of all properties of the whole loan, and its day."""

    value: Ints
    day: Days


def appraisals(
    rng: Generator,
    data: Assumptions,
    debt: Debt,
    then: Underwriting,
    now: Income,
    *,
    troubled: Bools,
    as_of: date,
) -> Appraisals:
    """Underwritten, unless the lender renews appraisals or trouble calls for a new one."""
    rows = len(debt.kind)
    renewed = chance(rng, np.where(troubled, 0.75, data.of_layer["reappraised"][debt.layer]), rows)
    ago = np.floor(REAPPRAISED_DAYS * rng.random(rows) ** 2).astype(np.int64)
    day = np.datetime64(as_of) - ago
    renewed &= now.filed & (day > debt.dates.origination + 365)
    first = debt.dates.origination - rng.integers(15, APPRAISED_BEFORE, rows)
    reference = float(reference_rate(data, np.array([month_of(as_of)]))[0])
    cap = then.cap * cap_level(reference) / cap_level(debt.reference)
    repriced = 1 + data.of_type["shift"][debt.kind] * _repriced(debt, as_of=as_of)
    # Appraisals lag income, and see some worth in an empty building.
    income_seen = then.noi * now.trend * np.sqrt(np.maximum(now.left, 0.08))
    value = appraised(np.maximum(income_seen / cap * repriced, then.value * 0.05))
    return Appraisals(
        value=np.where(renewed, value, then.value),
        day=np.where(renewed, day, first).astype(NO_DAY.dtype),
    )


def _repriced(debt: Debt, *, as_of: date) -> Floats:
    """How much of the repricing since values turned came after the loan was made, 0 to 1."""
    now = as_of.year + (as_of.month - 0.5) / 12
    made = debt.dates.month / 12 + 1970
    return np.asarray(np.clip((now - np.maximum(made, TURN_OF_VALUES)) / REPRICING_YEARS, 0, 1))
