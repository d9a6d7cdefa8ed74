"""The loans to look at first."""

from datetime import date
from typing import Final

from components.frame import links, session, states
from components.frame.routes import LOANS
from components.kit.formatting import count
from components.loans import columns, table
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens
from services.contract.vocabulary import SEVERE_OR_WORSE

_WORST_FIRST: Final = tuple(reversed(SEVERE_OR_WORSE))
_WORST: Final = LoanFilter(severity=_WORST_FIRST, order="-worst_severity", per_page=20)


def worst(today: date) -> None:
    """The twenty loans whose signals are the worst, the most urgent first."""
    names = columns.names_of("urgent")
    found = session.ask(Screens.loans_found, _WORST, columns.opened(names))
    if found.items:
        table.found_loans(found.items, names, today, "worst")
        params = {
            "severity": ",".join(_WORST_FIRST),
            "order": "-worst_severity",
            "columns": "urgent",
        }
        said = f"All {count(found.total)} severe or critical, to read and to take away"
        links.link(LOANS, said, "arrow_forward", params)
    else:
        states.nothing("No loan has a severe or critical signal.")
