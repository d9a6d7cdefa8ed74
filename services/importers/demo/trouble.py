"""Trouble before today: when what ails began to, and who was late for a while and was cured."""

from datetime import date

import numpy as np

from services.importers.demo.arrears import LATE
from services.importers.demo.assumptions import Ints
from services.importers.demo.days import NO_DAY, Days
from services.importers.demo.draws import Generator, chance
from services.importers.demo.endings import Endings
from services.importers.demo.income import Appraisals
from services.importers.demo.market import Debt
from services.importers.demo.path import Path
from services.importers.demo.securitisations import CMBS
from services.importers.demo.servicing import DEFEASED_IN_FULL, LOCKED_OUT_YEARS, Servicing

YEARS = 3  # spells began within so many years
ONSET_DAYS = (60, 1500)  # before today
BEFORE_MISSED = 150  # days from the onset to the first missed payment, at least
SPELLS = 0.075  # of sound loans
SPELL_DAYS, SPELL_DAYS_POOLED = (
    (45, 460),
    (35, 110),
)  # of trusts longer ones go to special servicing
YOUNGEST_SPELL_DAYS = 400  # since origination
LATE_WHILE_THERE = 0.75  # of loans that came back from special servicing
MISSED_BEFORE, PAID_BEFORE = 80, 95  # days before transfer, and before return
LATE_BEFORE_LOSS = (150, 600)  # days until a loan ended with a loss
RENEWED_DAYS = (330, 800)  # from one appraisal of the lender to the next
DIP = (0.12, 0.45)  # part of the income that is lost in a spell


def path_of(
    rng: Generator, debt: Debt, served: Servicing, worth: Appraisals, end: Endings, *, as_of: date
) -> Path:
    """Drawn once, whichever quarter is asked for."""
    rows = len(debt.kind)
    today = np.datetime64(as_of)
    made = debt.dates.origination
    age = (today - made).astype(np.int64)
    ago = rng.integers(*ONSET_DAYS, rows)
    late = np.where(served.behind > 0, today - served.paid_through, 0).astype(np.int64)
    there = np.where(served.in_special, today - served.special_since, 0).astype(np.int64)
    least = np.maximum(late, there)
    ago = np.maximum(ago, np.where(least > 0, least + BEFORE_MISSED, 0))
    missed, cured = _spells(rng, debt, served, end, age=age, today=today)
    years = np.maximum(age - int(LOCKED_OUT_YEARS * 365.25), 0)
    return Path(
        onset=today - np.minimum(ago, np.maximum(age - 1, 0)),
        missed=missed,
        cured=cured,
        dip=rng.uniform(*DIP, rows),
        defeased=today - np.floor(years * rng.random(rows)).astype(np.int64),
        renewed=_renewed(rng, debt, worth),
        today=today,
    )


def _spells(
    rng: Generator,
    debt: Debt,
    served: Servicing,
    end: Endings,
    *,
    age: Ints,
    today: np.datetime64,
) -> tuple[Days, Days]:
    """From when to when loans were late that are not today: of themselves, while they were in
    special servicing, or until they ended with a loss.
    """
    rows = len(age)
    pooled = debt.layer == CMBS
    sound = (served.status <= LATE) & ~served.in_special & (served.defeasance != DEFEASED_IN_FULL)
    ago = rng.integers(100, YEARS * 365, rows)
    long = np.where(pooled, rng.integers(*SPELL_DAYS_POOLED, rows), rng.integers(*SPELL_DAYS, rows))
    some = sound & chance(rng, SPELLS, rows) & (age - ago > YOUNGEST_SPELL_DAYS)
    missed = np.where(some, today - ago, NO_DAY)
    cured = np.where(some, today - np.maximum(ago - long, 20), NO_DAY)
    back = ~np.isnat(served.special_returned) & chance(rng, LATE_WHILE_THERE, rows)
    first, last = served.special_since - MISSED_BEFORE, served.special_returned - PAID_BEFORE
    back &= (first > debt.dates.origination) & (last > first)
    back &= (served.behind == 0) | (last < served.paid_through)
    missed, cured = np.where(back, first, missed), np.where(back, last, cured)
    since = np.maximum(end.on - rng.integers(*LATE_BEFORE_LOSS, rows), debt.dates.origination + 60)
    lost = debt.paid_off & end.bad & (since < end.on)
    return np.where(lost, since, missed), np.where(lost, end.on, cured)


def _renewed(rng: Generator, debt: Debt, worth: Appraisals) -> Days:
    """When lenders that renew appraisals had the one before today's made."""
    before = worth.day - rng.integers(*RENEWED_DAYS, len(worth.day))
    there = ~worth.since_trouble & (before > debt.dates.origination + 365)
    return np.where(there & (worth.day > worth.first), before, NO_DAY).astype(NO_DAY.dtype)
