"""What is asked of the whole book: answered once, when its snapshot is written, then only read.
The same of the loans of a scope, when it is first asked for.
"""

import math
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from services.contract.aggregates import (
    Headlines,
    MaturityBucket,
    Overview,
    Share,
    Slice,
    Totals,
    WorstSeverity,
)
from services.contract.months import months_after
from services.contract.scope import Scope
from services.contract.vocabulary import STATES

from . import coverage, dispositions
from .database import Database, Ids, Params, Records
from .filters import scope_ids
from .notes import ADDED, LOANS
from .reader import Reader
from .snapshot import DATABASE, OVERVIEW

#: Windows are counted in calendar months from the book's as-of date (D26); both ends count. Past
#: maturity is a loan at the date of its source (D212). One pass: sums by state and window cost half
#: of what filtered sums over all loans do.
_BOOK: Final = f"""
SELECT
    property_state::VARCHAR AS state,
    CASE WHEN exemption IS NOT NULL THEN 'left out'
         WHEN effective_maturity IS NULL THEN 'undated'
         WHEN effective_maturity < as_of THEN 'past'
         WHEN effective_maturity < $today THEN 'since'
         WHEN effective_maturity <= $in_12 THEN 'in 12'
         WHEN effective_maturity <= $in_24 THEN 'in 24'
         ELSE 'later' END AS falls_due,
    {LOANS} AS loans,
    count(*) {ADDED} AS notes,
    coalesce(sum(added), 0)::BIGINT AS book_value,
    coalesce(sum(interest_rate * added), 0) AS coupon,
    coalesce(sum(added) FILTER (WHERE interest_rate IS NOT NULL), 0)::BIGINT AS coupon_book,
    coalesce(sum(refi_rate * added) FILTER (WHERE interest_rate IS NOT NULL), 0) AS refi,
    coalesce(sum(added) FILTER (WHERE interest_rate IS NOT NULL AND refi_rate IS NOT NULL), 0)
        ::BIGINT AS refi_book
FROM (
    SELECT l.*, as_of, CASE WHEN NOT sums_notes THEN book_value END AS added
    FROM loans l JOIN sources USING (source_id)
) l
GROUP BY property_state, falls_due ORDER BY property_state, falls_due
"""
_CRITICAL: Final = f"""
SELECT
    {LOANS} AS loans,
    coalesce(sum(book_value) {ADDED}, 0)::BIGINT AS book_value,
    count(*) FILTER (WHERE confidence_tier = 'confirmed' AND l.whole_loan IS NULL)
        + count(DISTINCT l.whole_loan) FILTER (WHERE confidence_tier = 'confirmed')
        AS loans_confirmed,
    coalesce(sum(book_value) FILTER (WHERE confidence_tier = 'confirmed' AND NOT sums_notes), 0)
        ::BIGINT AS book_confirmed,
    coalesce(sum(found), 0)::BIGINT AS signals
FROM loans l JOIN (
    SELECT loan_id, count(*) AS found FROM signals WHERE severity = 'critical' GROUP BY loan_id
) USING (loan_id)
"""
#: By day first: there are few days, and only they have to be turned into quarters.
_WALL: Final = f"""
SELECT date_trunc('quarter', effective_maturity)::DATE AS quarter,
       rate_pressure::VARCHAR AS rate_pressure, overdue, fell_due,
       sum(loans)::BIGINT AS loans, coalesce(sum(book_value), 0)::BIGINT AS book_value,
       coalesce(sum(dollars_short), 0)::BIGINT AS dollars_short
FROM (
    SELECT effective_maturity, rate_pressure, effective_maturity < as_of AS overdue,
           effective_maturity >= as_of AND effective_maturity < $today AS fell_due,
           {LOANS} AS loans,
           sum(book_value) {ADDED} AS book_value, sum(dollars_short) {ADDED} AS dollars_short
    FROM loans l JOIN sources USING (source_id)
    WHERE effective_maturity IS NOT NULL AND exemption IS NULL GROUP BY ALL
) days
GROUP BY quarter, overdue, fell_due, days.rate_pressure
ORDER BY quarter, overdue DESC, fell_due DESC, days.rate_pressure NULLS LAST
"""
#: Tiers come surest first, and after them the loans without a chain.
_SEVERITIES: Final = f"""
SELECT s.grade::VARCHAR AS severity, l.confidence_tier::VARCHAR AS tier,
       {LOANS} AS loans, coalesce(sum(l.book_value) {ADDED}, 0)::BIGINT AS book_value,
       coalesce(sum(l.dollars_short) {ADDED}, 0)::BIGINT AS dollars_short
FROM loans l JOIN screened s USING (loan_id)
GROUP BY s.grade, l.confidence_tier
ORDER BY s.grade DESC, l.confidence_tier DESC NULLS LAST
"""


#: Before a statement over `loans`: some of them in place of all.
_AMONG: Final = (
    "WITH loans AS (SELECT * FROM main.loans WHERE loan_id IN (SELECT unnest($ids::INTEGER[])))"
)


class _Some:
    """A snapshot, as if these were all of its loans."""

    def __init__(self, reader: Reader, ids: Ids) -> None:
        self._reader = reader
        self._ids = ids

    def records(self, sql: str, params: Params = ()) -> list[dict[str, Any]]:
        """See Records; parameters have names."""
        named = dict(params) if isinstance(params, Mapping) else {}
        return self._reader.records(f"{_AMONG} {sql}", {**named, "ids": self._ids})


def of_scope(reader: Reader, scope: Scope | None) -> Headlines:
    """What is asked of the whole book, of the loans of a scope alone. Raises InvalidRequest."""
    if scope is None:
        return reader.overview

    def make() -> Headlines:
        found, today = _Some(reader, scope_ids(reader, scope)), reader.snapshot.as_of
        return Headlines(
            totals=_totals(found, today),
            worst_severities=tuple(_worst_severities(found)),
            maturity_wall=tuple(_maturity_wall(found, today)),
        )

    return reader.remembered(("headlines", scope), make)


def write(folder: Path, today: date) -> None:
    """Answers of the database in `folder`, as of a day (D26), written beside it."""
    database = Database(folder / DATABASE)
    try:
        found = Overview(
            totals=_totals(database, today),
            worst_severities=tuple(_worst_severities(database)),
            maturity_wall=tuple(_maturity_wall(database, today)),
            fill_rates=tuple(coverage.fill_rates(database)),
            unranked_words=coverage.unranked_words(database),
        )
    finally:
        database.close()
    (folder / OVERVIEW).write_text(found.model_dump_json(), encoding="utf-8")


def _totals(database: Records, today: date) -> Totals:
    """Headline figures."""
    windows = {"today": today, "in_12": months_after(today, 12), "in_24": months_after(today, 24)}
    book = database.records(_BOOK, windows)
    critical = database.records(_CRITICAL)[0]

    def share(*windows: str) -> Share:
        rows = [row for row in book if row["falls_due"] in windows]
        return Share(loans=_sum(rows, "loans"), book_value=_sum(rows, "book_value"))

    outside = [row for row in book if row["state"] not in STATES]
    return Totals(
        as_of=today,
        book=Share(loans=_sum(book, "loans"), book_value=_sum(book, "book_value")),
        notes=_sum(book, "notes"),
        weighted_coupon=_mean(book, "coupon"),
        weighted_refi_rate=_mean(book, "refi"),
        matures_12_months=share("in 12"),
        matures_24_months=share("in 12", "in 24"),
        past_maturity=share("past"),
        fell_due=share("since"),
        no_maturity_date=share("undated"),
        critical_signals=critical["signals"],
        critical=Share(loans=critical["loans"], book_value=critical["book_value"]),
        critical_confirmed=Share(
            loans=critical["loans_confirmed"], book_value=critical["book_confirmed"]
        ),
        states=len({row["state"] for row in book} & set(STATES)),
        outside_map=Share(loans=_sum(outside, "loans"), book_value=_sum(outside, "book_value")),
        dispositions=dispositions.of_book(database),
    )


def _sum(rows: list[dict[str, Any]], column: str) -> int:
    return sum(row[column] for row in rows)


def _mean(rows: list[dict[str, Any]], rate: str) -> float | None:
    """Book-weighted mean of a rate, a percent figure; None where nothing has it."""
    weight = _sum(rows, f"{rate}_book")
    return math.fsum(row[rate] for row in rows) / weight if weight else None


def _maturity_wall(database: Records, today: date) -> list[MaturityBucket]:
    """Book value by quarter of effective maturity and rate pressure; loans without a date, and
    those that nobody refinances, are left out.
    """
    return [MaturityBucket(**row) for row in database.records(_WALL, {"today": today})]


def _worst_severities(database: Records) -> list[WorstSeverity]:
    """All loans by the worst of their signals, the worst first, then those without one."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in database.records(_SEVERITIES):
        found.setdefault(row["severity"], []).append(row)
    return [
        WorstSeverity(
            severity=severity,
            loans=_sum(rows, "loans"),
            book_value=_sum(rows, "book_value"),
            dollars_short=_sum(rows, "dollars_short"),
            by_tier=tuple(
                Slice(word=row["tier"], loans=row["loans"], book_value=row["book_value"])
                for row in rows
            ),
        )
        for severity, rows in found.items()
    ]
