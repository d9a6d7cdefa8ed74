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


def between(
    first: date, last: date, what: Literal["maturity", "originated"] = "maturity"
) -> dict[str, date]:
    """From one day to another as LoanFilter asks for it: its dates are exclusive (D8)."""
    day = timedelta(days=1)
    return {f"{what}_after": first - day, f"{what}_before": last + day}


def quarter_of(number: int) -> tuple[date, date]:
    """First and last day of a quarter; `number` counts quarters from the year 0 on."""
    first = date(number // 4, number % 4 * 3 + 1, 1)
    return first, months_after(first, 3) - timedelta(days=1)
