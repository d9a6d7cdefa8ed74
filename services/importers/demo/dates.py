"""When the loans were made, when they pay and when they fall due."""

from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.days import NO_DAY, Days, month_of, on
from services.importers.demo.draws import Generator, by_group, chance
from services.importers.demo.securitisations import CMBS, OPEN_MONTHS, REPAID_EARLY, pooled

LONGEST_PAST_DUE = 30  # months past maturity
FADE_MONTHS = 8  # of loans past maturity, about so long until they are settled
LONGEST_LATE_TERM = 180  # months; longer loans of this book have not matured yet
PAYMENT_DAYS = np.array([1, 1, 1, 6, 11])
EXTENSION_MONTHS = 12  # of more time at a time
LONGER = 0.3  # of extended loans have a year more than they need by now
EXTENDED_DAYS = (-75, 75)  # from the day on which they were due
AFTER_ANTICIPATED = np.array([120, 240])  # months from the anticipated repayment date to maturity


@dataclass(frozen=True, slots=True)
class Dates:
    """Of each loan. Months count from January 1970."""

    month: Ints  # of origination
    origination: Days
    pay_day: Ints  # of the month
    term_months: Ints  # to the anticipated repayment date where there is one, else to maturity
    extended: Ints  # of these, by which maturity was moved; 0: it was not
    extended_on: Days
    due: Days  # the day on which it must be refinanced
    maturity: Days
    past_maturity: Bools
    ard: Days  # anticipated repayment date; NaT: none
    trust: Ints  # row of `quarters`; NO_TRUST where the loan is not securitised
    quarters: Ints  # by trust, oldest first: first month of the quarter of its loans

    @property
    def first_payment(self) -> Days:
        """The pay day of the month after origination."""
        return on(self.month + 1, self.pay_day)

    @property
    def year(self) -> Ints:
        """Of origination."""
        return np.asarray(self.month // 12 + 1970)

    @property
    def first_due(self) -> Days:
        """The day on which it was due before it was given more time."""
        return on(self.month + self.term_months - self.extended, self.pay_day)

    def years_old(self, as_of: date | Days) -> Floats:
        """Years from origination to a day, one or by loan."""
        day = np.asarray(as_of, dtype=NO_DAY.dtype)
        return np.asarray((day - self.origination).astype(np.int64) / 365.25)

    def anticipated(self, rng: Generator, *, chance_of: float, among: Bools) -> "Dates":
        """The same, where some of `among` are due long before their final maturity."""
        rows = len(self.month)
        some = chance(rng, chance_of, rows) & among & ~self.past_maturity
        longer = AFTER_ANTICIPATED[rng.integers(0, len(AFTER_ANTICIPATED), rows)]
        final = on(self.month + self.term_months + np.where(some, longer, 0), self.pay_day)
        return replace(self, maturity=final, ard=np.where(some, self.due, NO_DAY))

    def given_time(self, rng: Generator, *, chance_of: float, as_of: date) -> "Dates":
        """The same, where some of those past maturity were given more time about the day on which
        they were due, to a day that lies ahead.
        """
        rows, today = len(self.month), np.datetime64(as_of)
        some = chance(rng, chance_of, rows) & self.past_maturity
        over = month_of(as_of) - self.month - self.term_months
        times = 1 + over // EXTENSION_MONTHS + chance(rng, LONGER, rows)
        more = np.where(some, EXTENSION_MONTHS * times, 0)
        decided = np.minimum(self.due + rng.integers(*EXTENDED_DAYS, rows), today)
        due = on(self.month + self.term_months + more, self.pay_day)
        return replace(
            self,
            term_months=self.term_months + more,
            extended=more,
            extended_on=np.where(some, decided, NO_DAY).astype(NO_DAY.dtype),
            due=due,
            maturity=np.where(some, due, self.maturity),
            past_maturity=self.past_maturity & ~some,
        )

    def at(self, day: np.datetime64) -> "Dates":
        """As they were on an earlier day: what was extended later was due before."""
        later = self.extended_on > day
        due = np.where(later, self.first_due, self.due)
        return replace(
            self,
            due=due,
            maturity=np.where(later, due, self.maturity),
            past_maturity=(self.past_maturity | later) & (due <= day),
        )


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
    age, other = (
        np.searchsorted(running, rng.random(rows) * reach, side="right") - 1 for _ in range(2)
    )
    repaid = (term - age <= OPEN_MONTHS) & chance(rng, REPAID_EARLY, rows)
    age = np.where(repaid, other, age)
    since = np.floor(rng.exponential(FADE_MONTHS, rows)).astype(np.int64)
    late = np.minimum(1 + since, LONGEST_PAST_DUE)
    likely = data.of_type["late"][kind] * (1 + data.places.stress[state])
    past = chance(rng, data.chances["past_maturity"] * likely, rows)
    there = (term <= LONGEST_LATE_TERM) & (term + late <= oldest)
    age = np.where(past & there, term + late, np.clip(age, 0, term - 1))
    held = pooled(
        rng,
        data,
        layer=layer,
        month=now - age,
        term=term,
        past=past & (there | (layer == CMBS)),
        fade=FADE_MONTHS,
        longest_past=LONGEST_PAST_DUE,
        as_of=as_of,
    )
    month, term = held.month, held.term
    origination = np.minimum(on(month, rng.integers(1, 29, rows)), np.datetime64(as_of))
    pay_day = PAYMENT_DAYS[rng.integers(0, len(PAYMENT_DAYS), rows)]
    due = on(month + term, pay_day)
    return Dates(
        month=month,
        origination=origination,
        pay_day=pay_day,
        term_months=term,
        extended=np.zeros(rows, dtype=np.int64),
        extended_on=np.full(rows, NO_DAY),
        due=due,
        maturity=due,
        past_maturity=held.past,
        ard=np.full(rows, NO_DAY),
        trust=held.trust,
        quarters=held.quarters,
    )
