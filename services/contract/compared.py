"""Which filings of each deal two dates of a book stand for, and which deals a month has (D184)."""

from collections.abc import Iterable
from datetime import date

from .records import Record


class DealSpan(Record):
    """The two filings of one deal that are compared."""

    title: str
    since: date
    until: date


class MonthDeals(Record):
    """How many deals filed in a month, of those that had filed by then."""

    #: First day.
    month: date
    deals: int
    of_deals: int
    #: Titles of those that did not.
    missing: tuple[str, ...]


def date_before(days: Iterable[date], until: date) -> date:
    """What a date is compared with unless another one is asked for: the newest of an earlier month,
    so that deals that file on different days of a month are each compared with their last one;
    else the newest before it, else itself.
    """
    before = [day for day in days if day < until]
    months = [day for day in before if day.replace(day=1) < until.replace(day=1)]
    return max(months or before, default=until)
