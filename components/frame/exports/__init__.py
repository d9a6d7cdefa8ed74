"""Files to take away: CSV, XLSX and Parquet of all rows that match, pictures; their buttons."""

from .buttons import built, download, why_not
from .export import Export, Origin, of_batches, of_rows, of_snapshot, of_table, origin
from .giving import give, report
from .pictures import Form, pictures
from .ready import Given

__all__ = [
    "Export",
    "Form",
    "Given",
    "Origin",
    "built",
    "download",
    "give",
    "of_batches",
    "of_rows",
    "of_snapshot",
    "of_table",
    "origin",
    "pictures",
    "report",
    "why_not",
]
