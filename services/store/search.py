"""What some letters may mean: a loan, a property, a party, a lender, a city."""

from typing import Final

from services.contract.aggregates import Match
from services.names.index import CUTOFF

from . import columns
from .reader import Reader

_NUMBERS: Final = """
SELECT loan_number, property_name, property_city, property_state::VARCHAR FROM loans
WHERE loan_number >= $first AND loan_number < $after ORDER BY loan_id LIMIT $limit
"""
#: A name that begins with the text before one that has it elsewhere.
_PROPERTIES: Final = """
SELECT loan_number, property_name, property_city, property_state::VARCHAR FROM loans
WHERE contains(lower(property_name), $text)
ORDER BY NOT starts_with(lower(property_name), $text), property_name, loan_id LIMIT $limit
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
        *(
            Match(kind="property", name=number, detail=_place(name, city, state))
            for number, name, city, state in reader.rows(_PROPERTIES, lower)
        ),
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
