"""Loans as a table, and all that match as a file."""

from collections.abc import Sequence
from datetime import date
from typing import Final

import streamlit as st

from components.frame import exports, records, session
from components.kit import severity
from components.kit.formatting import day, distance, money, percent, place, words
from components.kit.tables import figure_column
from components.loans import filters
from services.contract.loan_filter import LoanFilter
from services.contract.records import Loan, Page
from services.contract.source import CreditSource, Screens

COLUMNS: Final = tuple(Loan.model_fields)


def loans(items: Sequence[Loan], today: date, key: str) -> None:
    """Loans as lists hold them; choosing a row opens the loan."""
    rows = [
        {
            "Loan": loan.loan_number,
            "Property": words(loan.property_type),
            "City": place(loan.property_city, loan.property_state),
            "Lender": loan.lender_normalized or "—",
            "Book value": money(loan.book_value),
            "Coupon": percent(loan.interest_rate),
            "Matures": day(loan.maturity_date),
            "Due": distance(loan.maturity_date, today),
            "Rate pressure": severity.label(loan.rate_pressure),
            "Ownership": words(loan.confidence_tier),
        }
        for loan in items
    ]
    config = {
        "Book value": figure_column("Book value", "Carrying amount in US dollars."),
        "Coupon": figure_column("Coupon"),
        "Matures": figure_column("Matures"),
        "Due": figure_column("Due", f"Counted from {day(today)}."),
        "Ownership": st.column_config.TextColumn(
            "Ownership", help="Tier of the weakest link of the resolved ownership chain."
        ),
    }
    records.openable(rows, config, [loan.loan_number for loan in items], key, "Loans")


def found(query: LoanFilter) -> Page[Loan]:
    """The loans to list; by conditions that the API lacks only a snapshot can tell them (D33)."""
    if (specified := query.within_specification) is not None:
        return session.ask(CreditSource.loans, specified)
    page = session.ask(Screens.loans_found, query, COLUMNS)
    listed = tuple(Loan.model_construct(**one.values) for one in page.items)
    return Page(items=listed, page=page.page, per_page=page.per_page, total=page.total)


def loans_csv(query: LoanFilter) -> bytes:
    """Every loan that matches, all pages, as CSV; built when the button is pressed."""
    table = session.analytics().loan_table(query)
    return exports.as_csv("loans", filters.sentence(query), table, exports.origin())
