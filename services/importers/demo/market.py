"""The debt of the demonstration portfolio: where, what, since when, how much, at what coupon."""

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from services.contract.vocabulary import LAYER_KINDS
from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.draws import Generator, by_group, chance, evenly

Days = NDArray[np.datetime64]
CMBS = LAYER_KINDS.index("cmbs servicer")
LARGE_USD = 150e6  # sizes above are drawn in, or the tail would reach billions
LEAST_USD = 400e3
LEAST_COUPON = 2.4
LONGEST_PAST_DUE = 30  # months past maturity
FULLY_PAID_TERM = 240  # months; such terms go with 360 months of amortisation, or none
LONGEST_LATE_TERM = 180  # months; longer loans of this book have not matured yet
OTHER_STEP = 0.30  # of coupons are quoted in the lender's other step
TO_MEDIAN = 0.84  # brings the median of the book near $8M
ROUNDED_TO_USD = ((5e6, 25e3), (20e6, 50e3), (np.inf, 250e3))  # amounts, below a size
LARGE_LOAN_USD = 20e6  # above it securitised loans are often split
PAYMENT_DAYS = np.array([1, 1, 1, 6, 11])


@dataclass(frozen=True, slots=True)
class Debt:
    """The senior layer of each loan, before anything is left out. Money in dollars."""

    city: Ints  # row of places.city
    state: Ints  # row of places.states
    kind: Ints  # row of types
    layer: Ints  # row of LAYER_KINDS
    origination: Days
    maturity: Days
    origination_year: Ints
    term_months: Ints
    past_maturity: Bools
    amortization_months: Ints
    coupon: Floats  # percent
    original: Ints
    balance: Ints
    structure: NDArray[np.str_]
    part: Floats  # of the whole loan that this record holds (D22)
    annual_service: Floats  # of the whole loan


def debt(rng: Generator, data: Assumptions, *, loans: int, as_of: date) -> Debt:
    """`loans` senior layers, each element independent of how many there are beside it."""
    places = data.places
    city = evenly(rng, places.weight, loans)
    state = places.state[city]
    kind = by_group(rng, data.type_by_state, state)
    layer = by_group(rng, data.layer_by_type, kind)
    origination, maturity, term, past = _dates(rng, data, layer=layer, as_of=as_of)
    year = origination.astype("datetime64[Y]").astype(np.int64) + 1970
    coupon = _coupons(rng, data, kind=kind, layer=layer, origination=origination)
    amortization = data.amortization_months[by_group(rng, data.amortization_by_layer, layer)]
    # A loan whose term outlasts its amortisation would have no balance left.
    amortization = np.where((amortization > 0) & (term >= FULLY_PAID_TERM), 360, amortization)
    original = _amounts(rng, data, city=city, kind=kind, layer=layer)
    age = _months(np.datetime64(as_of)) - _months(origination)
    factor, payment = amortized(coupon, amortization, np.minimum(age, term))
    structure, part = _structures(rng, layer=layer, original=original)
    return Debt(
        city=city,
        state=state,
        kind=kind,
        layer=layer,
        origination=origination,
        maturity=maturity,
        origination_year=year,
        term_months=term,
        past_maturity=past,
        amortization_months=amortization,
        coupon=coupon,
        original=original,
        balance=np.rint(original * factor).astype(np.int64),
        structure=structure,
        part=part,
        annual_service=12 * payment * original / part,
    )


def amortized(coupon: Floats, amortization: Ints, paid: Ints) -> tuple[Floats, Floats]:
    """Balance after `paid` months, and the level monthly payment, for one dollar lent.

    `coupon` in percent a year, monthly in arrears; `amortization` in months, 0 for interest only.
    """
    rate = coupon / 1200
    months = np.where(amortization > 0, amortization, 360)
    grown = (1 + rate) ** months
    level = rate * grown / (grown - 1)
    left = (grown - (1 + rate) ** np.minimum(paid, months)) / (grown - 1)
    level_paid = amortization > 0
    return np.where(level_paid, left, 1.0), np.where(level_paid, level, rate)


def _months(days: Days | np.datetime64) -> Ints:
    return np.asarray(days.astype("datetime64[M]").astype(np.int64))


def _dates(
    rng: Generator, data: Assumptions, *, layer: Ints, as_of: date
) -> tuple[Days, Days, Ints, Bools]:
    """Origination, maturity, term in months, past maturity: loans alive at `as_of`."""
    rows = len(layer)
    now = int(_months(np.datetime64(as_of)))
    oldest = now - (data.first_year - 1970) * 12
    term = data.terms_months[by_group(rng, data.term_by_layer, layer)]
    year = (now - np.arange(oldest + 1)) // 12 + 1970 - data.first_year
    volume = data.vintage[np.minimum(year, len(data.vintage) - 1)]  # by age in months
    running = np.concatenate([[0.0], np.cumsum(volume)])
    reach = running[np.minimum(term, oldest + 1)]
    age = np.searchsorted(running, rng.random(rows) * reach, side="right") - 1
    late = np.minimum(1 + np.floor(rng.exponential(8, rows)), LONGEST_PAST_DUE).astype(np.int64)
    past = chance(rng, data.chances["past_maturity"], rows)
    past &= (term <= LONGEST_LATE_TERM) & (term + late <= oldest)
    age = np.where(past, term + late, np.clip(age, 0, term - 1))
    month = now - age
    day = rng.integers(0, 28, rows)
    origination = month.astype("datetime64[M]").astype("datetime64[D]") + day
    origination = np.minimum(origination, np.datetime64(as_of))
    due = (month + term).astype("datetime64[M]").astype("datetime64[D]")
    maturity = due + (PAYMENT_DAYS[rng.integers(0, len(PAYMENT_DAYS), rows)] - 1)
    return origination, maturity, term, past


def reference_rate(data: Assumptions, month: Ints) -> Floats:
    """10-year Treasury in these months (since 1970), percent; after the table its last figure."""
    quarters = (data.first_year - 1970) * 12 + 1 + 3 * np.arange(len(data.ten_year))
    return np.asarray(np.interp(month, quarters, data.ten_year))


def _coupons(
    rng: Generator, data: Assumptions, *, kind: Ints, layer: Ints, origination: Days
) -> Floats:
    rows = len(kind)
    base = reference_rate(data, _months(origination))
    spread = (data.of_type["spread_bp"][kind] + data.of_layer["spread_bp"][layer]) / 100
    # Spreads widen when the reference rate is low: lenders have floors.
    quoted = base + spread + 0.2 * np.maximum(2.5 - base, 0) + rng.normal(0, 0.24, rows)
    step = data.coupon_step[layer, chance(rng, OTHER_STEP, rows).astype(np.int64)]
    coupon = np.rint(np.maximum(quoted, LEAST_COUPON) / step) * step
    return np.asarray(np.round(coupon, 3))


def _amounts(rng: Generator, data: Assumptions, *, city: Ints, kind: Ints, layer: Ints) -> Ints:
    """Heavy-tailed, larger in larger and dearer cities; as round as loans are written."""
    places = data.places
    typical = np.median(places.weight)
    dollars = (
        data.of_type["median_musd"][kind]
        * 1e6
        * data.of_layer["size"][layer]
        * places.price[places.state[city]] ** 0.6
        * (places.weight[city] / typical) ** 0.10
        * np.exp(data.of_type["sigma"][kind] * rng.normal(0, 1, len(city)))
        * TO_MEDIAN
    )
    dollars = np.where(dollars > LARGE_USD, LARGE_USD * np.sqrt(dollars / LARGE_USD), dollars)
    limits = [dollars < below for below, _ in ROUNDED_TO_USD]
    step = np.select(limits, [step for _, step in ROUNDED_TO_USD])
    return np.asarray(np.rint(np.maximum(dollars, LEAST_USD) / step) * step).astype(np.int64)


def _structures(rng: Generator, *, layer: Ints, original: Ints) -> tuple[NDArray[np.str_], Floats]:
    """Schedule AL structure and the part of the whole loan that the record holds (D22)."""
    rows = len(layer)
    pooled = layer == CMBS
    split = np.where(original > LARGE_LOAN_USD, 0.28, 0.06)
    draw = rng.random(rows)
    companion = draw < np.where(pooled, split, 0.02)
    senior_note = ~companion & (draw > np.where(pooled, 0.96, 0.995))
    part = np.where(
        companion,
        rng.uniform(0.2, 0.8, rows),
        np.where(senior_note, rng.uniform(0.55, 0.8, rows), 1),
    )
    return np.where(companion, "PP", np.where(senior_note, "A1", "WL")), part
