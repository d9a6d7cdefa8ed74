"""Parquet: raw values by column, and in the file's own notes what it is."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from .export import Export

_SLICE: Final = 50_000


def write(path: Path, export: Export, progress: Callable[[int], None]) -> None:
    """Writes the file; `progress` gets the number of rows written.

    Columns are called as in the CSV. What its header says is metadata of the schema; metadata of a
    column are its `label` and `unit`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = []
    for field, heading in zip(export.schema, export.headings, strict=True):
        fact = export.facts.get(field.name)
        notes = {"label": fact.label, "unit": fact.kind} if fact else None
        fields.append(pa.field(heading, field.type, metadata=notes))
    schema = pa.schema(fields, metadata=dict(export.header))
    with pq.ParquetWriter(path, schema, compression="zstd") as rows:
        written = 0
        for part in export.slices(_SLICE):
            rows.write_batch(pa.record_batch(part.columns, schema=schema))
            written += part.num_rows
            progress(written)
