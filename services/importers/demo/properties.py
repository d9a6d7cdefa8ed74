"""The properties behind the loans, one row or several a loan, the most valuable first (D21)."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from services.contract.portfolio import PROPERTIES, shaped
from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.draws import Generator, chance, runs, weighted
from services.importers.demo.income import Appraisals, Income
from services.importers.demo.market import Debt
from services.importers.demo.names import combined, drawn, joined, picked
from services.importers.demo.property_names import Addresses, Named, property_names
from services.importers.demo.underwriting import Underwriting

MOST = 8  # properties of one loan
LEAST_VALUE_OF_SEVERAL = 3e6
FIRST_HOUSE, HOUSES = 100, 9800
OLDEST, NEWEST = 1950, 3  # year built; years before the loan that the newest are finished


@dataclass(frozen=True, slots=True)
class Sites:
    """Where the properties stand: one element a property, a loan's own first."""

    loan: Ints
    place: Ints  # within the loan, from 0
    first: Ints  # by loan: its most valuable property
    city: Ints
    several: Bools  # by loan
    multi_state: Bools  # by loan
    part: Floats  # of the loan's value, the first one's the largest
    named: Named
    where: Addresses


def sites(rng: Generator, data: Assumptions, debt: Debt, then: Underwriting) -> Sites:
    """Rows for every loan: mostly one, else 2 to 8, two in three of them in the same state."""
    loans = len(debt.kind)
    several = chance(rng, data.chances["several_properties"], loans)
    several &= then.value >= LEAST_VALUE_OF_SEVERAL
    extra = np.minimum(rng.geometric(0.42, loans), MOST - 1)
    loan, place = runs(1 + np.where(several, extra, 0))
    first = np.flatnonzero(place == 0)
    rows = len(loan)
    start = data.places.first_city
    state = debt.state[loan]
    choice = start[state] + np.floor(rng.random(rows) * (start[state + 1] - start[state]))
    near = choice.astype(np.int64)
    far = weighted(rng, data.places.weight, rows)
    city = np.where(chance(rng, 0.66, rows), near, far)
    city[first] = debt.city
    abroad = data.places.state[city] != state
    part = _parts(rng, loan, place)
    value = then.value[loan] * part
    where = _addresses(rng, data, rows)
    return Sites(
        loan=loan,
        place=place,
        first=first,
        city=city,
        several=several,
        multi_state=np.bincount(loan[abroad], minlength=loans) > 0,
        part=part,
        named=property_names(rng, data, kind=debt.kind[loan], city=city, value=value, where=where),
        where=where,
    )


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the properties are, in the unit of their type."""

    size: Floats
    unknown: Bools
    area: Ints  # by loan, whole square feet; 0 where not every property states it, or none has any


def sizes(rng: Generator, data: Assumptions, debt: Debt, then: Underwriting, at: Sites) -> Sizes:
    """By what the properties were worth when the loan was made, each its part of it."""
    places, rows = data.places, len(at.loan)
    kind = debt.kind[at.loan]
    price = data.of_type["price"][kind] * places.price[places.state[at.city]]
    size = then.value[at.loan] * at.part / (price * np.exp(rng.normal(0, 0.22, rows)))
    counted = np.array([unit == "units" for unit in data.units])[kind]
    size = np.where(
        counted, np.maximum(np.rint(size), 4), np.maximum(np.rint(size / 100), 15) * 100
    )
    unknown = chance(rng, data.chances["missing"], rows)
    whole = np.bincount(at.loan, weights=size)
    silent = np.bincount(at.loan, weights=unknown | counted) > 0
    return Sizes(size, unknown, np.where(silent, 0, whole).astype(np.int64))


def _parts(rng: Generator, loan: Ints, place: Ints) -> Floats:
    part = np.where(place == 0, 1.05, rng.uniform(0.25, 1.0, len(loan)))
    return np.asarray(part / np.bincount(loan, weights=part)[loan])


def _addresses(rng: Generator, data: Assumptions, rows: int) -> Addresses:
    """Street addresses, no two alike."""
    houses = pa.array(np.arange(FIRST_HOUSE, FIRST_HOUSE + HOUSES)).cast(pa.string())
    words = data.words
    house, street, kind = combined(rng, rows, houses, words["street"], words["street_kind"])
    return Addresses(house, joined(street, " ", kind))


def properties(
    rng: Generator,
    data: Assumptions,
    debt: Debt,
    income: Income,
    worth: Appraisals,
    at: Sites,
    measured: Sizes,
    *,
    missing: dict[str, Bools],
) -> pa.Table:
    """PROPERTIES rows. `missing` by loan: what is not known of the loan, nor of its properties."""
    places = data.places
    loan, rows = at.loan, len(at.loan)
    value = _divided(worth.value, at, step=10_000)
    noi = _divided(income.noi, at, step=1)
    occupancy = np.clip(
        income.occupancy[loan] + at.several[loan] * np.round(rng.normal(0, 0.02, rows), 2), 0.05, 1
    )
    kind = debt.kind[loan]
    zip_end = drawn(rng, pa.array([f"{number:02}" for number in range(1, 100)]), rows)
    age = np.floor(rng.triangular(NEWEST, 28, 75, rows)).astype(np.int64)
    built = np.maximum(debt.dates.year[loan] - age, OLDEST)
    return shaped(
        PROPERTIES,
        {
            "loan": pa.array(loan, type=pa.int32()),
            "property_name": at.named.name,
            "address": at.where.whole,
            "city": picked(pa.array(places.city), at.city),
            "state": picked(pa.array(places.states), places.state[at.city]),
            "zip": joined(picked(pa.array(places.zip_start), at.city), zip_end),
            "county": picked(pa.array(places.county), at.city),
            "property_type": picked(pa.array(data.types), kind),
            "value": pa.array(value, mask=missing["value"][loan]),
            "noi": pa.array(noi, mask=missing["noi"][loan]),
            "occupancy": pa.array(np.round(occupancy, 2), mask=missing["occupancy"][loan]),
            "year_built": pa.array(built, mask=chance(rng, data.chances["missing"], rows)),
            "size": pa.array(measured.size, mask=measured.unknown),
            "size_unit": picked(pa.array(data.units), kind),
        },
    )


def _divided(whole: Ints, at: Sites, *, step: int) -> Ints:
    """`whole` of each loan over its properties in full steps; the first takes what is left."""
    share = (np.floor(whole[at.loan] * at.part / step) * step).astype(np.int64)
    share[at.first] = 0
    others = np.bincount(at.loan, weights=share, minlength=len(whole)).astype(np.int64)
    share[at.first] = whole - others
    return share
