"""Months and quarters of the calendar, and windows of days as filters ask for them."""

from datetime import date, timedelta
from typing import Literal


def months_after(day: date, months: int) -> date:
    """The same day some months later, or the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for last in range(day.day, 27, -1):
        try:
            return date(year, month + 1, last)
        except ValueError:
            continue
    return date(year, month + 1, day.day)


def months_apart(one: date, other: date) -> int:
    """Whole calendar months between two days, in either order."""
    first, last = sorted((one, other))
    months = (last.year - first.year) * 12 + last.month - first.month
    return months - (months_after(first, months) > last)


def between(
    first: date, last: date, what: Literal["due", "originated", "date"] = "due"
) -> dict[str, date]:
    """From one day to another as filters ask for it: their dates are exclusive (D8)."""
    day = timedelta(days=1)
    return {f"{what}_after": first - day, f"{what}_before": last + day}


def quarter_of(number: int) -> tuple[date, date]:
    """First and last day of a quarter; `number` counts quarters from the year 0 on."""
    first = date(number // 4, number % 4 * 3 + 1, 1)
    return first, months_after(first, 3) - timedelta(days=1)


def quarter_name(number: int) -> str:
    """2027 Q1, of a quarter's number."""
    return f"{number // 4} Q{number % 4 + 1}"


def year_of(year: int) -> tuple[date, date]:
    """First and last day of a year."""
    return date(year, 1, 1), date(year, 12, 31)
