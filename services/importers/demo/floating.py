"""Rates that float: index, margin, floor and cap, and the coupon that they come to."""

from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from services.contract.vocabulary import LAYER_KINDS
from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.draws import Generator, chance

LONGEST_TERM = 60  # months of a floating loan
#: Margin over one-month money by layer kind, percent.
MARGIN = dict(zip(LAYER_KINDS, (1.95, 2.25, 3.60, 3.00), strict=True))
STEP = 0.05  # percent, of margins, floors and caps
FLOORS, STRIKES = (0.10, 4.10), (3.10, 6.50)  # of the index, percent
UNCAPPED = 0.30  # of floating loans
# Index codes of Schedule AL: term SOFR and 30-day average SOFR; one-month LIBOR before SOFR.
SOFR, SOFR_IN_ARREARS, LIBOR = "Q", "N", "G"
FIRST_YEAR_OF_SOFR = 2022
IN_ARREARS = 0.15  # of floating loans


@dataclass(frozen=True, slots=True)
class Floating:
    """Of each loan; NaN where the rate is fixed, or where there is no cap."""

    floats: Bools
    in_arrears: Bools  # follows the 30-day average
    margin: Floats
    floor: Floats
    cap: Floats
    rate: Floats  # in force, percent

    def at(self, index: Floats | float) -> "Floating":
        """The same loans while one-month money stands at `index` percent, one figure or by loan."""
        rate = np.round(np.fmin(np.fmax(index + self.margin, self.floor), self.cap), 2)
        return replace(self, rate=np.where(self.floats, rate, self.rate))


def floating(
    rng: Generator, data: Assumptions, *, kind: Ints, layer: Ints, term: Ints, as_of: date
) -> Floating:
    """Short loans, mostly of private lenders: index + margin, held between floor and cap."""
    rows = len(kind)
    floats = chance(rng, data.of_layer["floating"][layer], rows) & (term <= LONGEST_TERM)
    index = one_month_rate(data, as_of)
    usual = np.array([MARGIN[word] for word in LAYER_KINDS])[layer]
    margin = _stepped(
        usual + data.of_type["spread_bp"][kind] / 200 + rng.normal(0, 0.35, rows)
    ).clip(1.0)
    least = rng.uniform(*FLOORS, rows)
    floor = _stepped(margin + least)
    strike = np.maximum(rng.uniform(*STRIKES, rows), least + 0.75)
    cap = np.where(chance(rng, UNCAPPED, rows), np.nan, _stepped(margin + strike))
    rate = np.fmin(np.fmax(index + margin, floor), cap)
    return Floating(
        floats=floats,
        in_arrears=chance(rng, IN_ARREARS, rows),
        margin=np.where(floats, margin, np.nan),
        floor=np.where(floats, floor, np.nan),
        cap=np.where(floats, cap, np.nan),
        rate=np.asarray(np.round(rate, 2), dtype=np.float64),
    )


def one_month_rate(data: Assumptions, as_of: date) -> float:
    """One-month money on a day, percent; after the table its last figure."""
    middles = data.first_year + 0.5 + np.arange(len(data.one_month))
    return float(np.round(np.interp(as_of.year + as_of.month / 12, middles, data.one_month), 2))


def _stepped(percent: Floats) -> Floats:
    return np.asarray(np.round(np.rint(percent / STEP) * STEP, 2))
