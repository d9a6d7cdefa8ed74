"""Where cities are: positions of the packaged gazetteer (GeoNames, CC BY 4.0). Pure."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from services.contract.aggregates import CityShare
from services.names.normalise import folded

CITIES: Final = Path(__file__).parents[1] / "assets" / "us_cities.csv"


@dataclass(frozen=True, slots=True)
class Placed:
    """A city with its position, in degrees."""

    city: CityShare
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Places:
    """Cities found on the map, and those that were not: counted, never dropped."""

    placed: tuple[Placed, ...]
    missing: tuple[CityShare, ...]


@cache
def _positions() -> dict[tuple[str, str], tuple[float, float]]:
    with CITIES.open(encoding="utf-8", newline="") as lines:
        return {
            (row["state"], _key(row["city"])): (float(row["latitude"]), float(row["longitude"]))
            for row in csv.DictReader(lines)
        }


def _key(city: str) -> str:
    """As names are compared: without accents, case, punctuation and The; St. is Saint."""
    words = folded(city)
    words = words[1:] if words[:1] == ["the"] else words
    return " ".join("saint" if word == "st" else "fort" if word == "ft" else word for word in words)


def placed(found: Sequence[CityShare]) -> Places:
    """Cities with their positions, in the order given; those without one apart."""
    positions = _positions()
    known, missing = [], []
    for city in found:
        at = positions.get((city.state or "", _key(city.city or "")))
        if at:
            known.append(Placed(city, *at))
        else:
            missing.append(city)
    return Places(tuple(known), tuple(missing))
