"""The loans to look at first."""

from datetime import date
from typing import Final

from components.frame import session, states
from components.loans import table
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens

_WORST: Final = LoanFilter(severity=("critical", "severe"), order="-worst_severity", per_page=20)
COLUMNS: Final = ("loan_number", "property_type", "property_city", "worst_severity",
                  "dollars_short", "dscr", "book_value", "maturity_date", "rate_gap_bp",
                  "sponsor")  # fmt: skip


def worst(today: date) -> None:
    """The twenty loans whose signals are the worst, the most urgent first."""
    found = session.ask(Screens.loans_found, _WORST, (*COLUMNS, "property_state"))
    if found.items:
        table.found_loans(found.items, COLUMNS, today, "worst")
    else:
        states.nothing("No loan has a severe or critical signal.")
