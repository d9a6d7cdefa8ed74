"""What some letters may mean: a loan, a property, a party, a lender, a city."""

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.aggregates import Match
from services.names.index import CUTOFF

from . import columns
from .database import among
from .filters import findable, holding
from .reader import Reader

_NUMBERS: Final = """
SELECT loan_number, property_name, property_city, property_state::VARCHAR FROM loans
WHERE loan_number >= $first AND loan_number < $after ORDER BY loan_id LIMIT $limit
"""
_PROPERTY: Final = f"""
SELECT loan_id, loan_number, property_name, property_city, property_state::VARCHAR FROM loans
WHERE {among("loan_id")}
"""
_LENDERS: Final = """
SELECT lender FROM lenders WHERE contains(lower(lender), $text)
AND lender_id IN (SELECT lender_id FROM loans)
ORDER BY NOT starts_with(lower(lender), $text), lender LIMIT $limit
"""
_KNOWN: Final = "SELECT loan_number FROM loans WHERE loan_number IN (SELECT unnest($numbers))"
#: No number has a letter after this one.
_LAST: Final = "\U0010ffff"
#: Fewer letters are in nearly every name.
_LEAST_LETTERS: Final = 2


def matches(reader: Reader, text: str, limit: int) -> list[Match]:
    """Loans, properties, parties, lenders and cities, at most `limit` of each, in this order."""
    text = " ".join(text.split())
    if len(text) < _LEAST_LETTERS or limit < 1:
        return []
    lower = {"text": text.lower(), "limit": limit}
    return [
        *_loans(reader, text, limit),
        *_properties(reader, text.lower(), limit),
        *_parties(reader, text, limit),
        *(
            Match(kind="lender", name=lender, detail="")
            for (lender,) in reader.rows(_LENDERS, lower)
        ),
        *_cities(reader, text.casefold(), limit),
    ]


def known_numbers(reader: Reader, numbers: tuple[str, ...]) -> frozenset[str]:
    """Which of these are numbers of loans."""
    return frozenset(row[0] for row in reader.rows(_KNOWN, {"numbers": list(numbers)}))


def _loans(reader: Reader, text: str, limit: int) -> list[Match]:
    """Loans whose number begins with the text as it is, or in capitals."""
    found = {}
    for written in dict.fromkeys((text, text.upper())):
        bounds = {"first": written, "after": written + _LAST, "limit": limit}
        for number, name, city, state in reader.rows(_NUMBERS, bounds):
            found[number] = Match(kind="loan", name=number, detail=_place(name, city, state))
    return [found[number] for number in sorted(found)][:limit]


def _properties(reader: Reader, text: str, limit: int) -> list[Match]:
    """Loans on properties with the text in their name; those that begin with it come first."""
    ids = np.flatnonzero(holding(findable(reader, "property_name"), text))
    names = findable(reader, "property_name").take(ids)
    later = pc.invert(pc.starts_with(names, text))
    written = columns.texts(reader, "property_name").take(ids)
    table = pa.table({"later": later, "name": written, "id": ids})
    keys = [("later", "ascending"), ("name", "ascending"), ("id", "ascending")]
    order = pc.select_k_unstable(table, limit, keys) if len(ids) else pa.array([], pa.int64())
    first = [int(ids[at]) for at in order.to_pylist()]
    found = {row[0]: row[1:] for row in reader.rows(_PROPERTY, [first])} if first else {}
    return [
        Match(kind="property", name=number, detail=_place(name, city, state))
        for number, name, city, state in (found[one] for one in first)
    ]


def _parties(reader: Reader, text: str, limit: int) -> list[Match]:
    best = [one for one in reader.names.search(text, limit) if one.score >= CUTOFF]
    first = reader.graph.loan_count
    return [
        Match(
            kind="party",
            name=reader.graph.name(first + one.id),
            detail=reader.kind(first + one.id),
        )
        for one in best
    ]


def _cities(reader: Reader, text: str, limit: int) -> list[Match]:
    listed = columns.words(reader, "property_city").words
    found = [city for city in listed if text in city.casefold()]
    found.sort(key=lambda city: (not city.casefold().startswith(text), city))
    return [Match(kind="city", name=city, detail="") for city in found[:limit]]


def _place(name: str | None, city: str | None, state: str | None) -> str:
    return ", ".join(part for part in (name, city, state) if part)
