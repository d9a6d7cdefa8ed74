"""Tables of records: figures right-aligned, units in the header, one row a record."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Final

import streamlit as st

from components import back, severity
from components.formatting import basis_points, day, distance, money, percent, place, words
from services.contract.aggregates import StressedLoan
from services.contract.records import Loan

Write = Callable[[str | None], str]
LOAN_PAGE: Final = "pages/loan.py"


#: Pixels; a table wider than its page scrolls sideways.
_WIDTHS: Final = {
    "Loan": 165, "Property": 145, "City": 155, "Lender": 235, "Book value": 95, "Coupon": 80,
    "Matures": 105, "Due": 85, "Rate pressure": 110, "Ownership": 100, "Gap": 115,
    "Severity": 105, "Signal types": 190, "Rule": 130,
}  # fmt: skip


_FIGURES: Final = frozenset({"Book value", "Coupon", "Matures", "Due", "Gap"})


def _figure(label: str, help_text: str | None = None) -> Any:  # noqa: ANN401 - Streamlit's own
    width = _WIDTHS.get(label)
    return st.column_config.TextColumn(label, alignment="right", help=help_text, width=width)


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
        "Book value": _figure("Book value", "Carrying amount in US dollars."),
        "Coupon": _figure("Coupon"),
        "Matures": _figure("Matures"),
        "Due": _figure("Due", f"Counted from {day(today)}."),
        "Ownership": st.column_config.TextColumn(
            "Ownership", help="Tier of the weakest link of the resolved ownership chain."
        ),
    }
    openable(rows, config, [loan.loan_number for loan in items], key, "Loans")


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
        "Book value": _figure("Book value", "Carrying amount in US dollars."),
        "Coupon": _figure("Coupon"),
        "Gap": _figure("Gap to refi rate", "Today's refinancing rate less the coupon."),
        "Matures": _figure("Matures"),
        "Due": _figure("Due", f"Counted from {day(today)}."),
    }
    openable(rows, config, [loan.loan_number for loan in items], key, "Largest stressed loans")


def plain(
    rows: Sequence[dict[str, Any]],
    key: str,
    alt: str,
    *,
    figures: Sequence[str] = (),
    height: int | None = None,
) -> None:
    """A table as it stands; `figures` names the columns set to the right. Scrolls over `height`."""
    st.dataframe(
        list(rows),
        hide_index=True,
        key=key,
        height=height or "content",
        alt=alt,
        column_config={name: _figure(name) for name in figures},
    )


def openable(
    rows: list[dict[str, Any]],
    config: dict[str, Any],
    names: list[str],
    key: str,
    alt: str,
    *,
    page: str = LOAN_PAGE,
    parameter: str = "loan_number",
    height: int | None = None,
) -> None:
    """A table of records, one row each; choosing a row opens `page` at the record of that name."""
    labels = rows[0] if rows else {}
    widths = {name: st.column_config.TextColumn(name, width=_WIDTHS.get(name)) for name in labels}
    right = {name: _figure(name) for name in labels if name in _FIGURES}
    event = st.dataframe(
        rows,
        hide_index=True,
        key=key,
        height=height or "content",
        column_config=widths | right | config,
        on_select="rerun",
        selection_mode="single-row",
        alt=alt,
    )
    chosen = event["selection"]["rows"]
    if chosen and chosen[0] < len(names):
        record = {parameter: names[chosen[0]]}
        back.leaving(record)
        st.switch_page(page, query_params=record)


def facts(pairs: Sequence[tuple[str, str]], key: str, alt: str) -> None:
    """Name and figure, one below the other."""
    plain([{"Fact": name, "Value": value} for name, value in pairs], key, alt)
