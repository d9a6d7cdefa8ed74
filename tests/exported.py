"""Exports as tests read them: the loans of one as a table, any as a file."""

import tempfile
from pathlib import Path

import pyarrow as pa

from components.frame.exports.formats import CSV


def loan_table(source, query, columns=()):
    return pa.Table.from_batches(source.loan_batches(query, columns))


def file_of(export, form=CSV):
    """The bytes of an export's file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"export{form.suffix}"
        form.write(path, export, lambda _: None)
        return path.read_bytes()


def signal_table(source, query, columns=()):
    return pa.Table.from_batches(source.signal_batches(query, columns))
