"""Files to take away: CSV, XLSX and Parquet of all rows that match, and their buttons."""

from .buttons import built, download
from .export import Export, Origin, of_batches, of_snapshot, of_table, origin

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
