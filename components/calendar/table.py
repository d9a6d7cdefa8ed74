"""Dates one by one, and all of them as a file."""

from typing import Final

from components.frame import columns, exports, paging, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN
from components.kit.formatting import MISSING, count, day, money, place, words
from services.contract.loan_dates import DATE_KIND, DateFilter, LoanDate
from services.contract.records import Page


def _tenant(one: LoanDate) -> str:
    if one.tenant is None:
        return MISSING
    return one.tenant if one.square_feet is None else f"{one.tenant}, {count(one.square_feet)} sf"


_COLUMNS: Final[tuple[Column[LoanDate], ...]] = (
    Column("loan_number", "Loan", lambda one: one.loan_number),
    Column("day", "Day", lambda one: day(one.day), short=True),
    Column("kind", "Date", lambda one: DATE_KIND[one.kind].label, short=True),
    Column("tenant", "Tenant", _tenant,
           help="Whose lease expires, and its square feet."),
    Column("dollars", "Book value", lambda one: money(one.dollars), figure=True),
    Column("property_type", "Type", lambda one: words(one.property_type)),
    Column("city", "City", lambda one: place(one.city, one.state)),
    Column("lender", "Lender", lambda one: one.lender or MISSING),
    columns.worst(),
)  # fmt: skip


def listed(page: Page[LoanDate]) -> None:
    """A page of dates; each opens its loan."""
    ledger(
        _COLUMNS,
        page.items,
        opens=lambda one: (LOAN, one.loan_number),
        caption="Dates of loans",
    )
    paging.bar(page)


def export(query: DateFilter, sentence: str, total: int) -> exports.Export:
    """Every date that matches."""
    return exports.of_batches(
        "dates", sentence, exports.origin(), total, session.analytics().date_batches(query)
    )
