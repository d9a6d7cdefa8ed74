"""The loans to look at first, on one page."""

from datetime import date
from typing import Final

from components.loans import columns
from components.report.table import Table
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens

_MOST: Final = 25


def worst(source: Screens, bad: LoanFilter, today: date) -> Table:
    """The worst of the severe and critical loans `bad`, as lists of loans write them."""
    names = columns.names_of("urgent")
    asked = bad.model_copy(update={"order": "-worst_severity", "per_page": _MOST})
    found = source.loans_found(asked, columns.needed(names)).items
    shown = columns.columns(names, today, order=False)
    return Table(
        [column.label for column in shown],
        [[column.write(one.values) for column in shown] for one in found],
        [at for at, column in enumerate(shown) if column.figure],
    )
