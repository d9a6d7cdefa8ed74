"""What the filing in which a loan ended says of its end, where the newest one no longer does.

Servicers state what was owed, what was received and the last appraisal once; later filings keep
the code, the date and the loss alone (D182).
"""

from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from services.contract.disposition import ENDINGS, SAID_ONCE

_Row = dict[str, Any]


def with_endings(loans: pa.Table, endings: pa.Table) -> pa.Table:
    """The loans (LOANS), those that have ended with what an earlier period says of their end.

    `endings` is as ENDINGS (contract/period.py), by date: the last one of a loan counts. Nothing
    that a loan's own record states is replaced.
    """
    ended = pc.is_in(loans["disposition"], pa.array(sorted(ENDINGS)))
    silent = pc.and_(ended, pc.is_null(loans["owed_before"]))
    known = pc.is_in(loans["loan_number"], endings["loan_number"].combine_chunks())
    here = pc.and_(silent, known).combine_chunks()
    places = pc.indices_nonzero(here).to_pylist()
    if not places:
        return loans
    said = {row["loan_number"]: row for row in endings.to_pylist()}
    read = loans.select(["loan_number", "realized_loss", "value_date"]).take(pa.array(places))
    filled = [_filled(loan, said[loan["loan_number"]]) for loan in read.to_pylist()]
    for name in SAID_ONCE:
        at, field = loans.schema.get_field_index(name), loans.schema.field(name)
        values = pa.array([row[name] for row in filled], field.type)
        column = pc.replace_with_mask(loans[name].combine_chunks(), here, values)
        loans = loans.set_column(at, field, column)
    return loans


def _filled(loan: _Row, ending: _Row) -> _Row:
    loss, owed = loan["realized_loss"], ending["owed_before"]
    newer = _after(ending["value_date"], loan["value_date"])
    return {
        "owed_before": owed,
        "principal_received": ending["principal_received"],
        "loss_of_owed": round(loss / owed, 9) if loss and loss > 0 else None,
        "ending_as_of": ending["as_of"],
        "last_value": ending["value"] if newer else None,
        "last_value_date": ending["value_date"] if newer else None,
    }


def _after(day: date | None, other: date | None) -> bool:
    return day is not None and (other is None or day > other)
