"""A made-up, believable portfolio for demonstrations and measurements."""

from services.importers.demo.source import FIRST_DAY, LAST_DAY, MOST_LOANS, portfolio

__all__ = ["FIRST_DAY", "LAST_DAY", "MOST_LOANS", "portfolio"]
