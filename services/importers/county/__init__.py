"""County records: mortgages, deeds, assignments, satisfactions, and owners by year."""

from services.importers.county.source import portfolios

__all__ = ["portfolios"]
