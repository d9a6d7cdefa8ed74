"""The loans to look at first."""

from datetime import date
from typing import Final

from components.frame import links, scope, session, states
from components.frame.routes import LOANS
from components.kit.card import card
from components.kit.formatting import count
from components.loans import columns, table
from services.contract.aggregates import FoundLoan
from services.contract.loan_filter import LoanFilter
from services.contract.records import Page
from services.contract.source import Screens
from services.contract.vocabulary import SEVERE_OR_WORSE

_WORST_FIRST: Final = tuple(reversed(SEVERE_OR_WORSE))
_WORST: Final = LoanFilter(severity=_WORST_FIRST, order="-worst_severity", per_page=10)


def found() -> Page[FoundLoan]:
    """The first ten loans with a severe or critical signal, the most urgent first."""
    asked = _WORST.model_copy(update={"scope": scope.chosen()})
    return session.ask(Screens.loans_found, asked, columns.opened(_names()))


def panel(found: Page[FoundLoan], today: date) -> None:
    """These loans as a table, and a link to all."""
    with card("Worst first: severity, dollars short, DSCR under the minimum, book value", level=2):
        _table(found, today)


def _table(found: Page[FoundLoan], today: date) -> None:
    if found.items:
        rows = [one.values for one in found.items]
        names = columns.filled(columns.URGENT, _names(), rows)
        table.found_loans(found.items, names, today, "worst")
        params = {
            "severity": ",".join(_WORST_FIRST),
            "order": "-worst_severity",
            "columns": columns.URGENT,
        }
        said = f"All {count(found.total)} severe or critical, to read and to take away"
        links.link(LOANS, said, "arrow_forward", params)
    else:
        states.nothing("No loan has a severe or critical signal.")


def _names() -> tuple[str, ...]:
    return columns.dated(columns.names_of(columns.URGENT))
