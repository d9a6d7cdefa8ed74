"""Raw text of a source to typed values. Each raises ValueError saying what is wrong with it."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal

_DECIMAL = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{0,20})?|\.\d{1,20})", re.ASCII)
_DAY = re.compile(r"(\d{4})(-?)(\d{2})\2(\d{2})", re.ASCII)
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})", re.ASCII)
_NAMED = re.compile(r"(\d{1,2})-([A-Z][a-z]{2})-(\d{4}|\d{2})", re.ASCII)
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_TIME = re.compile(r"[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?$", re.ASCII)
_MONEY = re.compile(r"\$?\d{1,3}(?:,\d{3})+(?:\.\d{1,20})?|\$[\d.]+", re.ASCII)
_US_DATE = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})", re.ASCII)
_MAX_RATE = Decimal("0.5")  # 6.055 in place of 0.06055 is a percent figure, not a fraction
_MAX_SHARE = Decimal(1)
_MAX_PERCENT = Decimal(50)
_SAS_DAY_ZERO = date(1960, 1, 1)
_MAX_SAS_DAY = 60_000  # of 2124
_THIS_CENTURY = 80  # years 00 to 79 are of this one
_MAX_AMOUNT = Decimal(10) ** 15
LONGEST_TEXT = 2000
_LONGEST_PROSE = 32_767
_OLDEST_YEAR = 1800


def clean_text(raw: str) -> str:
    """`raw` with every run of white space, no-break spaces too, as one space, ends trimmed."""
    return " ".join(raw.split())


def text_value(raw: str) -> str:
    """Text up to 2,000 characters. Raises ValueError with what is wrong."""
    if len(raw) > LONGEST_TEXT:
        raise ValueError(f"is longer than {LONGEST_TEXT:,} characters")
    return raw


def clean_prose(raw: str) -> str:
    """As `clean_text`, line by line: paragraphs stay apart, by one empty line."""
    lines = "\n".join(clean_text(line) for line in raw.splitlines())
    apart = re.sub(r"\n{3,}", "\n\n", lines)
    return apart.strip()


def prose_value(raw: str) -> str:
    """Text in paragraphs, up to what a spreadsheet's cell holds. Raises ValueError."""
    if len(raw) > _LONGEST_PROSE:
        raise ValueError(f"is longer than {_LONGEST_PROSE:,} characters")
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


def day_value(raw: str) -> date:
    """Date written YYYYMMDD or YYYY-MM-DD. Raises ValueError."""
    if (found := _DAY.fullmatch(raw)) and int(found[1]) >= _OLDEST_YEAR:
        with suppress(ValueError):  # the 30th of February
            return date(int(found[1]), int(found[3]), int(found[4]))
    raise ValueError("is not a date written YYYYMMDD")


def us_day_value(raw: str) -> date:
    """Date written M/D/YYYY, M/D/YY, 28-Apr-00, YYYY-MM-DD or YYYYMMDD, a time after it or not;
    years 00 to 79 are of this century. Raises ValueError.
    """
    text = _TIME.sub("", raw)
    if (named := _NAMED.fullmatch(text)) and named[2] in _MONTHS:
        text = f"{_MONTHS.index(named[2]) + 1}/{named[1]}/{named[3]}"
    if not (found := _SLASHED.fullmatch(text)):
        try:
            return day_value(text)
        except ValueError:
            raise ValueError("is not a date written M/D/YYYY or YYYY-MM-DD") from None
    year = int(found[3])
    if len(found[3]) == 2:  # noqa: PLR2004 - digits
        year += 2000 if year < _THIS_CENTURY else 1900
    return us_date_value(f"{found[1]}-{found[2]}-{year}")


def sas_day_value(raw: str) -> date:
    """Date as SAS counts it, in days from 1 January 1960. Raises ValueError."""
    days = whole_value(raw)
    if not 0 <= days <= _MAX_SAS_DAY:
        raise ValueError(f"is not a day from 0 to {_MAX_SAS_DAY:,} after 1 January 1960")
    return _SAS_DAY_ZERO + timedelta(days=days)


def percent_value(raw: str) -> Decimal:
    """Percent figure from one, 0 to 50: "5.25" or "5.25 %". Raises ValueError."""
    figure = decimal_value(raw.removesuffix("%").rstrip())
    if not 0 <= figure <= _MAX_PERCENT:
        raise ValueError("is not a percent figure from 0 to 50")
    return figure


def money_value(raw: str) -> Decimal:
    """Amount of money from zero, also written "$1,234.50". Raises ValueError."""
    plain = raw.replace("$", "").replace(",", "") if _MONEY.fullmatch(raw) else raw
    return balance_value(plain)


def yes_no_value(raw: str) -> bool:
    """Truth of "Y", "Yes", "N" or "No", or a spreadsheet's true and false. Raises ValueError."""
    flags = {"y": True, "yes": True, "n": False, "no": False, "true": True, "false": False}
    if raw.casefold() not in flags:
        raise ValueError("is neither Y nor N")
    return flags[raw.casefold()]


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
    "day": day_value,
    "flag": flag_value,
    "us_day": us_day_value,
    "sas_day": sas_day_value,
    "percent": percent_value,
    "money": money_value,
    "yes_no": yes_no_value,
    "prose": prose_value,
}


def whole_dollars(amount: Decimal | None) -> int | None:
    """Amount in whole dollars, cents rounded half to even (D16)."""
    return None if amount is None else int(amount.to_integral_value(ROUND_HALF_EVEN))


def as_float(figure: Decimal | None) -> float | None:
    """Figure as Arrow stores it."""
    return None if figure is None else float(figure)
