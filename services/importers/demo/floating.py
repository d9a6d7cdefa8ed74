"""Rates that float: index, margin, floor and bought cap, and the coupon that they come to."""

from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from services.contract.vocabulary import LAYER_KINDS
from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.dates import Dates
from services.importers.demo.days import NO_DAY, Days, on
from services.importers.demo.draws import Generator, chance

LONGEST_TERM = 60  # months of a floating loan
#: Margin over one-month money by layer kind, percent.
MARGIN = dict(zip(LAYER_KINDS, (1.95, 2.25, 3.60, 3.00), strict=True))
STEP = 0.05  # percent, of margins, floors and strikes
# Of the index: the floor is a part of what it was when the loan was made, the strike half of it and
# so much more, percent: about 2 % in 2021, and below the index in 2023, when caps were dear.
FLOORS, LEAST_FLOOR = (0.20, 0.90), 0.10
STRIKES, OF_INDEX, APART = (1.50, 3.00), 0.5, 0.75
CAPPED_MONTHS, SHORTER = 24, 0.30  # of a bought cap that ends before the loan; how many do
# Index codes of Schedule AL: term SOFR and 30-day average SOFR; one-month LIBOR before SOFR.
SOFR, SOFR_IN_ARREARS, LIBOR = "Q", "N", "G"
FIRST_YEAR_OF_SOFR = 2022
IN_ARREARS = 0.15  # of floating loans


@dataclass(frozen=True, slots=True)
class Floating:
    """Of each loan; NaN and NaT where the rate is fixed."""

    floats: Bools
    in_arrears: Bools  # follows the 30-day average
    margin: Floats
    floor: Floats
    strike: Floats  # of the cap that the borrower has bought, on the index
    expires: Days  # when that cap ends
    rate: Floats  # in force, percent

    def at(self, index: Floats | float, day: date | Days) -> "Floating":
        """The same loans with one-month money at `index` percent on a day, one or by loan each."""
        lasts = self.expires >= np.asarray(day, dtype=NO_DAY.dtype)
        paid = np.fmin(index, np.where(lasts, self.strike, np.inf)) + self.margin
        rate = np.round(np.fmax(paid, self.floor), 2)
        return replace(self, rate=np.where(self.floats, rate, self.rate))


def floating(
    rng: Generator, data: Assumptions, *, kind: Ints, layer: Ints, when: Dates, as_of: date
) -> Floating:
    """Short loans, mostly of private lenders: index + margin, held between a floor and the strike
    of a cap, which the lender asks for up to maturity or for the first two years.
    """
    rows = len(kind)
    floats = chance(rng, data.of_layer["floating"][layer], rows)
    floats &= when.term_months <= LONGEST_TERM
    index = one_month_then(data, when)
    usual = np.array([MARGIN[word] for word in LAYER_KINDS])[layer]
    margin = _stepped(
        usual + data.of_type["spread_bp"][kind] / 200 + rng.normal(0, 0.35, rows)
    ).clip(1.0)
    least = np.maximum(rng.uniform(*FLOORS, rows) * index, LEAST_FLOOR)
    floor = _stepped(margin + least)
    dear = rng.uniform(*STRIKES, rows) + OF_INDEX * index
    strike = _stepped(np.maximum(dear, least + APART))
    shorter = chance(rng, SHORTER, rows)
    ends = np.where(shorter, on(when.month + CAPPED_MONTHS, when.pay_day), when.due)
    return Floating(
        floats=floats,
        in_arrears=chance(rng, IN_ARREARS, rows),
        margin=np.where(floats, margin, np.nan),
        floor=np.where(floats, floor, np.nan),
        strike=np.where(floats, strike, np.nan),
        expires=np.where(floats, np.minimum(ends, when.due), NO_DAY),
        rate=np.full(rows, np.nan),
    ).at(one_month_rate(data, as_of), as_of)


def one_month_rate(data: Assumptions, as_of: date) -> float:
    """One-month money on a day, percent; after the table its last figure."""
    return float(_one_month(data, as_of.year + as_of.month / 12))


def one_month_then(data: Assumptions, when: Dates) -> Floats:
    """One-month money in the months in which the loans were made, percent."""
    return _one_month(data, 1970 + (when.month + 1) / 12)


def _one_month(data: Assumptions, year: float | Floats) -> Floats:
    middles = data.first_year + 0.5 + np.arange(len(data.one_month))
    return np.asarray(np.round(np.interp(year, middles, data.one_month), 2))


def _stepped(percent: Floats) -> Floats:
    return np.asarray(np.round(np.rint(percent / STEP) * STEP, 2))
