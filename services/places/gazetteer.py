"""Positions of the packaged gazetteer (GeoNames, CC BY 4.0; NOTICE.txt). Pure."""

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from services.names.normalise import folded

#: Latitude and longitude in degrees.
Position = tuple[float, float]
_ZIP: Final = 5


def city(name: str | None, state: str | None) -> Position | None:
    """Where a city is; None where the gazetteer has none of that name in the state."""
    return _cities().get((state or "", _key(name or "")))


def zip_code(code: str | None, state: str | None) -> Position | None:
    """The middle of a ZIP code; None for an unknown one, and for one that lies in another state
    than the record says, which is wrong about one of the two.
    """
    known = _zips().get(_digits(code or ""))
    if known is None or (state and known[0] != state):
        return None
    return known[1]


def _digits(code: str) -> str:
    """The five digits of a ZIP code: of ZIP+4 the first, with the zero that spreadsheets drop."""
    head = code.strip().partition("-")[0]
    if not (head.isascii() and head.isdigit()):
        return ""
    return head[:_ZIP] if len(head) == _ZIP + 4 else head.zfill(_ZIP)


def _key(name: str) -> str:
    """As names are compared: without accents, case, punctuation and The; St. is Saint."""
    words = folded(name)
    words = words[1:] if words[:1] == ["the"] else words
    return " ".join("saint" if word == "st" else "fort" if word == "ft" else word for word in words)


@cache
def _cities() -> Mapping[tuple[str, str], Position]:
    return {
        (row["state"], _key(row["city"])): (float(row["latitude"]), float(row["longitude"]))
        for row in _rows("us_cities.csv")
    }


@cache
def _zips() -> Mapping[str, tuple[str, Position]]:
    return {
        row["zip"]: (row["state"], (float(row["latitude"]), float(row["longitude"])))
        for row in _rows("us_zips.csv")
    }


def _rows(name: str) -> Iterator[dict[str, str]]:
    with files(__package__).joinpath(name).open(encoding="utf-8") as lines:
        yield from csv.DictReader(lines)
