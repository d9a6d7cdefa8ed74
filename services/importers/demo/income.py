"""What the properties earn today, how full they are, and what they are appraised at."""

from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.days import NO_DAY, Days, month_of
from services.importers.demo.draws import Generator, chance
from services.importers.demo.floating import one_month_rate
from services.importers.demo.market import STRUCTURES, Debt, reference_rate
from services.importers.demo.path import Path
from services.importers.demo.statements import (
    UNDERWRITTEN,
    Period,
    debt_service,
    filed,
    last_days,
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
# Of loans in serious arrears so many have an appraisal of the last year: at this part of the value
# where no income is left.
FORCED, FORCED_AFTER, FORCED_DAYS, AS_IS = 0.90, 120, 330, (0.30, 0.95)
TAKEN_LTV, BEYOND = 0.90, 0.50  # what is owed on an REO property is so much of its value, or more
APPRAISED_BEFORE = 75  # days before the loan, at most
# Of large whole loans of a fixed rate so many have further debt that no record names; what it pays,
# as a part of the loan's own debt service.
HIDDEN, HIDDEN_FROM_USD, HIDDEN_SERVICE = 0.015, 10e6, (0.12, 0.55)


@dataclass(frozen=True, slots=True)
class Income:
    """Of all properties of the whole loan (D22), a year's, before anything is left out."""

    listed: tuple[Period, ...]
    period: Ints  # of `listed`, or UNDERWRITTEN
    noi: Ints
    ncf: Ints
    dscr: Floats  # of the period; on NCF, on NOI where that alone is reported
    service: Floats  # what is paid on all debt of the loan; NaN where it is not filed
    occupancy: Floats
    left: Floats  # of the underwritten income, but for drift
    trend: Floats  # of a sound property's income since underwriting

    @property
    def filed(self) -> Bools:
        """Whether a period is filed since underwriting."""
        return np.asarray(self.period != UNDERWRITTEN)


def income(
    rng: Generator,
    data: Assumptions,
    debt: Debt,
    then: Underwriting,
    *,
    as_of: date,
    at: date | None = None,
    path: Path | None = None,
) -> Income:
    """Underwritten income, drifted by type and state, and hurt where a property ails.

    With `at` and `path` what was filed on that earlier day: a period states the same for as long as
    it is the last that is filed.
    """
    rows = len(debt.kind)
    stress = data.places.stress[debt.state]
    likely = _ailing(data, debt) * (1 + stress) * _seasoned(debt.dates.years_old(as_of))
    likely = 1 - (1 - np.clip(likely, 0, 1)) ** debt.exposed
    weak = chance(rng, likely, rows)
    left = np.where(weak, KEPT - LOST_AT_MOST * rng.random(rows) ** SELDOM, 1.0)
    left = np.where(weak & chance(rng, LOSSES, rows), rng.uniform(*LOST, rows), left)
    noise = rng.normal(0, 0.07, rows)
    listed = periods(at or as_of)
    own, period = filed(rng, debt, listed)
    if path is not None:
        seen = last_days(listed, at=at or as_of, as_of=as_of)
        index = np.array([[one_month_rate(data, day) for day in row] for row in seen])
        filed_on = np.array(seen, dtype=NO_DAY.dtype)[own, period]
        debt = debt.paying(index[own, period], filed_on, debt.repayment.paid)
        years, left = debt.dates.years_old(filed_on), path.left(left, filed_on)
    else:
        years = debt.dates.years_old(as_of)
    seasoned = _seasoned(years)
    drift = data.of_type["drift"][debt.kind] * years - STATE_DRAG * stress * seasoned
    trend = np.exp(drift + seasoned * noise)
    now = period != UNDERWRITTEN
    noi = np.where(now, np.rint(then.noi * trend * left), then.noi).astype(np.int64)
    ncf = noi - then.reserves
    service = debt_service(debt, listed, period)
    days = np.array([*(one.days for one in listed), 365])[period]
    service = service * (365 / days)
    covered = np.where(then.on_noi, noi, ncf) / service
    emptied = (1 - np.maximum(left, 0)) * rng.uniform(0.15, 0.75, rows)
    moved = seasoned * (rng.normal(0, 0.03, rows) + np.minimum(drift, 0) * 0.5)
    occupancy = np.round(np.clip(then.occupancy + moved - emptied, 0.05, 1.0), 2)
    return Income(
        listed=listed,
        period=period,
        noi=noi,
        ncf=ncf,
        dscr=np.where(now, np.round(covered, 2), then.dscr),
        service=service,
        occupancy=np.where(now, occupancy, then.occupancy),
        left=left,
        trend=trend,
    )


def with_hidden_debt(rng: Generator, debt: Debt, then: Underwriting, now: Income) -> Income:
    """`now`, where some large loans pay on a second mortgage too, which no record names."""
    rows = len(debt.kind)
    alone = (debt.structure == STRUCTURES.index("WL")) & ~debt.floating.floats
    hidden = chance(rng, HIDDEN, rows) & alone & (debt.original >= HIDDEN_FROM_USD)
    more = np.where(hidden, rng.uniform(*HIDDEN_SERVICE, rows), 0.0)
    service = now.service * (1 + more)
    covered = np.where(then.on_noi, now.noi, now.ncf) / service
    dscr = np.where(hidden & now.filed, np.round(covered, 2), now.dscr)
    return replace(now, dscr=dscr, service=service)


def _seasoned(years: Floats) -> Floats:
    """How far a loan is from its underwriting: 0 when it is made, 1 after three years."""
    return np.asarray(np.clip(years / SEASONED_YEARS, 0, 1))


def _ailing(data: Assumptions, debt: Debt) -> Floats:
    """Chance of an ailing property by type and vintage."""
    year = np.clip(debt.dates.year - data.first_year, 0, len(data.vintage_stress) - 1)
    return data.of_type["weak"][debt.kind] * data.vintage_stress[year]


@dataclass(frozen=True, slots=True)
class Appraisals:
    """The latest value of all properties of the whole loan, and its day."""

    value: Ints
    day: Days
    since_trouble: Bools  # made because the loan fell seriously behind
    first: Days  # of the appraisal that the loan was underwritten on

    def at(self, then: Underwriting, day: np.datetime64, renewed: Days) -> "Appraisals":
        """As they were on an earlier day. `renewed` is when the one before the latest was made, on
        its way from the first value to the latest.
        """
        made = self.day <= day
        span = np.maximum((self.day - self.first).astype(np.int64), 1)
        part = np.where(np.isnat(renewed), 0, (renewed - self.first).astype(np.int64)) / span
        between = appraised(then.value * (self.value / then.value) ** part)
        known = renewed <= day
        return replace(
            self,
            value=np.where(made, self.value, np.where(known, between, then.value)),
            day=np.where(made, self.day, np.where(known, renewed, self.first)).astype(NO_DAY.dtype),
            since_trouble=self.since_trouble & made,
        )


def appraisals(
    rng: Generator,
    data: Assumptions,
    debt: Debt,
    then: Underwriting,
    now: Income,
    *,
    troubled: Bools,
    serious: Bools,
    taken: Bools,
    paid_through: Days,
    as_of: date,
) -> Appraisals:
    """Underwritten, unless the lender renews appraisals or trouble calls for a new one.

    Loans in `serious` arrears are appraised again within the year, mostly, and as they are:
    from four months after they were `paid_through` on. What is `taken` over is worth less than what
    is owed on it, or little more.
    """
    rows = len(debt.kind)
    renewed = chance(rng, np.where(troubled, 0.75, data.of_layer["reappraised"][debt.layer]), rows)
    ago = np.floor(REAPPRAISED_DAYS * rng.random(rows) ** 2).astype(np.int64)
    today = np.datetime64(as_of)
    from_day = np.maximum(paid_through + FORCED_AFTER, today - FORCED_DAYS)
    forced = serious & (chance(rng, FORCED, rows) | taken) & (from_day < today)
    spent = np.floor(rng.random(rows) * (today - from_day).astype(np.int64)).astype(np.int64)
    day = np.where(forced, from_day + spent, today - ago)
    renewed &= now.filed & (day > debt.dates.origination + 365)
    renewed |= forced
    condition = rng.uniform(*AS_IS, rows)
    as_is = np.where(forced, condition ** (1 - now.left), 1.0)
    first = debt.dates.origination - rng.integers(15, APPRAISED_BEFORE, rows)
    reference = float(reference_rate(data, np.array([month_of(as_of)]))[0])
    cap = then.cap * cap_level(reference) / cap_level(debt.reference)
    repriced = 1 + data.of_type["shift"][debt.kind] * _repriced(debt, as_of=as_of)
    # Appraisals lag income, and see some worth in an empty building.
    income_seen = then.noi * now.trend * np.sqrt(np.maximum(now.left, 0.08))
    seen = np.maximum(income_seen / cap * repriced * as_is, then.value * 0.05)
    at_most = debt.balance / debt.part / (TAKEN_LTV + BEYOND * condition)
    value = appraised(np.where(taken, np.minimum(seen, at_most), seen))
    return Appraisals(
        value=np.where(renewed, value, then.value),
        day=np.where(renewed, day, first).astype(NO_DAY.dtype),
        since_trouble=forced,
        first=first.astype(NO_DAY.dtype),
    )


def _repriced(debt: Debt, *, as_of: date) -> Floats:
    """How much of the repricing since values turned came after the loan was made, 0 to 1."""
    now = as_of.year + (as_of.month - 0.5) / 12
    made = debt.dates.month / 12 + 1970
    return np.asarray(np.clip((now - np.maximum(made, TURN_OF_VALUES)) / REPRICING_YEARS, 0, 1))
