"""What demo.toml says, as arrays: places, property types, layer kinds, chances, words."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from services.contract.vocabulary import LAYER_KINDS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Figures of a property type, and of a layer kind, that demo.toml gives one number for.
TYPE_FIGURES = (
    "median_musd",
    "sigma",
    "cap",
    "spread_bp",
    "ltv",
    "ncf",
    "occupancy",
    "weak",
    "drift",
    "single",
    "late",
    "shift",
    "price",
    "arrears",
)
LAYER_FIGURES = (
    "share",
    "spread_bp",
    "ltv",
    "size",
    "reports",
    "least_dscr",
    "floating",
    "partial",
    "fully",
    "actual_360",
    "reappraised",
    "tenants",
    "servicer",
    "originator",
    "odd",
    "arrears",
)


#: Values of properties from which on other nouns fit, millions.
VALUE_CLASSES = (0, 3, 6, 12, 25, 50, 100)


@dataclass(frozen=True, slots=True)
class Places:
    """Cities, state by state in the order of demo.toml; `state` is a row of `states`."""

    states: tuple[str, ...]
    price: Floats  # level of values, by state
    stress: Floats  # by state: 0 is the usual, 1 twice as much trouble
    first_city: Ints  # by state, and one more: the number of cities
    city: tuple[str, ...]
    state: Ints  # by city
    weight: Floats  # by city, of all markets; sums to 1
    zip_start: tuple[str, ...]
    county: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Assumptions:
    """demo.toml. Layer kinds stand in the order of LAYER_KINDS."""

    title: str
    publisher: str
    terms: str
    first_year: int
    ten_year: Floats  # by quarter from first_year on, percent
    one_month: Floats  # by year from first_year on, percent
    vintage: Floats  # by year from first_year on
    vintage_stress: Floats  # the same
    chances: dict[str, float]
    counts: dict[str, float]
    places: Places
    types: tuple[str, ...]
    of_type: dict[str, Floats]
    type_by_state: Floats  # weights, states by types
    layer_by_type: Floats  # weights, types by layer kinds
    units: tuple[str, ...]
    nouns: tuple[str, ...]  # of all types
    noun_weights: Floats  # types by classes of value (row: type * classes + class), by nouns
    of_layer: dict[str, Floats]
    terms_months: Ints  # every term that a layer kind has
    term_by_layer: Floats  # weights, layer kinds by terms
    amortization_months: Ints
    amortization_by_layer: Floats
    coupon_step: Floats  # layer kinds by (usual, other)
    lender_forms: tuple[tuple[str, ...], ...]
    words: dict[str, pa.Array]


@cache
def assumptions() -> Assumptions:
    """demo.toml, read once."""
    with Path(__file__).with_name("demo.toml").open("rb") as file:
        given = tomllib.load(file)
    reference = given["reference"]
    return Assumptions(
        title=given["title"],
        publisher=given["publisher"],
        terms=given["terms"],
        first_year=reference["first_year"],
        ten_year=np.array([x for year in reference["ten_year_percent"] for x in year]),
        vintage=np.array(reference["vintage_weight"], dtype=np.float64),
        one_month=np.array(reference["one_month_percent"]),
        vintage_stress=np.array(reference["vintage_stress"]),
        chances=given["chances"],
        counts=given["counts"],
        places=_places(given["states"], given["stress"]),
        words={key: pa.array(words) for key, words in given["words"].items()},
        **_types(given["types"], given["states"]),
        **_layers(given["layers"]),
    )


def _places(states: dict[str, Any], stress: dict[str, float]) -> Places:
    rows = [
        (number, city, state["weight"])
        for number, state in enumerate(states.values())
        for city in state["cities"]
    ]
    within = np.array([sum(city[1] for city in state["cities"]) for state in states.values()])
    number = np.array([row[0] for row in rows])
    weight = np.array([row[2] * row[1][1] for row in rows]) / within[number]
    return Places(
        states=tuple(states),
        price=np.array([state["price"] for state in states.values()]),
        stress=np.array([stress.get(state, 0.0) for state in states]),
        first_city=np.searchsorted(number, np.arange(len(states) + 1)),
        city=tuple(row[1][0] for row in rows),
        state=number,
        weight=weight / weight.sum(),
        zip_start=tuple(row[1][2] for row in rows),
        county=tuple(row[1][3] for row in rows),
    )


def _types(types: dict[str, Any], states: dict[str, Any]) -> dict[str, Any]:
    return {
        "types": tuple(types),
        "of_type": {
            figure: np.array([kind[figure] for kind in types.values()], dtype=np.float64)
            for figure in TYPE_FIGURES
        },
        "type_by_state": np.array(
            [
                [
                    kind["weight"] * state.get("tilt", {}).get(name, 1)
                    for name, kind in types.items()
                ]
                for state in states.values()
            ]
        ),
        "layer_by_type": np.array([kind["layers"] for kind in types.values()], dtype=np.float64),
        "units": tuple(kind["unit"] for kind in types.values()),
        **_nouns(types),
    }


def _nouns(types: dict[str, Any]) -> dict[str, Any]:
    """Nouns by property type and value: each has the least and most of it, in millions."""
    rows = [
        (kind, *noun) for kind, figures in enumerate(types.values()) for noun in figures["nouns"]
    ]
    of, words, least, most = zip(*rows, strict=True)
    low = np.array(VALUE_CLASSES)[:, None]
    fits = (np.array(least) <= low) & (low < np.array(most))
    own = np.array(of) == np.arange(len(types))[:, None]
    weights = (own[:, None, :] & fits[None, :, :]).reshape(-1, len(words))
    return {"nouns": words, "noun_weights": weights.astype(np.float64)}


def _layers(layers: dict[str, Any]) -> dict[str, Any]:
    kinds = [layers[kind] for kind in LAYER_KINDS]
    terms = sorted({term for kind in kinds for term in kind["terms"]})
    weights = [dict(zip(kind["terms"], kind["term_weights"], strict=True)) for kind in kinds]
    return {
        "of_layer": {
            figure: np.array([kind[figure] for kind in kinds], dtype=np.float64)
            for figure in LAYER_FIGURES
        },
        "terms_months": np.array(terms),
        "term_by_layer": np.array([[row.get(term, 0.0) for term in terms] for row in weights]),
        "amortization_months": np.array(layers["amortization_months"]),
        "amortization_by_layer": np.array(
            [kind["amortization_weights"] for kind in kinds], dtype=np.float64
        ),
        "coupon_step": np.array([kind["coupon_step"] for kind in kinds], dtype=np.float64),
        "lender_forms": tuple(tuple(kind["forms"]) for kind in kinds),
    }
