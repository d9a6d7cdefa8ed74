"""The debt of the demonstration portfolio: where, what, since when, how much, at what coupon."""

from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.dates import Dates, dates
from services.importers.demo.days import Days
from services.importers.demo.draws import Generator, by_group, chance, evenly, weighted
from services.importers.demo.floating import Floating, floating, one_month_rate, one_month_then
from services.importers.demo.repayment import Repayment, payments_due, repayment
from services.importers.demo.securitisations import CMBS

# Sizes above are drawn in, sooner in smaller cities, or the tail would reach billions.
LARGE_USD, CITY_GROWTH, LARGE_RANGE = 50e6, 0.5, (15e6, 150e6)
LEAST_USD = 400e3
LEAST_COUPON = 2.4
OTHER_STEP = 0.30  # of coupons are quoted in the lender's other step
TO_MEDIAN = 0.84  # brings the median of the book near $8M
ROUNDED_TO_USD = ((5e6, 25e3), (20e6, 50e3), (np.inf, 250e3))  # amounts, below a size
# Some are written to the price of a purchase or to a coverage: in these steps, so often each.
ODD_USD, ODD_WEIGHTS = np.array([5000, 1000, 500, 100, 1]), np.array([0.30, 0.34, 0.20, 0.10, 0.06])
STRUCTURES = ("WL", "PP", "A1")  # of Schedule AL
# Whole loans of so much and a fixed rate are split into notes that rank alike, or into a senior and
# a junior one: so many of the securitised ones, and of the others.
SPLIT_FROM_USD, RANK_ALIKE, SENIOR_ALONE = 50e6, (0.60, 0.10), (0.20, 0.02)
# So many times as exposed as another is the property of a loan that was not repaid when it was due,
# or was given more time.
NOT_REPAID, GIVEN_TIME = 9.0, 4.0


@dataclass(frozen=True, slots=True)
class Debt:
    """The senior layer of each loan, before anything is left out. Money in dollars."""

    city: Ints  # row of places.city
    state: Ints  # row of places.states
    kind: Ints  # row of types
    layer: Ints  # row of LAYER_KINDS
    dates: Dates
    reference: Floats  # rate when the loan was made, percent
    floating: Floating
    coupon: Floats  # percent
    repayment: Repayment
    original: Ints
    balance: Ints  # 0: paid off
    structure: Ints  # row of STRUCTURES
    part: Floats  # of the whole loan that this record holds (D22)
    exposed: Floats  # so many times as likely as others to have a property that ails

    @property
    def whole(self) -> Floats:
        """What was lent on the whole loan."""
        return np.asarray(self.original / self.part)

    @property
    def paid_off(self) -> Bools:
        """Loans that were repaid since the last report."""
        return np.asarray(self.balance == 0)

    def paying(self, index: Floats | float, day: date | Days, paid: Ints) -> "Debt":
        """The same loans with one-month money at `index` on a day, after so many payments."""
        floating = self.floating.at(index, day)
        coupon = np.where(floating.floats, floating.rate, self.coupon)
        repayment = self.repayment.at(coupon, paid)
        return replace(self, floating=floating, coupon=coupon, repayment=repayment)

    def as_made(self, data: Assumptions) -> "Debt":
        """The same loans with one-month money as it was when each was made, and nothing paid."""
        made = self.dates.origination
        return self.paying(one_month_then(data, self.dates), made, np.zeros_like(self.original))

    def at(self, data: Assumptions, day: date, *, ended: Days) -> "Debt":
        """The same loans on an earlier day. Those that are paid off owe nothing from `ended` on."""
        when = self.dates
        paid = payments_due(when.month + 1, when.pay_day, term=when.term_months, as_of=day)
        there = self.paying(one_month_rate(data, day), day, paid)
        owed = np.rint(self.original * there.repayment.left).astype(np.int64)
        on = np.datetime64(day)
        return replace(
            there,
            dates=when.at(on),
            balance=np.where(self.paid_off & (ended <= on), 0, owed),
        )


def debt(rng: Generator, data: Assumptions, *, loans: int, as_of: date) -> Debt:
    """`loans` senior layers, each element independent of how many there are beside it."""
    places = data.places
    city = evenly(rng, places.weight, loans)
    state = places.state[city]
    kind = by_group(rng, data.type_by_state, state)
    layer = by_group(rng, data.layer_by_type, kind)
    when = dates(rng, data, state=state, kind=kind, layer=layer, as_of=as_of)
    reference = reference_rate(data, when.month)
    float_ = floating(rng, data, kind=kind, layer=layer, when=when, as_of=as_of)
    when = when.anticipated(
        rng, chance_of=data.chances["anticipated_repayment"], among=(layer == CMBS) & ~float_.floats
    )
    fixed = _coupons(rng, data, kind=kind, layer=layer, reference=reference)
    coupon = np.where(float_.floats, float_.rate, fixed)
    schedules = repayment(
        rng,
        data,
        layer=layer,
        term=when.term_months,
        coupon=coupon,
        floats=float_.floats,
        past=when.past_maturity,
    )
    original = _amounts(rng, data, city=city, kind=kind, layer=layer)
    structure, part = _structures(rng, layer=layer, original=original, floats=float_.floats)
    past = when.past_maturity
    gone = chance(rng, data.chances["paid_off"], loans) & ~past
    when = when.given_time(rng, chance_of=data.chances["extended"], as_of=as_of)
    paid = payments_due(when.month + 1, when.pay_day, term=when.term_months, as_of=as_of)
    repaid = schedules.at(coupon, paid)
    balance = np.rint(original * repaid.left).astype(np.int64)
    return Debt(
        city=city,
        state=state,
        kind=kind,
        layer=layer,
        dates=when,
        reference=reference,
        floating=float_,
        coupon=coupon,
        repayment=repaid,
        original=original,
        balance=np.where(gone, 0, balance),
        structure=structure,
        part=part,
        exposed=np.select([when.past_maturity, past], [NOT_REPAID, GIVEN_TIME], 1.0),
    )


def reference_rate(data: Assumptions, month: Ints) -> Floats:
    """10-year Treasury in these months (since 1970), percent; after the table its last figure."""
    quarters = (data.first_year - 1970) * 12 + 1 + 3 * np.arange(len(data.ten_year))
    return np.asarray(np.interp(month, quarters, data.ten_year))


def _coupons(
    rng: Generator, data: Assumptions, *, kind: Ints, layer: Ints, reference: Floats
) -> Floats:
    rows = len(kind)
    base = reference
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
    large = np.clip(LARGE_USD * (places.weight[city] / typical) ** CITY_GROWTH, *LARGE_RANGE)
    dollars = np.where(dollars > large, large * (dollars / large) ** 0.4, dollars)
    limits = [dollars < below for below, _ in ROUNDED_TO_USD]
    step = np.select(limits, [step for _, step in ROUNDED_TO_USD])
    odd = chance(rng, data.of_layer["odd"][layer], len(city))
    step = np.where(odd, ODD_USD[weighted(rng, ODD_WEIGHTS, len(city))], step)
    return np.asarray(np.rint(np.maximum(dollars, LEAST_USD) / step) * step).astype(np.int64)


def _structures(
    rng: Generator, *, layer: Ints, original: Ints, floats: Bools
) -> tuple[Ints, Floats]:
    """Schedule AL structure and the part of the whole loan that the record holds (D22)."""
    rows = len(layer)
    pooled = layer == CMBS
    draw = rng.random(rows)
    alike, senior = rng.uniform(0.2, 0.8, rows), rng.uniform(0.55, 0.8, rows)
    companion = draw < np.where(pooled, *RANK_ALIKE)
    first = draw > 1 - np.where(pooled, *SENIOR_ALONE)
    part = np.select([companion, first], [alike, senior], 1.0)
    split = (original >= SPLIT_FROM_USD * part) & ~floats
    return (companion + 2 * first) * split, np.where(split, part, 1.0)
