"""What is asked of the whole book: answered once, when its snapshot is written, then only read."""

import math
from datetime import date
from pathlib import Path
from typing import Any, Final

from services.contract.aggregates import (
    MaturityBucket,
    Overview,
    Share,
    Slice,
    Totals,
    WorstSeverity,
)
from services.contract.months import months_after
from services.contract.vocabulary import STATES

from . import coverage
from .database import Database
from .snapshot import DATABASE, OVERVIEW

#: Windows are counted in calendar months from the as-of date (D26); both ends count. One pass: sums
#: by state and window cost half of what filtered sums over all loans do.
_BOOK: Final = """
SELECT
    property_state::VARCHAR AS state,
    CASE WHEN maturity_date IS NULL THEN 'undated'
         WHEN maturity_date < $today THEN 'past'
         WHEN maturity_date <= $in_12 THEN 'in 12'
         WHEN maturity_date <= $in_24 THEN 'in 24'
         ELSE 'later' END AS falls_due,
    count(*) AS loans,
    count(*) FILTER (WHERE book_value > 0) AS owing,
    coalesce(sum(book_value) FILTER (WHERE book_value > 0), 0)::BIGINT AS owed,
    coalesce(sum(book_value), 0)::BIGINT AS book_value,
    coalesce(sum(interest_rate * book_value), 0) AS coupon,
    coalesce(sum(book_value) FILTER (WHERE interest_rate IS NOT NULL), 0)::BIGINT AS coupon_book,
    coalesce(sum(refi_rate * book_value) FILTER (WHERE interest_rate IS NOT NULL), 0) AS refi,
    coalesce(sum(book_value) FILTER (WHERE interest_rate IS NOT NULL AND refi_rate IS NOT NULL), 0)
        ::BIGINT AS refi_book
FROM loans GROUP BY property_state, falls_due ORDER BY property_state, falls_due
"""
_CRITICAL: Final = """
SELECT
    count(*) AS loans,
    coalesce(sum(book_value), 0)::BIGINT AS book_value,
    count(*) FILTER (WHERE confidence_tier = 'confirmed') AS loans_confirmed,
    coalesce(sum(book_value) FILTER (WHERE confidence_tier = 'confirmed'), 0)::BIGINT
        AS book_confirmed,
    coalesce(sum(found), 0)::BIGINT AS signals
FROM loans JOIN (
    SELECT loan_id, count(*) AS found FROM signals WHERE severity = 'critical' GROUP BY loan_id
) USING (loan_id)
"""
#: By day first: there are few days, and only they have to be turned into quarters.
_WALL: Final = """
SELECT date_trunc('quarter', maturity_date)::DATE AS quarter,
       rate_pressure::VARCHAR AS rate_pressure, maturity_date < $today AS overdue,
       sum(loans)::BIGINT AS loans, coalesce(sum(book_value), 0)::BIGINT AS book_value,
       coalesce(sum(dollars_short), 0)::BIGINT AS dollars_short
FROM (
    SELECT maturity_date, rate_pressure, count(*) AS loans, sum(book_value) AS book_value,
           sum(dollars_short) AS dollars_short
    FROM loans WHERE maturity_date IS NOT NULL GROUP BY ALL
) days
GROUP BY quarter, overdue, days.rate_pressure
ORDER BY quarter, overdue DESC, days.rate_pressure NULLS LAST
"""
#: Tiers come surest first, and after them the loans without a chain.
_SEVERITIES: Final = """
SELECT s.worst_severity::VARCHAR AS severity, l.confidence_tier::VARCHAR AS tier,
       count(*) AS loans, coalesce(sum(l.book_value), 0)::BIGINT AS book_value,
       coalesce(sum(l.dollars_short), 0)::BIGINT AS dollars_short
FROM loans l JOIN screened s USING (loan_id)
GROUP BY s.worst_severity, l.confidence_tier
ORDER BY s.worst_severity DESC NULLS LAST, l.confidence_tier DESC NULLS LAST
"""


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


def _totals(database: Database, today: date) -> Totals:
    """Headline figures of the whole book."""
    windows = {"today": today, "in_12": months_after(today, 12), "in_24": months_after(today, 24)}
    book = database.records(_BOOK, windows)
    critical = database.records(_CRITICAL)[0]

    def share(*windows: str, count: str = "loans", dollars: str = "book_value") -> Share:
        rows = [row for row in book if row["falls_due"] in windows]
        return Share(loans=_sum(rows, count), book_value=_sum(rows, dollars))

    outside = [row for row in book if row["state"] not in STATES]
    return Totals(
        as_of=today,
        book=Share(loans=_sum(book, "loans"), book_value=_sum(book, "book_value")),
        weighted_coupon=_mean(book, "coupon"),
        weighted_refi_rate=_mean(book, "refi"),
        matures_12_months=share("in 12"),
        matures_24_months=share("in 12", "in 24"),
        past_maturity=share("past", count="owing", dollars="owed"),
        no_maturity_date=share("undated"),
        critical_signals=critical["signals"],
        critical=Share(loans=critical["loans"], book_value=critical["book_value"]),
        critical_confirmed=Share(
            loans=critical["loans_confirmed"], book_value=critical["book_confirmed"]
        ),
        states=len({row["state"] for row in book} & set(STATES)),
        outside_map=Share(loans=_sum(outside, "loans"), book_value=_sum(outside, "book_value")),
    )


def _sum(rows: list[dict[str, Any]], column: str) -> int:
    return sum(row[column] for row in rows)


def _mean(rows: list[dict[str, Any]], rate: str) -> float | None:
    """Book-weighted mean of a rate, a percent figure; None where nothing has it."""
    weight = _sum(rows, f"{rate}_book")
    return math.fsum(row[rate] for row in rows) / weight if weight else None


def _maturity_wall(database: Database, today: date) -> list[MaturityBucket]:
    """Book value by quarter of maturity and rate pressure; loans without a date are left out."""
    return [MaturityBucket(**row) for row in database.records(_WALL, {"today": today})]


def _worst_severities(database: Database) -> list[WorstSeverity]:
    """All loans by the worst of their signals, the worst first."""
    found: dict[str | None, list[dict[str, Any]]] = {}
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
