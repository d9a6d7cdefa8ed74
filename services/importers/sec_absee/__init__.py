"""SEC ABS-EE filings: Exhibit 102, Schedule AL, commercial mortgages."""

from services.importers.sec_absee.source import deal_of, filings, histories, portfolio

__all__ = ["deal_of", "filings", "histories", "portfolio"]
