"""How the loans are repaid: payment type, interest-only term, day count, and what is still owed."""

from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.draws import Generator, by_group, chance

# Payment types of Schedule AL.
FULLY_AMORTISING, AMORTISING_BALLOON, INTEREST_ONLY = 1, 2, 3
INTEREST_ONLY_THEN_FULLY, INTEREST_ONLY_THEN_BALLOON = 4, 5
ACTUAL_360, THIRTY_360 = 3, 1  # interest accrual methods of Schedule AL
DAYS = 365 / 360  # interest of a year by actual/360, over that by 30/360
LONG_TERM = 180  # months; from here on lenders often want all of it repaid
LONGEST_BALLOON = 240  # months; longer loans are never interest only
LONGEST_SCHEDULE = 360  # months of amortisation
LATE_START = 0.15  # of fully amortising loans begin with interest alone
# Interest-only months of loans that amortise later, each as often as it stands here.
FIRST_YEARS = np.array([12, 24, 24, 36, 36, 60, 60])


@dataclass(frozen=True, slots=True)
class Repayment:
    """How each loan pays; money per dollar lent, before anything is left out."""

    payment_type: Ints
    amortization_months: Ints  # 0: interest only
    interest_only_months: Ints
    accrual: Ints
    paid: Ints  # payments made
    level: Floats  # monthly principal and interest; 0 where interest only
    interest: Floats  # of a year, by day count
    left: Floats  # owed

    @property
    def amortises(self) -> Bools:
        """Whether principal is repaid before maturity."""
        return np.asarray(self.amortization_months > 0)

    @property
    def repays_all(self) -> Bools:
        """Whether nothing is left at maturity."""
        return np.isin(self.payment_type, (FULLY_AMORTISING, INTEREST_ONLY_THEN_FULLY))

    @property
    def constant(self) -> Floats:
        """Debt service of a year per dollar lent, as lenders underwrite it: once it amortises."""
        return np.where(self.amortises, 12 * self.level, self.interest)

    def at(self, coupon: Floats, paid: Ints) -> "Repayment":
        """The same schedules at these coupons, after so many payments. Only loans that are interest
        only may have another coupon.
        """
        interest = coupon / 100 * np.where(self.accrual == ACTUAL_360, DAYS, 1.0)
        level = np.where(self.amortises, np.maximum(paid - self.interest_only_months, 0), 0)
        return replace(self, paid=paid, interest=interest, left=owed(self.level, interest, level))


def repayment(
    rng: Generator,
    data: Assumptions,
    *,
    layer: Ints,
    term: Ints,
    coupon: Floats,
    floats: Bools,
    past: Bools,
) -> Repayment:
    """Schedules of which nothing is paid yet; `past` loans have not repaid theirs when due."""
    rows = len(layer)
    kind, months, at_first = _schedules(rng, data, layer=layer, term=term, floats=floats, past=past)
    exact = chance(rng, data.of_layer["actual_360"][layer], rows)
    interest = coupon / 100 * np.where(exact, DAYS, 1.0)
    return Repayment(
        payment_type=kind,
        amortization_months=months,
        interest_only_months=at_first,
        accrual=np.where(exact, ACTUAL_360, THIRTY_360),
        paid=np.zeros(rows, dtype=np.int64),
        level=level_payment(coupon, months),
        interest=interest,
        left=np.ones(rows),
    )


def level_payment(coupon: Floats, months: Ints) -> Floats:
    """Monthly for one dollar, by twelve equal months whatever the day count; 0 for 0 months."""
    rate = coupon / 1200
    amortises = months > 0
    level = -rate / np.expm1(-np.where(amortises, months, LONGEST_SCHEDULE) * np.log1p(rate))
    return np.where(amortises, level, 0.0)


def owed(level: Floats, interest: Floats, payments: Ints) -> Floats:
    """Left of one dollar after so many level payments; `interest` is that of a year."""
    rate = interest / 12
    grown = np.expm1(payments * np.log1p(rate))
    return np.asarray(np.clip(1 + grown - level * grown / rate, 0.0, 1.0))


def payments_due(first_month: Ints, pay_day: Ints, *, term: Ints, as_of: date) -> Ints:
    """Payments due up to and on `as_of`, without the one of the maturity date: the balloon."""
    now = (as_of.year - 1970) * 12 + as_of.month - 1
    return np.clip(now - first_month + (pay_day <= as_of.day), 0, term - 1)


def _schedules(
    rng: Generator, data: Assumptions, *, layer: Ints, term: Ints, floats: Bools, past: Bools
) -> tuple[Ints, Ints, Ints]:
    """Payment type, months of amortisation and months of interest only."""
    rows = len(layer)
    months = data.amortization_months[by_group(rng, data.amortization_by_layer, layer)]
    months = np.where(term >= LONGEST_BALLOON, LONGEST_SCHEDULE, months)
    fully = chance(rng, data.of_layer["fully"][layer], rows) & (term >= LONG_TERM) & ~past
    fully |= term >= LONGEST_SCHEDULE
    months = np.where(floats, 0, months)
    draw = rng.random(rows)
    at_first = FIRST_YEARS[rng.integers(0, len(FIRST_YEARS), rows)]
    partial = (draw < data.of_layer["partial"][layer]) & (months > 0) & (at_first <= term - 12)
    kind = np.where(months > 0, AMORTISING_BALLOON, INTEREST_ONLY)
    kind = np.where(partial, INTEREST_ONLY_THEN_BALLOON, kind)
    late = draw < LATE_START
    kind = np.where(fully, np.where(late, INTEREST_ONLY_THEN_FULLY, FULLY_AMORTISING), kind)
    at_first = np.where(
        kind == INTEREST_ONLY, term, np.where(np.where(fully, late, partial), at_first, 0)
    )
    months = np.where(fully, term - at_first, months)
    return kind, months, at_first
