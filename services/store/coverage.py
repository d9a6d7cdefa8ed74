"""How well the book is filled: fields, words without a rank, records that were not loaded."""

from typing import Final

from services.contract.aggregates import FillRate, Reject
from services.contract.errors import NotFound
from services.contract.facts import FACTS
from services.contract.queries import shortened

from .database import Database
from .loan_columns import column_of

_REJECTS: Final = (
    "SELECT s.title AS source, r.record, r.reason FROM rejects r JOIN sources s USING (source_id)"
    " ORDER BY s.source_id, r.rowid"
)


_SOURCE: Final = "SELECT source_id FROM sources WHERE key = ?"


def fill_rates(database: Database) -> list[FillRate]:
    """How many loans have each fact that is counted, in order of the facts."""
    return _filled(database, "loans", [])


def fill_rates_of(database: Database, source: str) -> list[FillRate]:
    """The same of the loans of one source, by its key. Raises NotFound."""
    found = database.rows(_SOURCE, [source])
    if not found:
        raise NotFound(f"No source '{shortened(source)}'")
    return _filled(database, "loans WHERE source_id = ?", [found[0][0]])


def _filled(database: Database, loans: str, values: list[int]) -> list[FillRate]:
    facts = [fact for fact in FACTS if fact.counted]
    counts = ", ".join(f"count({column_of(fact)}) AS {fact.name}" for fact in facts)
    [row] = database.records(f"SELECT {counts}, count(*) AS loans FROM {loans}", values)
    return [FillRate(field=fact.name, filled=row[fact.name], loans=row["loans"]) for fact in facts]


def unranked_words(database: Database) -> dict[str, dict[str, int]]:
    """Fact -> words without a known rank or meaning -> loans, most frequent first (D2)."""
    found = {}
    for fact in FACTS:
        if not fact.known:
            continue
        sql = (
            f"SELECT {fact.name}::VARCHAR, count(*) FROM loans WHERE {fact.name} IS NOT NULL"
            " GROUP BY 1 ORDER BY 2 DESC, 1"
        )
        words = {word: count for word, count in database.rows(sql) if word not in fact.known}
        if words:
            found[fact.name] = words
    return found


def rejects(database: Database) -> list[Reject]:
    """Records that were not loaded, by source, in the order they were read."""
    return [Reject(**row) for row in database.records(_REJECTS)]
