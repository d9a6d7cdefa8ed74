"""The UK register of people with significant control, one JSON object a line."""

from services.importers.uk_psc.source import portfolio

__all__ = ["portfolio"]
