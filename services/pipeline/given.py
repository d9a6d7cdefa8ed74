"""Scores that a mirrored source gives itself, in place of ours."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pyarrow as pa

from services.store.book import Book


@dataclass(frozen=True, slots=True)
class Given:
    """Scores that the source of a mirror gives itself: shown as they came, never computed anew."""

    #: By row of the portfolio's loans.
    rate_pressure: pa.Array
    #: loan (row), signal_type, severity, description.
    signals: pa.Table
    #: What the source counts, by list.
    told: Mapping[str, int]


def as_given(book: Book, given: Given) -> Book:
    """The book with the scores of its own source in place of ours."""
    features = book.scored.features
    at = features.schema.get_field_index("rate_pressure")
    scored = replace(
        book.scored,
        features=features.set_column(at, "rate_pressure", given.rate_pressure),
        signals=given.signals,
        components=book.scored.components.slice(0, 0),
        coverage=[],
        rules=[],
    )
    return replace(book, scored=scored)
