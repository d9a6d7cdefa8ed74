"""The loans to look at first, with what rules found of them."""

from datetime import date
from typing import Final

from components.frame import links, scope, session, states
from components.frame.routes import LOANS
from components.kit.card import card
from components.kit.formatting import count
from components.loans import columns, table
from services.contract import endpoints
from services.contract.aggregates import FoundLoan
from services.contract.loan_filter import WITH_SIGNAL, LoanFilter
from services.contract.records import Page
from services.contract.source import Screens
from services.contract.vocabulary import SEVERE_OR_WORSE

_WORST_FIRST: Final = tuple(reversed(SEVERE_OR_WORSE))
_WORST: Final = LoanFilter(severity=_WORST_FIRST, order="-worst_severity", per_page=10)
#: Of a pool: every loan with a signal, the first few.
_OF_POOL: Final = WITH_SIGNAL.model_copy(update={"per_page": 5})
_POOL_COLUMNS: Final = (
    *("loan_number", "property_type", "worst_severity", "dollars_short", "dscr", "ltv"),
    "book_value",
)


def found(*, pool: bool = False) -> Page[FoundLoan]:
    """The first ten loans with a severe or critical signal, the most urgent first; of a pool the
    first five with any signal.
    """
    query, names = (_OF_POOL, _POOL_COLUMNS) if pool else (_WORST, _names())
    asked = query.model_copy(update={"scope": scope.chosen()})
    return session.ask(Screens.loans_found, asked, columns.opened(names))


def of_pool(found: Page[FoundLoan], today: date) -> None:
    """These loans of a pool, each with why it is among them."""
    with card("Read these first: severity, then dollars short", level=2):
        if not found.items:
            states.nothing("No loan has a signal.")
            return
        with states.panel(endpoints.SIGNALS):
            table.with_why(found.items, _POOL_COLUMNS, today, "Loans to read first")
        said = f"All {count(found.total)} with a signal"
        links.link(LOANS, said, "arrow_forward", WITH_SIGNAL.params())


def panel(found: Page[FoundLoan], today: date) -> None:
    """The worst loans of a book as a table, and a link to all."""
    with card("Worst first: severity, dollars short, DSCR under the minimum, book value", level=2):
        if not found.items:
            states.nothing("No loan has a severe or critical signal.")
            return
        rows = [one.values for one in found.items]
        names = columns.filled(columns.URGENT, _names(), rows)
        table.found_loans(found.items, names, today, "worst")
        params = {
            "severity": ",".join(_WORST_FIRST),
            "order": "-worst_severity",
            "columns": columns.URGENT,
        }
        said = f"All {count(found.total)} severe or critical, to read and to export"
        links.link(LOANS, said, "arrow_forward", params)


def _names() -> tuple[str, ...]:
    return columns.dated(columns.names_of(columns.URGENT))
