"""How the loans are paid and served: late payments, special servicing, workouts, defeasance."""

from dataclasses import dataclass
from datetime import date

import numpy as np

from services.importers.demo.arrears import (
    DAYS_60,
    DAYS_90,
    MATURED,
    MATURED_UNPAID,
    months_behind,
    paid_through,
    statuses,
)
from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.days import NO_DAY, Days
from services.importers.demo.draws import Generator, by_group, chance
from services.importers.demo.income import Income
from services.importers.demo.market import Debt
from services.importers.demo.securitisations import CMBS

# Chance of special servicing, securitised loans only, by status and then by coverage.
SPECIAL = np.array([0.028, 0.028, 0.08, 0.25, 0.85, 0.97, 0.50, 0.95])
SPECIAL_BELOW = ((0.85, 0.60), (1.00, 0.30), (1.10, 0.06))
YOUNGEST_SPECIAL_YEARS = 1.0
FIRST_TRANSFER_DAYS = 270  # since origination: no lender makes a loan that fails at once
TRANSFERRED_DAYS = (62, 118)  # after the last payment
RETURNED = 0.05  # of securitised loans that are four years old were there once and came back
SEASONED_YEARS = 4.0
EXTENDED_WHILE_THERE = 0.55  # of those that came back

# Workout codes by what ails the loan: in default, or not (yet), or only to be repaid.
WORKOUTS = ("", "1", "2", "3", "4", "5", "6", "7", "9", "10", "13", "8")
MODIFIED, RESOLVED = WORKOUTS.index("1"), WORKOUTS.index("8")
FORECLOSURE, REO = WORKOUTS.index("2"), WORKOUTS.index("7")
EXTENSION, PENDING_RETURN = WORKOUTS.index("4"), WORKOUTS.index("9")
# Since origination, and since the first missed payment: a default, a foreclosure and an auction.
# None takes what pays its debt.
TAKEN_OVER_YEARS, TAKEN_OVER_MONTHS, TAKEN_OVER_BELOW = 2.5, 6, 1.0
# Trusts extend loans in special servicing: transferred so many days before, returned after so many.
BEFORE_EXTENSION, AFTER_EXTENSION = 100, 92
WORKOUT_MIX = np.array(
    [
        [0.04, 0.11, 0.20, 0.04, 0.14, 0.04, 0.07, 0.13, 0.02, 0.05, 0.16],
        [0.20, 0.14, 0.0, 0.01, 0.22, 0.02, 0.02, 0.0, 0.13, 0.0, 0.26],
    ]
)
SOUND = 1.40  # coverage above which nobody forecloses
WORKED_OUT_ELSEWHERE = 0.45  # of defaulted loans that were never securitised
RESOLVED_SINCE = 0.4  # of those that came back

MODIFICATIONS = ("", "1", "2", "5", "6", "8", "10")  # the last is forbearance
LATER_MATURITY, FORBEARANCE = MODIFICATIONS.index("1"), MODIFICATIONS.index("10")
FORBORNE = np.array([0.0, 0.0, 0.02, 0.10, 0.10, 0.05, 0.04, 0.02])  # by status

DEFEASANCES = ("", "N", "X", "IP", "F")
NOT_DEFEASED, DEFEASED_IN_FULL = DEFEASANCES.index("N"), DEFEASANCES.index("F")
DEFEASANCE_MIX = np.array([0.78, 0.212, 0.008])  # N, X and IP of those not defeased
LOCKED_OUT_YEARS = 3.0


@dataclass(frozen=True, slots=True)
class Servicing:
    """Of each loan, before anything is left out: rows of the lists of codes; "" is none."""

    status: Ints
    behind: Ints  # months
    paid_through: Days
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
    def serious(self) -> Bools:
        """90 days late, or matured and not paid."""
        return np.isin(self.status, (DAYS_90, MATURED_UNPAID))

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
    free = ~defeased & ~debt.paid_off
    status = statuses(rng, data, debt, earned, free=free, as_of=as_of)
    behind = months_behind(rng, debt, status, as_of=as_of)
    through = paid_through(debt, behind, as_of=as_of)
    below = [earned.dscr < limit for limit, _ in SPECIAL_BELOW]
    weak = np.select(below, [share for _, share in SPECIAL_BELOW], 0.0)
    special = pooled & free & chance(rng, np.maximum(SPECIAL[status], weak), rows)
    special &= years > YOUNGEST_SPECIAL_YEARS
    longer = debt.dates.extended > 0
    special &= ~longer
    since, returned = _special(
        rng, debt, special, status, through, years, free & pooled, as_of=as_of
    )
    since, returned = _while_extended(debt, longer & pooled, since, returned, as_of=as_of)
    back = ~np.isnat(returned)
    workout = _workout(rng, status, special, sound=earned.dscr > SOUND)
    too_soon = (years < TAKEN_OVER_YEARS) | (behind < TAKEN_OVER_MONTHS)
    not_taken = too_soon | (earned.dscr >= TAKEN_OVER_BELOW)
    workout = np.where((workout == REO) & not_taken, FORECLOSURE, workout)
    # Only a special servicer has a loan to give back.
    workout = np.where(~special & (workout == PENDING_RETURN), EXTENSION, workout)
    workout = np.where(longer & pooled & ~back, PENDING_RETURN, workout)
    workout = np.where(back & chance(rng, RESOLVED_SINCE, rows), RESOLVED, workout)
    forborne = chance(rng, np.where(special, 0.08, FORBORNE[status]), rows) & free
    changed = chance(rng, np.where(back, EXTENDED_WHILE_THERE, 0.0), rows) | (workout == MODIFIED)
    change = rng.integers(1, FORBEARANCE, rows)
    today = np.datetime64(as_of)
    made = np.minimum(np.maximum(debt.dates.origination + 120, today - 400), today)
    during = _between(rng, np.where(np.isnat(since), made, since), np.where(back, returned, today))
    # A floating rate has options to extend, which are no modification.
    moved = longer & ~debt.floating.floats
    kinds = [moved, forborne, changed]
    return Servicing(
        status=status,
        behind=behind,
        paid_through=through,
        workout=workout,
        special_since=since,
        special_returned=returned,
        modification=np.select(kinds, [LATER_MATURITY, FORBEARANCE, change], 0),
        modified_on=np.select(kinds, [debt.dates.extended_on, during, during], NO_DAY),
        defeasance=_defeasance(rng, pooled, defeased),
    )


def _special(
    rng: Generator,
    debt: Debt,
    special: Bools,
    status: Ints,
    through: Days,
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
    in_default = through + rng.integers(*TRANSFERRED_DAYS, rows)
    late = np.isin(status, (DAYS_60, DAYS_90))
    since = np.where(status >= MATURED, at_maturity, np.where(late, in_default, lately))
    since = np.clip(since, debt.dates.origination + FIRST_TRANSFER_DAYS, today - 5)
    back = others & ~special & (years > SEASONED_YEARS) & chance(rng, RETURNED, rows)
    age = (today - debt.dates.origination).astype(np.int64)
    then = np.floor(age * rng.uniform(0.25, 0.7, rows)).astype(np.int64)
    spent = np.floor((age - then) * rng.uniform(0.15, 0.85, rows)).astype(np.int64)
    earlier = debt.dates.origination + then
    return (
        np.where(special, since, np.where(back, earlier, NO_DAY)),
        np.where(back, earlier + spent, NO_DAY),
    )


def _while_extended(
    debt: Debt, extended: Bools, since: Days, returned: Days, *, as_of: date
) -> tuple[Days, Days]:
    """Transfers and returns, those of loans that trusts extended about the day they did so."""
    decided = debt.dates.extended_on
    back = decided + AFTER_EXTENSION
    back = np.where(back <= np.datetime64(as_of), back, NO_DAY)
    return (
        np.where(extended, decided - BEFORE_EXTENSION, since),
        np.where(extended, back, returned).astype(NO_DAY.dtype),
    )


def _workout(rng: Generator, status: Ints, special: Bools, *, sound: Bools) -> Ints:
    """What the special servicer does, or the lender in default; no `sound` property is taken."""
    rows = len(status)
    default = (status == DAYS_90) | (status == MATURED_UNPAID)
    worked = np.flatnonzero(special | (default & chance(rng, WORKED_OUT_ELSEWHERE, rows)))
    workout = np.zeros(rows, dtype=np.int64)
    workout[worked] = by_group(rng, WORKOUT_MIX, (sound | ~default)[worked].astype(np.int64))
    return workout


def _defeasance(rng: Generator, pooled: Bools, defeased: Bools) -> Ints:
    """Of securitised loans; others cannot be defeased."""
    usual = 1 + np.searchsorted(np.cumsum(DEFEASANCE_MIX)[:-1], rng.random(len(pooled)))
    code = np.where(defeased, DEFEASED_IN_FULL, usual)
    return np.where(pooled, code, 0)


def _between(rng: Generator, first: Days, last: Days) -> Days:
    """Any day from one to the other."""
    days = np.maximum((last - first).astype(np.int64), 0)
    return np.asarray(first + np.floor(rng.random(len(first)) * days).astype(np.int64))
