"""How the loans are paid and served: late payments, special servicing, workouts, defeasance."""

from dataclasses import dataclass
from datetime import date

import numpy as np

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.dates import NO_DAY, Days
from services.importers.demo.draws import Generator, by_group, chance
from services.importers.demo.income import Income
from services.importers.demo.market import CMBS, Debt

STATUSES = ("0", "A", "B", "1", "2", "3", "4", "5")
CURRENT, IN_GRACE, LATE, DAYS_30, DAYS_60, DAYS_90, MATURED, MATURED_UNPAID = range(len(STATUSES))
# Chance of being late below each coverage; else USUALLY_LATE.
LATE_BELOW = ((0.80, 0.45), (1.00, 0.24), (1.10, 0.09))
USUALLY_LATE = 0.016
YOUNGEST_LATE_MONTHS = 8
# Mix of STATUSES from IN_GRACE to DAYS_90 of late loans above and below the last coverage.
LATE_MIX = np.array([[0.52, 0.27, 0.11, 0.05, 0.05], [0.16, 0.16, 0.20, 0.16, 0.32]])
UNPAID_AT_MATURITY = (0.30, 0.75)  # of sound and of ailing loans: MATURED_UNPAID

# Chance of special servicing, securitised loans only, by status and then by coverage.
SPECIAL = np.array([0.028, 0.028, 0.08, 0.25, 0.85, 0.97, 0.50, 0.95])
SPECIAL_BELOW = ((0.85, 0.60), (1.00, 0.30), (1.10, 0.06))
YOUNGEST_SPECIAL_YEARS = 0.6
RETURNED = 0.05  # of securitised loans that are four years old were there once and came back
SEASONED_YEARS = 4.0
EXTENDED_WHILE_THERE = 0.55  # of those that came back

# Workout codes by what ails the loan: in default, or not (yet).
WORKOUTS = ("", "1", "2", "3", "4", "5", "6", "7", "9", "10", "13", "8")
MODIFIED, RESOLVED = WORKOUTS.index("1"), WORKOUTS.index("8")
WORKOUT_MIX = np.array(
    [
        [0.04, 0.11, 0.20, 0.04, 0.14, 0.04, 0.07, 0.13, 0.02, 0.05, 0.16],
        [0.20, 0.14, 0.0, 0.01, 0.22, 0.02, 0.02, 0.0, 0.13, 0.0, 0.26],
    ]
)
WORKED_OUT_ELSEWHERE = 0.45  # of defaulted loans that were never securitised
RESOLVED_SINCE = 0.4  # of those that came back

MODIFICATIONS = ("", "1", "2", "5", "6", "8", "10")  # the last is forbearance
FORBEARANCE = MODIFICATIONS.index("10")
FORBORNE = np.array([0.0, 0.0, 0.02, 0.10, 0.10, 0.05, 0.04, 0.02])  # by status

DEFEASANCES = ("", "N", "X", "IP", "F")
DEFEASANCE_MIX = np.array([0.78, 0.212, 0.008])  # N, X and IP of those not defeased
LOCKED_OUT_YEARS = 3.0


@dataclass(frozen=True, slots=True)
class Servicing:
    """Of each loan, before anything is left out: rows of the lists of codes; "" is none."""

    status: Ints
    workout: Ints
    special_since: Days
    special_returned: Days
    modification: Ints
    modified_on: Days
    defeasance: Ints

    @property
    def in_special(self) -> Bools:
        """In special servicing today."""
        return ~np.isnat(self.special_since) & np.isnat(self.special_returned)

    @property
    def troubled(self) -> Bools:
        """In special servicing, 60 days late or matured."""
        return self.in_special | (self.status >= DAYS_60)


def servicing(
    rng: Generator, data: Assumptions, debt: Debt, earned: Income, *, as_of: date
) -> Servicing:
    """Trouble goes with weak coverage and with maturities that were missed."""
    rows = len(debt.kind)
    pooled = debt.layer == CMBS
    years = debt.dates.years_old(as_of)
    sound_terms = pooled & ~debt.floating.floats & ~debt.dates.past_maturity & ~debt.paid_off
    defeasible = sound_terms & (years >= LOCKED_OUT_YEARS)
    defeased = defeasible & chance(rng, data.chances["defeased"], rows)
    status = _status(rng, debt, earned)
    status = np.where(defeased | debt.paid_off, CURRENT, status)
    free = ~defeased & ~debt.paid_off
    below = [earned.dscr < limit for limit, _ in SPECIAL_BELOW]
    weak = np.select(below, [share for _, share in SPECIAL_BELOW], 0.0)
    special = pooled & free & chance(rng, np.maximum(SPECIAL[status], weak), rows)
    special &= years > YOUNGEST_SPECIAL_YEARS
    since, returned = _special(rng, debt, special, status, years, free & pooled, as_of=as_of)
    back = ~np.isnat(returned)
    workout = _workout(rng, status, special)
    workout = np.where(back & chance(rng, RESOLVED_SINCE, rows), RESOLVED, workout)
    forborne = chance(rng, np.where(special, 0.08, FORBORNE[status]), rows) & free
    changed = chance(rng, np.where(back, EXTENDED_WHILE_THERE, 0.0), rows) | (workout == MODIFIED)
    change = rng.integers(1, FORBEARANCE, rows)
    today = np.datetime64(as_of)
    made = np.minimum(np.maximum(debt.dates.origination + 120, today - 400), today)
    during = _between(rng, np.where(np.isnat(since), made, since), np.where(back, returned, today))
    some = changed | forborne
    return Servicing(
        status=status,
        workout=workout,
        special_since=since,
        special_returned=returned,
        modification=np.where(forborne, FORBEARANCE, np.where(changed, change, 0)),
        modified_on=np.where(some, during, NO_DAY),
        defeasance=_defeasance(rng, pooled, defeased),
    )


def _status(rng: Generator, debt: Debt, earned: Income) -> Ints:
    """Row of STATUSES by coverage and maturity."""
    rows = len(earned.dscr)
    low = [earned.dscr < below for below, _ in LATE_BELOW]
    ailing = low[-1]
    late = chance(rng, np.select(low, [share for _, share in LATE_BELOW], USUALLY_LATE), rows)
    late &= debt.repayment.paid >= YOUNGEST_LATE_MONTHS
    rare = np.flatnonzero(late)
    status = np.where(late, IN_GRACE, CURRENT)
    status[rare] += by_group(rng, LATE_MIX, ailing[rare].astype(np.int64))
    unpaid = chance(rng, np.where(ailing, UNPAID_AT_MATURITY[1], UNPAID_AT_MATURITY[0]), rows)
    at_maturity = np.where(unpaid, MATURED_UNPAID, MATURED)
    return np.where(debt.dates.past_maturity, at_maturity, status)


def _special(
    rng: Generator,
    debt: Debt,
    special: Bools,
    status: Ints,
    years: Floats,
    others: Bools,
    *,
    as_of: date,
) -> tuple[Days, Days]:
    """Transfer to the special servicer, and return from there for a few of `others`."""
    rows = len(special)
    today = np.datetime64(as_of)
    lately = today - rng.integers(10, 560, rows)
    at_maturity = debt.dates.due + rng.integers(-75, 45, rows)
    since = np.where(status >= MATURED, at_maturity, lately)
    since = np.clip(since, debt.dates.origination + 90, today - 5)
    back = others & ~special & (years > SEASONED_YEARS) & chance(rng, RETURNED, rows)
    age = (today - debt.dates.origination).astype(np.int64)
    then = np.floor(age * rng.uniform(0.25, 0.7, rows)).astype(np.int64)
    spent = np.floor((age - then) * rng.uniform(0.15, 0.85, rows)).astype(np.int64)
    earlier = debt.dates.origination + then
    return (
        np.where(special, since, np.where(back, earlier, NO_DAY)),
        np.where(back, earlier + spent, NO_DAY),
    )


def _workout(rng: Generator, status: Ints, special: Bools) -> Ints:
    """What the special servicer does, or the lender itself where a loan is in default."""
    rows = len(status)
    default = (status == DAYS_90) | (status == MATURED_UNPAID)
    worked = np.flatnonzero(special | (default & chance(rng, WORKED_OUT_ELSEWHERE, rows)))
    workout = np.zeros(rows, dtype=np.int64)
    workout[worked] = by_group(rng, WORKOUT_MIX, (~default[worked]).astype(np.int64))
    return workout


def _defeasance(rng: Generator, pooled: Bools, defeased: Bools) -> Ints:
    """Of securitised loans; others cannot be defeased."""
    usual = 1 + np.searchsorted(np.cumsum(DEFEASANCE_MIX)[:-1], rng.random(len(pooled)))
    code = np.where(defeased, len(DEFEASANCES) - 1, usual)
    return np.where(pooled, code, 0)


def _between(rng: Generator, first: Days, last: Days) -> Days:
    """Any day from one to the other."""
    days = np.maximum((last - first).astype(np.int64), 0)
    return np.asarray(first + np.floor(rng.random(len(first)) * days).astype(np.int64))
