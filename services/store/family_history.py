"""A family of loans month by month: its loans of today in their sources' periods (D170)."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from services.contract.family_history import FamilyHistory, FamilyMonth
from services.contract.vocabulary import SEVERE_OR_WORSE, SEVERITIES

from .entities import entity_id
from .history import kept_periods
from .periods import counting
from .reader import Reader
from .trends import MONTHS

#: A row a month, and one a month and source. A record that is the sum of notes adds nothing.
_SUMS: Final = f"""
{MONTHS},
members AS (
    SELECT number.loan, coalesce(l.whole_loan::VARCHAR, l.loan_number) AS whole_loan,
           NOT l.sums_notes AS adds
    FROM family_loans JOIN loans AS l USING (loan_id)
    JOIN history.numbers AS number USING (loan_number)
    WHERE entity_id = $id
)
SELECT month, source, count(DISTINCT whole_loan) AS loans,
       coalesce(sum(balance) FILTER (adds), 0)::BIGINT AS balance,
       sum(balance::DOUBLE * dscr) FILTER (adds) AS product,
       sum(balance::DOUBLE) FILTER (adds AND dscr IS NOT NULL) AS weight,
       count(DISTINCT whole_loan) FILTER (adds AND dscr IS NOT NULL) AS dscr_loans,
       count(DISTINCT whole_loan) FILTER (worst >= $severe) AS severe_loans,
       coalesce(sum(balance) FILTER (adds AND worst >= $severe), 0)::BIGINT AS severe_balance
FROM history.lines AS line JOIN monthly USING (period) JOIN members USING (loan)
WHERE balance > 0
GROUP BY GROUPING SETS ((month), (month, source))
"""
_VERSIONS: Final = f"""
{MONTHS} SELECT min(month) AS first, rules_version FROM monthly
WHERE list_contains($sources, source) GROUP BY rules_version ORDER BY first, rules_version
"""


def family_history(reader: Reader, entity_name: str) -> FamilyHistory:
    """The family of one sponsor or owner. Raises NotFound, NoHistory."""
    key = ("family history", entity_name)
    return reader.remembered(key, lambda: _of(reader, entity_name))


def _of(reader: Reader, entity_name: str) -> FamilyHistory:
    kept_periods(reader)
    number = entity_id(reader, entity_name)
    severe = SEVERITIES.index(SEVERE_OR_WORSE[0])
    rows = reader.records(_SUMS, {"id": number, "severe": severe})
    owed = {(row["source"], row["month"]): row["balance"] for row in rows if row["source"]}
    sums = {row["month"]: row for row in rows if not row["source"]}
    sources = {source for source, _ in owed}
    versions = reader.rows(_VERSIONS, {"sources": sorted(sources)})
    return FamilyHistory(
        entity_name=entity_name,
        months=tuple(_months(reader, sources, owed, sums)),
        rules_versions=tuple(versions),
    )


def _months(
    reader: Reader,
    sources: set[str],
    owed: Mapping[tuple[str, date], int],
    sums: Mapping[date, Mapping[str, Any]],
) -> Iterator[FamilyMonth]:
    of_family = [one for one in counting(reader.periods) if one.source in sources]
    filed = {(one.source, one.as_of.replace(day=1)): one.title for one in of_family}
    #: Sources whose loans of the family owed something when they filed last, with their titles.
    owing: dict[str, str] = {}
    for month in sorted({month for _, month in filed if month >= min(sums)}):
        now = {source: title for (source, day), title in filed.items() if day == month}
        missing = tuple(sorted(title for one, title in owing.items() if one not in now))
        for source, title in now.items():
            owing.pop(source, None)
            if (source, month) in owed:
                owing[source] = title
        yield _month(month, sums.get(month), missing)


def _month(month: date, row: Mapping[str, Any] | None, missing: tuple[str, ...]) -> FamilyMonth:
    if row is None:  # all that its sources filed of it has ended
        figures: dict[str, Any] = {"dscr": None} | dict.fromkeys(_COUNTED, 0)
    else:
        figures = {name: row[name] for name in _COUNTED}
        figures["dscr"] = row["product"] / row["weight"] if row["weight"] else None
    return FamilyMonth(month=month, missing=missing, **figures)


_COUNTED: Final = ("loans", "balance", "dscr_loans", "severe_loans", "severe_balance")
