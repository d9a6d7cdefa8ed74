"""Figures as sentences show them: decimals by unit, and never rounded across a limit."""

import math
from collections.abc import Sequence
from datetime import date
from typing import Final

from services.contract.rounding import number_of, rounded, written

#: Unit -> factor on the stored figure, decimals, whether trailing zeros go, what follows.
_UNITS: Final = {
    "bp": (1, 1, True, " bp"),
    "x": (1, 2, False, "x"),
    "months": (1, 1, True, " months"),
    "percent": (1, 2, False, "%"),
    "fraction": (100, 1, True, "%"),
    "points": (100, 1, True, " points"),
}
_MOST_DECIMALS: Final = 6
#: Months under which a time is given in days.
_MONTHS_TO_TELL: Final = 2
_NOISE: Final = 1e-9
# Not calendar.month_abbr, which follows the machine's locale.
_MONTHS: Final = [
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
]


def figure(value: float, unit: str, limits: Sequence[float] = ()) -> str:
    """A figure in its unit: "292 bp", "1.10x", "6.87%", and 0.821 as "82.1%".

    Takes as many decimals as it needs not to read like one of `limits` that it only comes near:
    a DSCR of 1.2496 under a limit of 1.25 is "1.2496x", not "1.25x".
    """
    factor, decimals, strip, suffix = _UNITS[unit]
    shown = value * factor
    reach = 2 * 10.0**-decimals  # two figures further apart never read alike
    for limit in limits:
        if -reach < limit * factor - shown < reach:
            decimals = _telling(value, factor, decimals, limits)
            break
    text = written(rounded(value, decimals, factor))
    return f"{_stripped(text) if strip else text}{suffix}"


def _telling(value: float, factor: int, decimals: int, limits: Sequence[float]) -> int:
    """Decimals from which a figure reads like none of the limits that it comes near."""
    near = [limit for limit in limits if abs(limit - value) > 10**-_MOST_DECIMALS / 2]
    while decimals < _MOST_DECIMALS and rounded(value, decimals, factor) in {
        rounded(limit, decimals, factor) for limit in near
    }:
        decimals += 1
    return decimals


def trimmed(value: float, decimals: int) -> str:
    """A number with at most so many decimals, without trailing zeros."""
    return _stripped(written(rounded(value, decimals)))


def _stripped(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def count_of_months(months: float) -> str:
    """Months in words, such as "41 months" and "1 month"; whole ones, the rest is left out."""
    return number_of(math.floor(months + _NOISE), "month")


def distance(months: float, days: float, limits: Sequence[float] = ()) -> str:
    """Time to a day: "in 41 months", "3 months ago"; in days under two months, and "today".

    `days` are those of `months`; both are negative for the past. A time just over one of `limits`
    does not read like it: "in over 24 months".
    """
    if days == 0:
        return "today"
    size = abs(months)
    if size < _MONTHS_TO_TELL:
        text = number_of(round(abs(days)), "day")
    else:
        over = days > 0 and any(limit < size < limit + 1 for limit in limits)
        text = f"{'over ' if over else ''}{count_of_months(size)}"
    return f"in {text}" if days > 0 else f"{text} ago"


def dollars(amount: float) -> str:
    """Whole dollars: "$12,000,000", "−$5,000"."""
    return f"{'−' if amount < 0 else ''}${written(rounded(abs(amount), 0))}"


def day(when: date) -> str:
    """A date such as "30 Sep 2026"."""
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"
