"""A plain file of parties and links, CSV or JSON, typed by whoever knows them."""

from services.importers.parties.source import portfolio

__all__ = ["portfolio"]
