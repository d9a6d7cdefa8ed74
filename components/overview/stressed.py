"""The largest loans with a severe or critical signal."""

from collections.abc import Sequence
from datetime import date

from components.frame import records
from components.kit import severity
from components.kit.formatting import basis_points, day, distance, money, percent, place, words
from components.kit.tables import figure_column
from services.contract.aggregates import StressedLoan


def stressed(items: Sequence[StressedLoan], today: date, key: str) -> None:
    """The largest loans with a severe or critical signal; choosing a row opens the loan."""
    rows = [
        {
            "Loan": loan.loan_number,
            "Property": words(loan.property_type),
            "City": place(loan.property_city, loan.property_state),
            "Lender": loan.lender_normalized or "—",
            "Book value": money(loan.book_value),
            "Coupon": percent(loan.interest_rate),
            "Gap": basis_points(loan.rate_gap_bp),
            "Matures": day(loan.maturity_date),
            "Due": distance(loan.maturity_date, today),
            "Severity": severity.label(loan.severity),
            "Signal types": ", ".join(words(one) for one in loan.signal_types),
        }
        for loan in items
    ]
    config = {
        "Book value": figure_column("Book value", "Carrying amount in US dollars."),
        "Coupon": figure_column("Coupon"),
        "Gap": figure_column("Gap to refi rate", "Today's refinancing rate less the coupon."),
        "Matures": figure_column("Matures"),
        "Due": figure_column("Due", f"Counted from {day(today)}."),
    }
    records.openable(
        rows, config, [loan.loan_number for loan in items], key, "Largest stressed loans"
    )
