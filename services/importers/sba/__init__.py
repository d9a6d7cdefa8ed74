"""Small Business Administration: 7(a) and 504 loans as SBA publishes them, and its 7(a) study."""

from services.importers.sba.source import portfolios

__all__ = ["portfolios"]
