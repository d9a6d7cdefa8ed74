"""Beneficial Ownership Data Standard 0.4: entities, people, and who holds what of whom."""

from services.importers.bods.source import portfolio

__all__ = ["portfolio"]
