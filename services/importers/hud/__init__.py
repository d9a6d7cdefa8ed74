"""HUD: insured multifamily mortgages, and a catalogue of assisted housing with its owners."""

from services.importers.hud.source import portfolio

__all__ = ["portfolio"]
