"""The loans to look at first, on one page."""

from typing import Final

from components.frame import loan_names
from components.loans import columns
from components.report.table import Table
from services.contract.loan_filter import LoanFilter
from services.contract.snapshot_info import Snapshot
from services.contract.source import Analytics

_MOST: Final = 25


def worst(source: Analytics, bad: LoanFilter, snapshot: Snapshot) -> Table:
    """The worst of the severe and critical loans `bad`, as lists of loans write them: each by the
    name of its property, with its number beside it.
    """
    names = columns.with_dates(columns.names_of("urgent"), snapshot)
    asked = bad.model_copy(update={"order": "-worst_severity", "per_page": _MOST})
    found = source.loans_found(asked, columns.needed(names)).items
    shown = columns.columns(names, snapshot.as_of, order=False)
    known = loan_names.filed(source.loan_names(tuple(one.loan_number for one in found)))
    return Table(
        [column.label for column in shown],
        [
            [
                loan_names.beside(one.loan_number, known),
                *(column.write(one.values) for column in shown[1:]),
            ]
            for one in found
        ],
        [at for at, column in enumerate(shown) if column.figure],
    )
