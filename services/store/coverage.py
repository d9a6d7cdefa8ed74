"""How well the book is filled: fields, words without a rank, records that were not loaded."""

from typing import Final

from services.contract.aggregates import FillRate, Reject
from services.contract.vocabulary import PROPERTY_TYPES, STATES, TIERS

from .reader import Reader

#: Fields whose fill rate is told, in the order they are shown.
FIELDS: Final = (
    "book_value", "interest_rate", "property_type", "property_city", "property_state",
    "lender_id", "origination_date", "maturity_date", "rate_pressure", "confidence_tier",
    "property_name", "address", "original_amount", "original_term_months", "amortization_months",
    "value", "noi", "ncf", "dscr", "occupancy", "payment_status", "workout", "structure",
    "refi_rate", "ltv", "debt_yield", "proforma_dscr",
)  # fmt: skip
#: Field -> words that have a known rank or meaning.
_KNOWN: Final = {
    "property_type": frozenset(PROPERTY_TYPES.values()),
    "property_state": frozenset(STATES),
    "confidence_tier": frozenset(TIERS),
    "payment_status": frozenset("0AB12345"),
    "structure": frozenset(("WL", "PP", "A1", "A2", "B1", "B2", "C2", "MZ")),
}
_REJECTS: Final = (
    "SELECT s.title AS source, r.record, r.reason FROM rejects r JOIN sources s USING (source_id)"
    " ORDER BY s.source_id, r.rowid"
)


def fill_rates(reader: Reader) -> list[FillRate]:
    """How many loans have each field."""
    counts = ", ".join(f"count({field}) AS {field}" for field in FIELDS)
    row = reader.records(f"SELECT {counts}, count(*) AS loans FROM loans")[0]
    return [
        FillRate(
            field="lender_normalized" if field == "lender_id" else field,
            filled=row[field],
            loans=row["loans"],
        )
        for field in FIELDS
    ]


def unranked_words(reader: Reader) -> dict[str, dict[str, int]]:
    """Field -> words without a known rank or meaning -> loans, most frequent first (D2)."""
    found = {}
    for field, known in _KNOWN.items():
        sql = (
            f"SELECT {field}::VARCHAR, count(*) FROM loans WHERE {field} IS NOT NULL"
            " GROUP BY 1 ORDER BY 2 DESC, 1"
        )
        words = {word: count for word, count in reader.rows(sql) if word not in known}
        if words:
            found[field] = words
    return found


def rejects(reader: Reader) -> list[Reject]:
    """Records that were not loaded, by source, in the order they were read."""
    return [Reject(**row) for row in reader.records(_REJECTS)]
