"""Which cities have a position on a map. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.contract.aggregates import CityShare
from services.places import gazetteer


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


def placed(found: Sequence[CityShare]) -> Places:
    """Cities with their positions, in the order given; those without one apart."""
    known, missing = [], []
    for one in found:
        at = gazetteer.city(one.city, one.state)
        if at:
            known.append(Placed(one, *at))
        else:
            missing.append(one)
    return Places(tuple(known), tuple(missing))
