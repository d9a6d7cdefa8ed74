"""How the coupon of a floating loan moves with the index that it follows."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from services.contract.schedule_al import ADJUSTABLE, RATE_TYPES, SOFR_INDEXES
from services.rates.reference import ReferenceRates
from services.signals.amortisation import BoolArray, DateArray, FloatArray
from services.signals.loan_columns import LoanColumns

#: Rate types that float, and indexes of which SOFR tells the level; 0 is stated to be another.
FLOATING_TYPES: Final = dict.fromkeys(RATE_TYPES, 0.0) | {ADJUSTABLE: 1.0}
_OF_SOFR: Final = dict.fromkeys(SOFR_INDEXES, 1.0)
#: A coupon so near a floor or cap is at it: coupons are stated in hundredths of a percent.
AT_PERCENT: Final = 0.005


@dataclass(frozen=True, slots=True, eq=False)
class Floating:
    """Of each loan; percent figures, NaN where there is none and for a fixed rate."""

    floats: BoolArray
    #: Index and margin, before floor and caps.
    at_index: FloatArray
    floor: FloatArray
    #: The lower one of the loan's own cap and of the bought one while it lasts.
    cap: FloatArray
    #: The loan's own cap alone: what holds once the bought one has expired.
    own_cap: FloatArray


def rate_floats(kind: FloatArray, margin: FloatArray) -> BoolArray:
    """Which rates float: by their type as FLOATING_TYPES has it, and by a margin where none is
    stated. A rate that is stated to be fixed is fixed, whatever the columns beside it hold.
    """
    floats: BoolArray = (kind == 1) | (np.isnan(kind) & ~np.isnan(margin))
    return floats


def floating(
    column: LoanColumns, coupon: FloatArray, as_of: DateArray, rates: ReferenceRates
) -> Floating:
    """What the loans say of rates that float.

    Floor and the loan's own cap are of the whole rate, the strike of a bought cap is of the index;
    that cap counts up to the day on which it expires, or always where that is not stated. The
    coupon tells where the index is, above a bought cap too: the lender is paid it, the cap pays the
    borrower back. At a floor or cap it does not: there SOFR does, of the loans that follow it.
    """
    margin = column.figures("rate_margin")
    floats = rate_floats(column.coded("rate_type", FLOATING_TYPES), margin)
    floor, own = (column.figures(name, above=0) for name in ("rate_floor", "rate_cap"))
    bought = column.figures("cap_strike") + margin
    bought = np.where(column.days("cap_expires") < as_of, np.nan, bought)
    # Under the floor a bought cap saves nothing.
    cap = np.fmin(own, np.where(floor > bought, floor, bought))
    near_cap, near_floor = (np.abs(coupon - bound) < AT_PERCENT for bound in (cap, floor))
    asked = floats & (near_cap | near_floor) & (column.coded("rate_index", _OF_SOFR) == 1)
    quoted = np.full(len(coupon), np.nan)
    quoted[asked] = _sofr_on(rates, as_of[asked]) + margin[asked]
    index = np.select(
        [near_cap & near_floor, near_cap, near_floor],
        [quoted, np.maximum(quoted, coupon), np.minimum(quoted, coupon)],
        default=coupon,
    )
    known = {"at_index": index, "floor": floor, "cap": cap, "own_cap": own}
    return Floating(
        floats=floats, **{name: np.where(floats, of, np.nan) for name, of in known.items()}
    )


def held(rate: FloatArray, floor: FloatArray, cap: FloatArray) -> FloatArray:
    """Index + margin, held between floor and cap; percent figures.

    NaN for `floor` or `cap` is a loan without one. NaN where `rate` is missing, and where the floor
    lies above the cap, which contradicts itself. Source: Schedule AL, items on adjustable rates.
    """
    between = np.fmin(np.fmax(rate, floor), cap)
    return np.where(np.isnan(rate) | (floor > cap), np.nan, between)


def _sofr_on(rates: ReferenceRates, as_of: DateArray) -> FloatArray:
    """The SOFR in use on each day, percent figure; NaN where none is loaded."""
    days, at = np.unique(as_of, return_inverse=True)
    found = [rates.quoted("SOFR", day) for day in days.tolist()]
    percents = np.array([np.nan if quote is None else quote.percent for quote in found])
    of_each: FloatArray = percents[at]
    return of_each
