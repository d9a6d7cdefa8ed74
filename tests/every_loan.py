"""Every loan of a store as the list has it, over all pages: what an oracle counts."""

from collections.abc import Iterator

from services.contract.aggregates import FoundLoan
from services.contract.loan_filter import LoanFilter
from services.contract.paging import every
from services.contract.source import Screens


def every_loan(
    source: Screens, names: tuple[str, ...] = (), **query: object
) -> Iterator[FoundLoan]:
    """The loans that match, with the columns named."""
    asked = LoanFilter.model_validate({"per_page": 100, **query})
    return every(lambda page: source.loans_found(page, names), asked)
