"""GLEIF: who an LEI belongs to, its parents, and why it names none."""

from services.importers.gleif.source import portfolio

__all__ = ["portfolio"]
