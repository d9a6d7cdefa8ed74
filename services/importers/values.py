"""Raw text of a source to typed values. Each raises ValueError saying what is wrong with it."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal

_DECIMAL = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{0,20})?|\.\d{1,20})", re.ASCII)
_US_DATE = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})", re.ASCII)
_MAX_RATE = Decimal("0.5")  # 6.055 in place of 0.06055 is a percent figure, not a fraction
_MAX_SHARE = Decimal(1)
_MAX_AMOUNT = Decimal(10) ** 15
LONGEST_TEXT = 2000
_OLDEST_YEAR = 1800


def clean_text(raw: str) -> str:
    """`raw` with every run of white space, no-break spaces too, as one space, ends trimmed."""
    return " ".join(raw.split())


def text_value(raw: str) -> str:
    """Text up to 2,000 characters. Raises ValueError with what is wrong."""
    if len(raw) > LONGEST_TEXT:
        raise ValueError(f"is longer than {LONGEST_TEXT:,} characters")
    return raw


def decimal_value(raw: str) -> Decimal:
    """Plain decimal figure; no exponent, no thousands separator. Raises ValueError."""
    if not _DECIMAL.fullmatch(raw):
        raise ValueError("is not a plain decimal number")
    return Decimal(raw)


def amount_value(raw: str) -> Decimal:
    """Amount of money, of either sign. Raises ValueError."""
    amount = decimal_value(raw)
    if abs(amount) >= _MAX_AMOUNT:
        raise ValueError("is too large for an amount")
    return amount


def balance_value(raw: str) -> Decimal:
    """Amount of money that cannot be below zero. Raises ValueError."""
    amount = amount_value(raw)
    if amount < 0:
        raise ValueError("is negative")
    return amount


def whole_value(raw: str) -> int:
    """Whole number, also written "60.00". Raises ValueError."""
    figure = decimal_value(raw)
    if figure != figure.to_integral_value() or abs(figure) > 10**9:
        raise ValueError("is not a whole number")
    return int(figure)


def count_value(raw: str) -> int:
    """Whole number from zero, e.g. months. Raises ValueError."""
    figure = whole_value(raw)
    if figure < 0:
        raise ValueError("is negative")
    return figure


def rate_value(raw: str) -> Decimal:
    """Percent figure from a fraction: "0.06055" gives 6.055 (D16). Raises ValueError."""
    fraction = decimal_value(raw)
    if not 0 <= fraction <= _MAX_RATE:
        raise ValueError("is not a rate written as a fraction from 0 to 0.5")
    return (fraction * 100).quantize(Decimal("1e-8"))


def share_value(raw: str) -> Decimal:
    """Fraction from 0 to 1. Raises ValueError."""
    fraction = decimal_value(raw)
    if not 0 <= fraction <= _MAX_SHARE:
        raise ValueError("is not a fraction from 0 to 1")
    return fraction


def us_date_value(raw: str) -> date:
    """Date written MM-DD-YYYY. Raises ValueError."""
    if (found := _US_DATE.fullmatch(raw)) and int(found[3]) >= _OLDEST_YEAR:
        with suppress(ValueError):  # the 30th of February
            return date(int(found[3]), int(found[1]), int(found[2]))
    raise ValueError("is not a date written MM-DD-YYYY")


def flag_value(raw: str) -> bool:
    """Truth of "true" or "false". Raises ValueError."""
    flags = {"true": True, "false": False, "1": True, "0": False}
    if raw.casefold() not in flags:
        raise ValueError("is neither true nor false")
    return flags[raw.casefold()]


#: What a rule's `unit` may say.
UNITS: dict[str, Callable[[str], object]] = {
    "text": text_value,
    "code": text_value,
    "number": decimal_value,
    "amount": amount_value,
    "balance": balance_value,
    "whole": whole_value,
    "count": count_value,
    "rate": rate_value,
    "share": share_value,
    "date": us_date_value,
    "flag": flag_value,
}


def whole_dollars(amount: Decimal | None) -> int | None:
    """Amount in whole dollars, cents rounded half to even (D16)."""
    return None if amount is None else int(amount.to_integral_value(ROUND_HALF_EVEN))


def as_float(figure: Decimal | None) -> float | None:
    """Figure as Arrow stores it."""
    return None if figure is None else float(figure)
