"""Which loans are late, and how late: of each property type as many dollars as lenders see.

The weakest are the likeliest to be late: by coverage, lender, state, and what comes due soon.
"""

from datetime import date

import numpy as np

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.days import Days, month_of, on
from services.importers.demo.draws import Generator, by_group, chance
from services.importers.demo.income import Income
from services.importers.demo.market import Debt

STATUSES = ("0", "A", "B", "1", "2", "3", "4", "5")
CURRENT, IN_GRACE, LATE, DAYS_30, DAYS_60, DAYS_90, MATURED, MATURED_UNPAID = range(len(STATUSES))
#: Below each coverage: how likely arrears are, against each other.
WEAK_BELOW = ((0.80, 0.90), (1.00, 0.60), (1.10, 0.22), (1.25, 0.05), (1.60, 0.010))
USUAL = 0.003
AILING = 1.10
LOST_INCOME = (0.80, 0.12)  # at least so likely where less than this part of the income is left
# So much likelier where the loan must be repaid soon and its coupon is far below today's.
DUE_SOON_MONTHS, LOW_COUPON, HARD_TO_REPAY = 24, 4.75, 5.0
YOUNGEST_LATE_MONTHS = 8
# Mix of DAYS_30, DAYS_60 and DAYS_90 of sound and of ailing loans.
DAYS_MIX = np.array([[0.42, 0.26, 0.32], [0.09, 0.07, 0.84]])
# Chance of IN_GRACE and LATE of loans that are not in arrears, sound and ailing.
SLOW = np.array([[0.993, 0.005, 0.002], [0.80, 0.10, 0.10]])
LEAST_90, LESS_EACH_MONTH, LONGEST_BEHIND = 3, 0.15, 22  # months behind of loans 90 days late
UNPAID_AT_MATURITY = (0.62, 0.90)  # of sound and of ailing loans: MATURED_UNPAID


def statuses(
    rng: Generator, data: Assumptions, debt: Debt, earned: Income, *, free: Bools, as_of: date
) -> Ints:
    """Row of STATUSES by loan. `free` may be late: not defeased, not paid off. Loans that are given
    more time pay.
    """
    rows = len(debt.kind)
    ailing = earned.dscr < AILING
    past = debt.dates.past_maturity
    unpaid = chance(rng, np.where(ailing, UNPAID_AT_MATURITY[1], UNPAID_AT_MATURITY[0]), rows)
    matured = past & free & unpaid
    open_to = free & ~past & (debt.dates.extended == 0)
    open_to &= debt.repayment.paid >= YOUNGEST_LATE_MONTHS
    wanted = data.of_type["arrears"] * _dollars(data, debt, debt.balance >= 0)
    wanted -= _dollars(data, debt, matured)
    late = _late(rng, debt, _likely(data, debt, earned, as_of) * open_to, wanted)
    status = by_group(rng, SLOW, (ailing & open_to).astype(np.int64)) * free
    rare = np.flatnonzero(late)
    status[rare] = DAYS_30 + by_group(rng, DAYS_MIX, ailing[rare].astype(np.int64))
    return np.where(past & free, np.where(unpaid, MATURED_UNPAID, MATURED), status)


def months_behind(rng: Generator, debt: Debt, status: Ints, *, as_of: date) -> Ints:
    """Payments that were missed, by loan; of what matured unpaid, months since then."""
    longer = np.minimum(LEAST_90 + rng.geometric(LESS_EACH_MONTH, len(status)), LONGEST_BEHIND)
    since_due = np.maximum(month_of(as_of) - debt.dates.month - debt.dates.term_months, 1)
    late = [status == one for one in (DAYS_30, DAYS_60, DAYS_90, MATURED_UNPAID)]
    months = np.select(late, [1, 2, longer, since_due], 0)
    return np.asarray(np.minimum(months, debt.repayment.paid))


def paid_through(debt: Debt, behind: Ints, *, as_of: date) -> Days:
    """The pay day of the last payment that was made."""
    last = month_of(as_of) - (debt.dates.pay_day > as_of.day)
    return on(last - behind, debt.dates.pay_day)


def _likely(data: Assumptions, debt: Debt, earned: Income, as_of: date) -> Floats:
    """How likely arrears are, against each other."""
    below = [earned.dscr < limit for limit, _ in WEAK_BELOW]
    weak = np.select(below, [share for _, share in WEAK_BELOW], USUAL)
    lost, likely = LOST_INCOME
    weak = np.where(earned.left < lost, np.maximum(weak, likely), weak)
    months = (debt.dates.due - np.datetime64(as_of)).astype(np.int64) / 30.4
    hard = (months < DUE_SOON_MONTHS) & (debt.coupon < LOW_COUPON)
    soon = np.where(hard, HARD_TO_REPAY, 1.0)
    stress = 1 + 0.5 * data.places.stress[debt.state]
    return np.asarray(weak * soon * stress * data.of_layer["arrears"][debt.layer])


def _late(rng: Generator, debt: Debt, likely: Floats, wanted: Floats) -> Bools:
    """Loans drawn one by one, the likelier the sooner, up to the `wanted` dollars by type."""
    rows = np.flatnonzero(likely)
    turn = rng.exponential(size=len(likely))[rows] / likely[rows]
    rows = rows[np.lexsort((turn, debt.kind[rows]))]
    kind, balance = debt.kind[rows], debt.balance[rows].astype(np.float64)
    before = np.cumsum(balance) - balance
    first = np.searchsorted(kind, np.arange(len(wanted)))
    start = np.append(before, 0.0)[np.minimum(first, len(rows))]
    drawn = np.zeros(len(likely), dtype=np.bool_)
    drawn[rows] = before - start[kind] + balance / 2 <= wanted[kind]
    return drawn


def _dollars(data: Assumptions, debt: Debt, which: Bools) -> Floats:
    """By property type, dollars owed on these loans."""
    sums = np.bincount(debt.kind, weights=debt.balance * which, minlength=len(data.types))
    return sums.astype(np.float64)
