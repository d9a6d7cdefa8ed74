"""Loans as a table, and all that match as a file."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from components.frame import exports, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN
from components.kit import severity
from components.kit.formatting import MISSING, day, distance, money, percent, place, words
from components.loans import filters
from services.contract.columns import COLUMN
from services.contract.loan_filter import LoanFilter
from services.contract.records import Loan, Page
from services.contract.source import CreditSource, Screens

COLUMNS: Final = tuple(Loan.model_fields)
#: The first columns of an export.
SHOWN: Final = tuple(name for name in COLUMNS if name in COLUMN)


def loans(items: Sequence[Loan], today: date, key: str) -> None:
    """Loans as lists hold them; the number opens the loan."""
    ledger(
        columns(today),
        items,
        opens=lambda loan: (LOAN, loan.loan_number),
        key=key,
        caption="Loans",
    )


def columns(today: date) -> tuple[Column[Loan], ...]:
    """What a list says of a loan; days are counted from `today`."""
    return (
        Column("loan_number", "Loan", lambda loan: loan.loan_number),
        Column("property_type", "Property", lambda loan: words(loan.property_type)),
        Column(
            "property_city", "City", lambda loan: place(loan.property_city, loan.property_state)
        ),
        Column("lender_normalized", "Lender", lambda loan: loan.lender_normalized or MISSING),
        Column(
            "book_value",
            "Book value",
            lambda loan: money(loan.book_value),
            figure=True,
            short=True,
            help="Carrying amount in US dollars.",
        ),
        Column("interest_rate", "Coupon", lambda loan: percent(loan.interest_rate), figure=True),
        Column("maturity_date", "Matures", lambda loan: day(loan.maturity_date), figure=True),
        Column(
            "due",
            "Due",
            lambda loan: distance(loan.maturity_date, today),
            figure=True,
            help=f"Counted from {day(today)}.",
        ),
        Column(
            "rate_pressure",
            "Rate pressure",
            lambda loan: severity.label(loan.rate_pressure),
            short=True,
        ),
        Column(
            "confidence_tier",
            "Ownership",
            lambda loan: words(loan.confidence_tier),
            help="Tier of the weakest link of the resolved ownership chain.",
        ),
    )


def found(query: LoanFilter) -> Page[Loan]:
    """The loans to list; by conditions that the API lacks only a snapshot can tell them (D33)."""
    if (specified := query.within_specification) is not None:
        return session.ask(CreditSource.loans, specified)
    page = session.ask(Screens.loans_found, query, COLUMNS)
    listed = tuple(Loan.model_construct(**one.values) for one in page.items)
    return Page(items=listed, page=page.page, per_page=page.per_page, total=page.total)


def export(query: LoanFilter, columns: tuple[str, ...] = SHOWN) -> exports.Export:
    """Every loan that matches, all pages: these columns first, then the others of an export."""
    snapshot = session.analytics()
    return exports.of_batches(
        "loans",
        filters.sentence(query),
        exports.origin(),
        snapshot.loans_found(query, ()).total,
        snapshot.loan_batches(query, columns),
    )
