"""A made-up, believable portfolio for demonstrations and measurements."""

from services.importers.demo.filings import MOST_QUARTERS, filings
from services.importers.demo.source import FIRST_DAY, LAST_DAY, MOST_LOANS, portfolio, quarters

__all__ = [
    "FIRST_DAY",
    "LAST_DAY",
    "MOST_LOANS",
    "MOST_QUARTERS",
    "filings",
    "portfolio",
    "quarters",
]
