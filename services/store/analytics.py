"""Aggregates over a whole snapshot (D33). Each is asked once a snapshot, then remembered."""

from datetime import date
from typing import Any, Final

from services.contract.aggregates import (
    MaturityBucket,
    Share,
    StressedLoan,
    Totals,
)
from services.contract.vocabulary import STATES

from .reader import Reader

#: Windows are counted in calendar months from the as-of date (D26); both ends count.
_TOTALS: Final = """
SELECT
    count(*) AS loans,
    coalesce(sum(book_value), 0)::BIGINT AS book_value,
    sum(interest_rate * book_value) FILTER (WHERE interest_rate IS NOT NULL)
        / nullif(sum(book_value) FILTER (WHERE interest_rate IS NOT NULL), 0) AS weighted_coupon,
    sum(refi_rate * book_value) FILTER (WHERE interest_rate IS NOT NULL AND refi_rate IS NOT NULL)
        / nullif(sum(book_value) FILTER (WHERE interest_rate IS NOT NULL
                                           AND refi_rate IS NOT NULL), 0) AS weighted_refi_rate,
    count(*) FILTER (WHERE maturity_date BETWEEN $today AND $in_12) AS loans_12,
    coalesce(sum(book_value) FILTER (WHERE maturity_date BETWEEN $today AND $in_12), 0)::BIGINT
        AS book_12,
    count(*) FILTER (WHERE maturity_date BETWEEN $today AND $in_24) AS loans_24,
    coalesce(sum(book_value) FILTER (WHERE maturity_date BETWEEN $today AND $in_24), 0)::BIGINT
        AS book_24,
    count(*) FILTER (WHERE maturity_date < $today AND book_value > 0) AS loans_past,
    coalesce(sum(book_value) FILTER (WHERE maturity_date < $today), 0)::BIGINT AS book_past,
    count(*) FILTER (WHERE maturity_date IS NULL) AS loans_undated,
    coalesce(sum(book_value) FILTER (WHERE maturity_date IS NULL), 0)::BIGINT AS book_undated
FROM loans
"""
_CRITICAL: Final = """
SELECT
    count(*) AS loans,
    coalesce(sum(book_value), 0)::BIGINT AS book_value,
    count(*) FILTER (WHERE confidence_tier = 'confirmed') AS loans_confirmed,
    coalesce(sum(book_value) FILTER (WHERE confidence_tier = 'confirmed'), 0)::BIGINT
        AS book_confirmed,
    coalesce(sum(marks), 0)::BIGINT AS signals
FROM loans JOIN (
    SELECT loan_id, count(*) AS marks FROM signals WHERE severity = 'critical' GROUP BY loan_id
) USING (loan_id)
"""
_STATES: Final = """
SELECT property_state::VARCHAR, count(*), coalesce(sum(book_value), 0)::BIGINT
FROM loans GROUP BY 1
"""
_WALL: Final = """
SELECT date_trunc('quarter', maturity_date)::DATE AS quarter,
       rate_pressure::VARCHAR AS rate_pressure,
       count(*) AS loans, coalesce(sum(book_value), 0)::BIGINT AS book_value
FROM loans WHERE maturity_date IS NOT NULL
GROUP BY quarter, loans.rate_pressure ORDER BY quarter, loans.rate_pressure NULLS LAST
"""
#: The candidates are cut to the largest before anything is joined or listed.
_STRESSED: Final = """
WITH stressed AS (
    SELECT loan_id, max(severity) AS severity FROM signals
    WHERE severity IN ('severe', 'critical') GROUP BY loan_id
), largest AS (
    SELECT l.loan_id, s.severity FROM stressed s JOIN loans l USING (loan_id)
    ORDER BY l.book_value DESC NULLS LAST, l.loan_id LIMIT $limit
)
SELECT l.loan_number, l.book_value, l.interest_rate, l.rate_gap_bp,
       l.property_type::VARCHAR AS property_type, l.property_city,
       l.property_state::VARCHAR AS property_state, d.lender AS lender_normalized,
       l.maturity_date, t.severity::VARCHAR AS severity,
       (SELECT list(g.signal_type::VARCHAR ORDER BY g.signal_type::VARCHAR) FROM signals g
        WHERE g.loan_id = t.loan_id AND g.severity = t.severity) AS signal_types
FROM largest t JOIN loans l USING (loan_id) LEFT JOIN lenders d USING (lender_id)
ORDER BY l.book_value DESC NULLS LAST, l.loan_id
"""


def totals(reader: Reader) -> Totals:
    """Headline figures of the whole book."""
    return reader.kept("totals", lambda: _totals(reader))


def _totals(reader: Reader) -> Totals:
    today = reader.snapshot.as_of
    windows = {"today": today, "in_12": months_after(today, 12), "in_24": months_after(today, 24)}
    book = reader.records(_TOTALS, windows)[0]
    critical = reader.records(_CRITICAL)[0]
    states = reader.rows(_STATES)
    inside = [row for row in states if row[0] in STATES]
    outside = [row for row in states if row[0] not in STATES]

    def share(row: dict[str, Any], part: str) -> Share:
        return Share(loans=row[f"loans{part}"], book_value=row[f"book{part}"])

    return Totals(
        as_of=today,
        book=Share(loans=book["loans"], book_value=book["book_value"]),
        weighted_coupon=book["weighted_coupon"],
        weighted_refi_rate=book["weighted_refi_rate"],
        matures_12_months=share(book, "_12"),
        matures_24_months=share(book, "_24"),
        past_maturity=share(book, "_past"),
        no_maturity_date=share(book, "_undated"),
        critical_signals=critical["signals"],
        critical=Share(loans=critical["loans"], book_value=critical["book_value"]),
        critical_confirmed=share(critical, "_confirmed"),
        states=len(inside),
        outside_map=Share(
            loans=sum(row[1] for row in outside), book_value=sum(row[2] for row in outside)
        ),
    )


def maturity_wall(reader: Reader) -> list[MaturityBucket]:
    """Book value by quarter of maturity and rate pressure; loans without a date are left out."""
    return reader.kept("wall", lambda: [MaturityBucket(**row) for row in reader.records(_WALL)])


def largest_stressed(reader: Reader, limit: int) -> list[StressedLoan]:
    """Loans with a severe or critical signal, largest first."""

    def make() -> list[StressedLoan]:
        rows = reader.records(_STRESSED, {"limit": limit})
        return [StressedLoan(**{**row, "signal_types": tuple(row["signal_types"])}) for row in rows]

    return reader.kept(("stressed", limit), make)


def months_after(day: date, months: int) -> date:
    """The same day some months later, or the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for last in range(day.day, 27, -1):
        try:
            return date(year, month + 1, last)
        except ValueError:
            continue
    return date(year, month + 1, day.day)
