"""Files to take away: CSV, XLSX and Parquet of all rows that match, and the menu they hang in."""

from .export import Export, Origin, of_batches, of_snapshot, of_table, origin
from .menu import built, download

__all__ = [
    "Export",
    "Origin",
    "built",
    "download",
    "of_batches",
    "of_snapshot",
    "of_table",
    "origin",
]
