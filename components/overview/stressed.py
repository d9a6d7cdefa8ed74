"""The largest loans with a severe or critical signal."""

from collections.abc import Sequence
from datetime import date

from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN
from components.kit import severity
from components.kit.formatting import (
    MISSING,
    basis_points,
    day,
    distance,
    money,
    percent,
    place,
    words,
)
from services.contract.aggregates import StressedLoan


def stressed(items: Sequence[StressedLoan], today: date, key: str) -> None:
    """The largest loans with a severe or critical signal; the number opens the loan."""
    ledger(
        _columns(today),
        items,
        opens=lambda loan: (LOAN, loan.loan_number),
        key=key,
        caption="Largest stressed loans",
    )


def _columns(today: date) -> tuple[Column[StressedLoan], ...]:
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
        Column(
            "rate_gap_bp",
            "Gap",
            lambda loan: basis_points(loan.rate_gap_bp),
            figure=True,
            help="Today's refinancing rate less the coupon.",
        ),
        Column("maturity_date", "Matures", lambda loan: day(loan.maturity_date), figure=True),
        Column(
            "due",
            "Due",
            lambda loan: distance(loan.maturity_date, today),
            figure=True,
            help=f"Counted from {day(today)}.",
        ),
        Column("severity", "Severity", lambda loan: severity.label(loan.severity), short=True),
        Column(
            "signal_types",
            "Signal types",
            lambda loan: ", ".join(words(one) for one in loan.signal_types),
        ),
    )
