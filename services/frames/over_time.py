"""Earlier dates as frames: one loan through its periods, and what changed between two dates."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pyarrow as pa

from services.contract.changes_wording import remarks
from services.contract.history import ChangeQuery, HistoryQuery

from .asking import asked, in_words
from .columns import OF_CHANGES, OF_HISTORY
from .frame import of_rows, of_table
from .reading import Reading


def history(reading: Reading, given: Mapping[str, object], loan_number: str) -> pd.DataFrame:
    """One loan date by date; see Atlas.history."""
    query = asked(HistoryQuery, given)
    answering = reading.lease.lines or reading.figures
    found = reading.patient(lambda: answering.history(loan_number, query))
    happened: dict[object, list[str]] = {}
    for event in found.events:
        happened.setdefault(event.as_of, []).append(event.sentence)
    rows = (
        {
            **dict(one),
            **one.signals,
            "loan_number": found.loan_number,
            "rules": "; ".join(one.rules) or None,
            "events": " ".join(happened.get(one.as_of, ())) or None,
        }
        for one in found.rows
    )
    said: dict[str, Any] = {
        "what": "history of a loan",
        "filters": "; ".join(
            part for part in (f"loan number {loan_number}", in_words(query)) if part
        ),
        "missing": [day.isoformat() for day in found.missing],
    }
    return of_rows(rows, OF_HISTORY, said | reading.said_live)


def changes(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """What changed between two dates, a row a loan; see Atlas.changes."""
    query = asked(ChangeQuery, given)
    found = reading.figures.changes(query.model_copy(update={"per_page": 1}))
    said: dict[str, Any] = {
        "what": "changes",
        "filters": in_words(query) or "all loans",
        "since": found.since.isoformat(),
        "until": found.until.isoformat(),
        "compared": found.compared,
        "remarks": list(remarks(found)),
    }
    table = pa.Table.from_batches(reading.figures.change_batches(query))
    return of_table(table, OF_CHANGES, said | reading.said)
