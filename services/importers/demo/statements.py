"""The periods that income is filed for, and what the loans pay in each of them."""

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from services.importers.demo.assumptions import Floats, Ints
from services.importers.demo.days import month_of
from services.importers.demo.draws import Generator, weighted
from services.importers.demo.market import Debt
from services.importers.demo.repayment import ACTUAL_360

UNDERWRITTEN = -1
# Year to date, a quarter less of it, the last calendar year, the twelve months to the last quarter;
# the rest have filed nothing since underwriting.
MIX = np.array([0.34, 0.20, 0.34, 0.09, 0.03])
EVER = 10**6  # a month after all others
A_YEAR = 12  # months
QUARTERS_BACK = 4
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"


@dataclass(frozen=True, slots=True)
class Period:
    """From the first day of one month to the last day of another."""

    first: date
    last: date

    @property
    def months(self) -> int:
        """How many."""
        return month_of(self.last) - month_of(self.first) + 1

    @property
    def days(self) -> int:
        """First and last included."""
        return (self.last - self.first).days + 1

    @property
    def words(self) -> str:
        """Such as "1 Jan to 30 Jun 2026, 6 months"."""
        first = _day(self.first)
        if self.first.year == self.last.year:
            first = first.rpartition(" ")[0]
        return f"{first} to {_day(self.last)}, {self.months} months"


def periods(as_of: date) -> tuple[Period, ...]:
    """In the order of MIX, all of them over before `as_of`."""
    twelve = twelve_months(as_of)
    ends = [period.last for period in twelve]
    part = [Period(date(end.year, 1, 1), end) for end in ends if end.month < A_YEAR]
    year = Period(date(as_of.year - 1, 1, 1), date(as_of.year - 1, 12, 31))
    return (part[0], part[1], year, twelve[0])


def twelve_months(as_of: date) -> tuple[Period, ...]:
    """To each end of a quarter of the last fifteen months, over by `as_of`, latest first."""
    ends = _quarters_over(as_of, QUARTERS_BACK + 1)
    return tuple(Period(_months_before(end, A_YEAR - 1), end) for end in ends)


def quarter_ends(as_of: date, count: int) -> list[date]:
    """`as_of`, and before it the last days of the quarters that were over by then: latest first."""
    return [as_of, *_quarters_over(as_of, count - 1)]


def last_days(listed: tuple[Period, ...], *, at: date, as_of: date) -> list[list[date]]:
    """The last quarter's end up to `as_of` at which a loan still files what it files `at` one: rows
    by the period that it files in general, columns by the one that it files then; last, for
    UNDERWRITTEN, `at` itself.
    """
    quarters = (as_of.year - at.year) * QUARTERS_BACK + QUARTERS_BACK
    still = [(day, periods(day)) for day in quarter_ends(as_of, quarters) if day > at]
    return [
        *([*(_last(still, own, one, at) for one in listed), at] for own in range(len(listed))),
        [at] * (len(listed) + 1),
    ]


def _last(still: list[tuple[date, tuple[Period, ...]]], own: int, one: Period, at: date) -> date:
    # Loans too young for their own period file the first one.
    return next((day for day, listed in still if one in (listed[0], listed[own])), at)


def filed(rng: Generator, debt: Debt, listed: tuple[Period, ...]) -> tuple[Ints, Ints]:
    """Index of the period that each loan files in general, after all of them where none, and of the
    one that it files now: UNDERWRITTEN where none is filed, or the loan is younger.
    """
    own = weighted(rng, MIX, len(debt.kind))
    begins = np.array([*(month_of(period.first) for period in listed), 9999])
    # A loan too young for its period files the year to date, or nothing yet.
    drawn = np.where(debt.dates.month < begins[own], own, 0)
    none = (drawn == len(listed)) | (debt.dates.month >= begins[drawn])
    return own, np.where(none, UNDERWRITTEN, drawn)


def debt_service(debt: Debt, listed: tuple[Period, ...], which: Ints) -> Floats:
    """What the whole loan pays in its period, dollars: interest by day count while that is all.

    A floating rate is held where it stands; a loan past maturity pays on as before. For
    UNDERWRITTEN a year of what it was underwritten with.
    """
    pays = debt.repayment
    first = np.array([month_of(period.first) for period in listed])[which]
    months = np.array([period.months for period in listed])[which]
    amortises_from = debt.dates.month + 1 + pays.interest_only_months
    alone = np.where(pays.amortises, np.clip(amortises_from - first, 0, months), months)
    of_months = np.array([_days_of_months(period) for period in listed])
    share = np.where(pays.accrual == ACTUAL_360, of_months[which, alone] / 365, alone / 12)
    paid = pays.interest * share + pays.level * (months - alone)
    return np.asarray(debt.whole * np.where(which == UNDERWRITTEN, pays.constant, paid))


def _days_of_months(period: Period) -> list[int]:
    """Days of the first 0, 1, ... 12 months of a period; no more than it has."""
    ends = [_months_before(period.first, -n) for n in range(A_YEAR + 1)]
    return [min((end - period.first).days, period.days) for end in ends]


def _quarters_over(as_of: date, count: int) -> list[date]:
    """The last days of the quarters that were over by `as_of`, latest first."""
    quarter = date(as_of.year, as_of.month - (as_of.month - 1) % 3, 1)
    return [_months_before(quarter, 3 * back) - timedelta(1) for back in range(count)]


def _months_before(day: date, months: int) -> date:
    """The first of a month, so many months earlier."""
    month = month_of(day) - months
    return date(month // 12 + 1970, month % 12 + 1, 1)


def _day(day: date) -> str:
    month = _MONTHS[3 * day.month - 3 : 3 * day.month]  # %b would follow the machine's locale
    return f"{day.day} {month} {day.year}"
