"""When the loans were made, when they pay and when they fall due."""

from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.draws import Generator, by_group, chance

Days = NDArray[np.datetime64]
LONGEST_PAST_DUE = 30  # months past maturity
LONGEST_LATE_TERM = 180  # months; longer loans of this book have not matured yet
PAYMENT_DAYS = np.array([1, 1, 1, 6, 11])
AFTER_ANTICIPATED = np.array([120, 240])  # months from the anticipated repayment date to maturity
#: First day of every month from 1970 on: cheaper to look up than to convert.
MONTHS = np.arange(1800).astype("datetime64[M]").astype("datetime64[D]")
NO_DAY = np.datetime64("NaT", "D")


@dataclass(frozen=True, slots=True)
class Dates:
    """Of each loan. Months count from January 1970."""

    month: Ints  # of origination
    origination: Days
    pay_day: Ints  # of the month
    term_months: Ints  # to the anticipated repayment date where there is one, else to maturity
    due: Days  # the day on which it must be refinanced
    maturity: Days
    past_maturity: Bools
    ard: Days  # anticipated repayment date; NaT: none

    @property
    def first_payment(self) -> Days:
        """The pay day of the month after origination."""
        return on(self.month + 1, self.pay_day)

    @property
    def year(self) -> Ints:
        """Of origination."""
        return np.asarray(self.month // 12 + 1970)

    def years_old(self, as_of: date) -> Floats:
        """Years from origination to a day."""
        return np.asarray((np.datetime64(as_of) - self.origination).astype(np.int64) / 365.25)

    def anticipated(self, rng: Generator, *, chance_of: float, among: Bools) -> "Dates":
        """The same, where some of `among` are due long before their final maturity."""
        rows = len(self.month)
        some = chance(rng, chance_of, rows) & among & ~self.past_maturity
        longer = AFTER_ANTICIPATED[rng.integers(0, len(AFTER_ANTICIPATED), rows)]
        final = on(self.month + self.term_months + np.where(some, longer, 0), self.pay_day)
        return replace(self, maturity=final, ard=np.where(some, self.due, NO_DAY))


def on(month: Ints, day: Ints | int) -> Days:
    """Days of months; `day` counts from 1."""
    return np.asarray(MONTHS[month] + (day - 1))


def month_of(day: date) -> int:
    """Months from January 1970."""
    return (day.year - 1970) * 12 + day.month - 1


def dates(
    rng: Generator, data: Assumptions, *, state: Ints, kind: Ints, layer: Ints, as_of: date
) -> Dates:
    """Loans alive at `as_of`: the older the fewer, and a few that are due and not repaid."""
    rows = len(layer)
    now = month_of(as_of)
    oldest = now - (data.first_year - 1970) * 12
    term = data.terms_months[by_group(rng, data.term_by_layer, layer)]
    year = (now - np.arange(oldest + 1)) // 12 + 1970 - data.first_year
    volume = data.vintage[np.minimum(year, len(data.vintage) - 1)]  # by age in months
    running = np.concatenate([[0.0], np.cumsum(volume)])
    reach = running[np.minimum(term, oldest + 1)]
    age = np.searchsorted(running, rng.random(rows) * reach, side="right") - 1
    late = np.minimum(1 + np.floor(rng.exponential(8, rows)), LONGEST_PAST_DUE).astype(np.int64)
    likely = data.of_type["late"][kind] * (1 + data.places.stress[state])
    past = chance(rng, data.chances["past_maturity"] * likely, rows)
    past &= (term <= LONGEST_LATE_TERM) & (term + late <= oldest)
    age = np.where(past, term + late, np.clip(age, 0, term - 1))
    month = now - age
    origination = np.minimum(on(month, rng.integers(1, 29, rows)), np.datetime64(as_of))
    pay_day = PAYMENT_DAYS[rng.integers(0, len(PAYMENT_DAYS), rows)]
    due = on(month + term, pay_day)
    return Dates(
        month=month,
        origination=origination,
        pay_day=pay_day,
        term_months=term,
        due=due,
        maturity=due,
        past_maturity=past,
        ard=np.full(rows, NO_DAY),
    )
