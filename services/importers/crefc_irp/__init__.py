"""Files of CREFC's Investor Reporting Package: loans, properties, statements and the watchlist."""

from services.importers.crefc_irp.source import histories, package

__all__ = ["histories", "package"]
