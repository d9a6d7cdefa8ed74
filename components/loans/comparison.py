"""Loans side by side: which are ticked in a list, and what they have in common and what not."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import streamlit as st
from pydantic import BeforeValidator, Field

from components.frame import address, history_window, links, session, sheets
from components.frame.ledger import Ticks
from components.frame.routes import COMPARE, LOAN, LOANS
from components.kit import fields, severity, text
from services.contract.facts import Card
from services.contract.loan_filter import LoanFilter
from services.contract.queries import Exact, listed
from services.contract.records import LoanDetail
from services.contract.source import CreditSource, Dossiers, Screens

#: Loans that fit side by side.
MOST: Final = 5
#: Loans that can be selected in a list.
MOST_SELECTED: Final = 100
_KEY: Final = "compare"


#: Numbers of loans, with commas between.
Few = Annotated[tuple[Exact, ...], BeforeValidator(listed), Field(max_length=MOST)]


#: The same of loans that are selected in a list.
Selected = Annotated[tuple[Exact, ...], BeforeValidator(listed), Field(max_length=MOST_SELECTED)]


class Comparison(sheets.Sheet, history_window.Window):
    """The loans to compare, and what of their history is shown."""

    loans: Few | None = None


def ticks(chosen: Sequence[str]) -> Ticks:
    """The boxes of a list of loans."""

    def take(ticked: tuple[str, ...]) -> None:
        st.session_state[_KEY] = ticked or None

    return Ticks(chosen, take, MOST_SELECTED, label="Select")


def link(chosen: Sequence[str]) -> None:
    """To the comparison of the selected loans, where they fit side by side."""
    if len(chosen) > MOST:
        text.caption(f"Compare takes {MOST}", width="content")
    elif len(chosen) > 1:
        label = f"Compare {len(chosen)} loans"
        links.link(COMPARE, label, "compare_arrows", {"loans": ",".join(chosen)})


def shown() -> tuple[Comparison, tuple[str, ...]] | None:
    """The page: facts of up to five loans, one row a fact. What it was asked, and which of the
    loans there are; None where the address asks for something else.
    """
    asked = address.asked(Comparison, COMPARE)
    if asked is None:
        return None
    asked = asked.model_copy(update=history_window.held())
    found = sheets.page(_LOANS, asked, asked.loans or ())
    if not asked.loans and session.mirrored():
        _worst()
    return asked, found


def _worst() -> None:
    """The worst loans as a comparison to begin with."""
    query = LoanFilter(order="-worst_severity", per_page=MOST)
    numbers = [one.loan_number for one in session.ask(Screens.loans_found, query, ()).items]
    if len(numbers) > 1:
        label = f"Compare the {len(numbers)} worst loans"
        links.link(COMPARE, label, "compare_arrows", {"loans": ",".join(numbers)})


def _facts(loan: LoanDetail) -> dict[str, str]:
    """Facts of a loan, as they are written."""
    values: dict[str, Any] = {name: getattr(loan, name) for name in LoanDetail.model_fields}
    values |= dict(loan.extended)
    parts: tuple[Card, ...] = ("terms", "performance")
    found = {label: value for part in parts for label, value in fields.rows(values, part)}
    return {**found, "Worst signal": _worst_of(loan.loan_number)}


def _worst_of(number: str) -> str:
    signals = session.ask(Dossiers.signals_of, number) if session.mirrored() else []
    worst = max((one.severity for one in signals), key=severity.rank, default=None)
    return severity.label(worst)


_LOANS: Final = sheets.Kind(
    "loans",
    "loan",
    lambda number: session.ask(CreditSource.loan, number),
    _facts,
    LOAN,
    LOANS,
    live=True,
)
