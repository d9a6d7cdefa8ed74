"""Parties and links of a plain file to a portfolio without loans of its own.

The file's format is in services/importers/README.md. Loans that it names are those of other
sources; the pipeline finds them by number (D203).
"""

import csv
import io
import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused
from services.contract.portfolio import Portfolio, SourceInfo
from services.importers.base import RecordRejected, count
from services.importers.parties.rows import COLUMNS, Records
from services.importers.reading import content, digest
from services.importers.ties import without_loans
from services.importers.values import clean_text

#: (its place in the file, its values by column).
_Listed = list[tuple[str, dict[str, str]]]
_LISTS: Final = {"parties": "party", "links": "link"}


def portfolio(path: Path, *, as_of: date, title: str | None = None) -> Portfolio:
    """The parties and links of a file; `title` by default the file's name: a later file of the
    same one replaces it.

    A record that cannot be used is a row of `rejects`. Raises ImportRefused for a file that is
    neither such a CSV nor such a JSON, or holds no usable record.
    """
    raw = content(path)
    name = clean_text(title or path.stem.replace("_", " "))
    listed = (_of_json if path.suffix.lower() == ".json" else _of_csv)(path.name, raw)
    unmapped: Counter[str] = Counter()
    rejects: list[tuple[str, str]] = []
    records = Records(path.name, as_of)
    # Whoever is spoken of comes before what is said of them; sponsors need the borrowers.
    for record, values in sorted(listed, key=lambda one: records.order(one[1])):
        for stray in values.keys() - COLUMNS:
            count(unmapped, stray)
        try:
            records.take(record, values)
        except RecordRejected as bad:
            rejects.append((bad.record, bad.reason))
    info = SourceInfo(
        key=f"parties:{name}",
        importer="parties",
        title=name,
        publisher="typed by hand",
        terms="as its owner says",
        as_of=as_of,
        provenance="reported",
        files=(path.name,),
        sha256=(digest(raw),),
        records_read=len(listed),
        unmapped=dict(sorted(unmapped.items())),
    )
    return without_loans(info, records.ties, rejects)


def _of_csv(name: str, raw: bytes) -> _Listed:
    """Rows by the names of the first row; blank cells are absent."""
    try:
        reader = csv.DictReader(io.StringIO(raw.decode("utf-8-sig")), strict=True)
        if "record" not in (reader.fieldnames or ()):
            raise ImportRefused(f"{name} has no column 'record': its first row names the columns.")
        return [
            (f"line {reader.line_num}", {
                column.strip(): clean_text(cell) for column, cell in row.items()
                if isinstance(column, str) and isinstance(cell, str) and clean_text(cell)
            })
            for row in reader
        ]  # fmt: skip
    except (UnicodeDecodeError, csv.Error) as wrong:
        raise ImportRefused(f"{name} does not read as CSV in UTF-8: {wrong}.") from None


def _of_json(name: str, raw: bytes) -> _Listed:
    """Objects of the lists `parties` and `links`."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        raise ImportRefused(f"{name} does not read as JSON.") from None
    listed = document if isinstance(document, dict) else {}
    if not any(isinstance(listed.get(key), list) for key in _LISTS):
        raise ImportRefused(f"{name} has neither a list 'parties' nor a list 'links'.")
    return [
        (
            f"{key}[{at}]",
            {"record": kind, **{str(name): clean_text(str(value)) for name, value in one.items()
                                if value not in (None, "")}},
        )
        for key, kind in _LISTS.items()
        for at, one in enumerate(listed.get(key) or ())
        if isinstance(one, dict)
    ]  # fmt: skip
