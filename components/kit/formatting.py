"""Figures and dates as analysts write them. Pure; missing is an em dash, never zero (D18)."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from services.contract import rounding
from services.contract.months import months_after
from services.contract.rounding import number_of, rounded, written

MISSING = "—"
_TEN = 10
#: From so many months on a time is given in years.
_MONTHS_TO_TELL = 36
_MONTHS_IN_DAYS = 2
#: Months at which rules, windows and horizons end.
_LIMITS = (12, 24, 36, 60)
_DAYS_A_YEAR = 365.25
_A_DAY = timedelta(days=1)


def fixed(value: float, places: int = 0, sign: Literal["-", "+"] = "-") -> str:
    """1,234.57: so many digits after the point, a comma before every third digit, a true minus."""
    return written(rounded(value, places), sign)


def money(value: float | None) -> str:
    """$1.25B, $12.4M, $850K, $12; negative as −$4.2M."""
    return MISSING if value is None else rounding.money(value)


def axis_money(value: float) -> str:
    """$500M, $1.5B: as `money`, without zeros after the point."""
    text = money(value)
    number, letter = (text[:-1], text[-1]) if text[-1].isalpha() else (text, "")
    return (number.rstrip("0").rstrip(".") if "." in number else number) + letter


def axis_count(value: float) -> str:
    """500M, 1.5B: as `axis_money`, of what is no money."""
    return axis_money(value).replace("$", "")


def dollars(value: float | None, places: int = 0) -> str:
    """$12,400,000: every digit, with two places the cents too."""
    return MISSING if value is None else f"{'−' if value < 0 else ''}${fixed(abs(value), places)}"


def percent(value: float | None, places: int = 2) -> str:
    """5.25%, from a percent figure."""
    return MISSING if value is None else f"{fixed(value, places)}%"


def fraction(part: float | None, places: int = 1) -> str:
    """92.0%, from a fraction."""
    return MISSING if part is None else percent(100 * part, places)


def change(part: float | None, places: int = 0) -> str:
    """+111%, from a fraction, the sign always."""
    return MISSING if part is None else f"{fixed(_percent(part), places, '+')}%"


def loan_count(loans: int, notes: int | None = None, records: int | None = None) -> str:
    """How many loans, and in how many notes where these are more: "56 loans in 57 notes". Where
    some of the records are sums of others, how many there are too: "58 records: ...".
    """
    said = number_of(loans, "loan")
    if notes not in (None, loans):
        said = f"{said} in {count(notes)} notes"
    return said if records in (None, notes) else f"{count(records)} records: {said}"


def share(part: float, whole: float) -> str:
    """17.3%, of a whole; an em dash of nothing."""
    return percent(100 * part / whole, 1) if whole else MISSING


def _percent(part: float) -> float:
    """A fraction as a percent figure, without the noise of the multiplication."""
    return float(Decimal(repr(float(part))) * 100)


def basis_points(value: float | None) -> str:
    """+250 bp, the sign always."""
    return MISSING if value is None else f"{fixed(value, sign='+')} bp"


def multiple(value: float | None) -> str:
    """1.25x."""
    return MISSING if value is None else f"{fixed(value, 2)}x"


def area(square_feet: float | None) -> str:
    """41,208 sq ft."""
    return MISSING if square_feet is None else f"{fixed(square_feet)} sq ft"


def score(confidence: float | None) -> str:
    """0.87."""
    return MISSING if confidence is None else fixed(confidence, 2)


def count(value: int | None) -> str:
    """41,208."""
    return MISSING if value is None else f"{value:,}"


def spelled(value: int) -> str:
    """ten, which lists often hold; any other number in digits: 9."""
    return "ten" if value == _TEN else count(value)


def day(value: date | None) -> str:
    """15 Mar 2027."""
    return MISSING if value is None else f"{value.day} {value:%b %Y}"


def days(first: date, last: date) -> str:
    """8 Jan 2018 to 11 Dec 2025; of one day that day."""
    return day(last) if first == last else f"{day(first)} to {day(last)}"


def window(after: date | None, before: date | None) -> str:
    """From 1 Jan 2027 to 31 Dec 2027, of days after one and before another; "" of all days."""
    first, last = after and after + _A_DAY, before and before - _A_DAY
    if first and last:
        return f"on {day(first)}" if first == last else f"from {day(first)} to {day(last)}"
    return f"from {day(first)} on" if first else f"until {day(last)}" if last else ""


def quarter(value: date) -> str:
    """2027 Q1, of any day in it."""
    return f"{value.year} Q{(value.month + 2) // 3}"


def distance(value: date | None, today: date) -> str:
    """Time to a day in words: in 9 mo, in 4.0 y, 3 mo ago; in days under two months.

    Months are whole ones. A day just beyond a limit in months does not read like one within it: in
    over 12 mo.
    """
    if value is None:
        return MISSING
    months = (value.year - today.year) * 12 + value.month - today.month
    months -= 1 if months > 0 and value.day < today.day else 0
    months += 1 if months < 0 and value.day > today.day else 0
    if abs(months) < _MONTHS_IN_DAYS:
        days = (value - today).days
        return "today" if days == 0 else f"in {days} d" if days > 0 else f"{-days} d ago"
    size = abs(months)
    years = abs((value - today).days) / _DAYS_A_YEAR
    text = f"{size} mo" if size < _MONTHS_TO_TELL else f"{fixed(years, 1)} y"
    first, last = sorted((value, today))
    if size in _LIMITS and last > months_after(first, size):
        text = f"over {text}"
    return f"in {text}" if months > 0 else f"{text} ago"


def words(value: str | None) -> str:
    """An enumerated word as a label: 'mixed use' is Mixed use."""
    return value[:1].upper() + value[1:].replace("_", " ") if value else MISSING


def place(city: str | None, state: str | None) -> str:
    """Dallas, TX."""
    return ", ".join(part for part in (city, state) if part) or MISSING
