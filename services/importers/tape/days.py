"""Dates of tapes: "4/25/17", "2027-03-15", "20171120.0", "15-Mar-27", days of a spreadsheet."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, Literal, NamedTuple

#: Which of two numbers is the day, where both could be: "03/04/2027".
Order = Literal["M/D/Y", "D/M/Y"]
_SLASHED: Final = re.compile(r"(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})", re.ASCII)
_ISO: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII)
_TIME: Final = re.compile(r"[T ]+\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AaPp][Mm])?(Z|[+-]\d\d:?\d\d)?$")
_NAMED: Final = re.compile(
    r"(?:(\d{1,2})[- /.]?([A-Za-z]{3,9})\.?[- /,]*(\d{4}|\d{2})"
    r"|([A-Za-z]{3,9})\.?[- /]?(\d{1,2})(?:st|nd|rd|th)?,?[- /]+(\d{4}|\d{2}))",
    re.ASCII,
)
_NUMBER: Final = re.compile(r"(\d{5}|\d{8})(?:\.0*)?", re.ASCII)
_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
#: Day 1 of a spreadsheet is 1 January 1900, and it counts a 29 February 1900 that never was.
_SERIAL_0: Final = date(1899, 12, 30)
#: 1940 to 2118: beyond it a five-digit figure is no day of a loan.
_SERIALS: Final = range(14_611, 79_990)
_MONTHS_A_YEAR: Final = 12
_YEARS: Final = range(1800, 2200)
#: Two digits below it are of this century.
_CENTURY: Final = 80


def day(raw: str, order: Order | None) -> date:
    """What a cell says, by the order of its column. Raises ValueError saying what is wrong."""
    plain = _TIME.sub("", raw)
    if found := _ISO.fullmatch(plain):
        return _of(int(found[1]), int(found[2]), int(found[3]))
    if found := _SLASHED.fullmatch(plain):
        first, second = int(found[1]), int(found[2])
        if order is None and first != second and max(first, second) <= _MONTHS_A_YEAR:
            raise ValueError("may be two dates")
        day_first = order == "D/M/Y" or (order is None and first > _MONTHS_A_YEAR)
        month, of_month = (second, first) if day_first else (first, second)
        return _of(_year(found[3]), month, of_month)
    if named := _NAMED.fullmatch(plain):
        early, word, late = named.group(1, 2, 3) if named[1] else named.group(5, 4, 6)
        if word[:3].lower() in _MONTHS:
            return _of(_year(late), _MONTHS.index(word[:3].lower()) + 1, int(early))
    if found := _NUMBER.fullmatch(plain):
        digits = found[1]
        if len(digits) == len("YYYYMMDD"):
            return _of(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        if int(digits) in _SERIALS:
            return _SERIAL_0 + timedelta(days=int(digits))
    raise ValueError("is no date")


def _year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == len("YYYY") else year + (2000 if year < _CENTURY else 1900)


def _of(year: int, month: int, of_month: int) -> date:
    if year not in _YEARS:
        raise ValueError("is no date")
    try:
        return date(year, month, of_month)
    except ValueError:
        raise ValueError("is no day of the calendar") from None


class Orders(NamedTuple):
    """How many cells are dates with the month first alone, with the day first alone, with both."""

    month_first: int
    day_first: int
    either: int


def orders(cells: Iterable[tuple[str, int]]) -> Orders:
    """Evidence of a column: cells with how often each stands in it."""
    month_first = day_first = either = 0
    for raw, times in cells:
        found = _SLASHED.fullmatch(_TIME.sub("", raw))
        if not found:
            continue
        first, second = int(found[1]), int(found[2])
        if first == second:  # the same day in both orders
            continue
        month_first += times * (first <= _MONTHS_A_YEAR < second)
        day_first += times * (second <= _MONTHS_A_YEAR < first)
        either += times * (max(first, second) <= _MONTHS_A_YEAR)
    return Orders(month_first, day_first, either)
