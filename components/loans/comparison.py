"""Loans side by side: which are ticked in a list, and what they have in common and what not."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import streamlit as st
from pydantic import BeforeValidator, Field

from components.frame import address, back, links, session, sheets, states
from components.frame.ledger import Ticks
from components.frame.routes import COMPARE, LOAN, LOANS
from components.kit import fields, severity, text
from services.contract.errors import NotFound
from services.contract.facts import Card
from services.contract.queries import Exact, Query, YesNo, listed
from services.contract.records import LoanDetail
from services.contract.source import CreditSource, Dossiers

#: Loans that fit side by side.
MOST: Final = 5
_KEY: Final = "compare"


#: Numbers of loans, with commas between.
Few = Annotated[tuple[Exact, ...], BeforeValidator(listed), Field(max_length=MOST)]


class Comparison(Query):
    """The loans to compare."""

    loans: Few | None = None
    #: Whether only facts that differ are shown.
    differing: YesNo = False


def ticks(chosen: Sequence[str]) -> Ticks:
    """The boxes of a list of loans."""

    def take(ticked: tuple[str, ...]) -> None:
        st.session_state[_KEY] = ticked or None

    return Ticks(chosen, take, MOST)


def link(chosen: Sequence[str]) -> None:
    """To the comparison of the ticked loans; nothing before there are two."""
    if len(chosen) > 1:
        label = f"Compare {len(chosen)} loans"
        links.link(COMPARE, label, "compare_arrows", {"loans": ",".join(chosen)})


def shown() -> None:
    """The page: facts of up to five loans, one row a fact."""
    asked = address.asked(Comparison, COMPARE)
    if asked is None:
        return
    back.link(LOANS, "Search loans")
    found = [loan for number in asked.loans or () if (loan := _loan(number))]
    if not found:
        address.settle(asked)
        states.nothing("Tick up to five loans in a list of loans, and compare them here.")
        links.link(LOANS, "To the loans", "arrow_forward")
        return
    only = st.toggle("Only what differs", key="differing")
    address.settle(asked.model_copy(update={"differing": only}))
    rows = {loan.loan_number: _facts(loan) for loan in found}
    sheets.side_by_side("loans", rows, only_differing=only, live=True)
    with st.container(horizontal=True):
        for loan in found:
            links.link(LOAN, loan.loan_number, "open_in_new", {"loan_number": loan.loan_number})


def _loan(number: str) -> LoanDetail | None:
    try:
        return session.ask(CreditSource.loan, number)
    except NotFound:
        text.notice("warning", f"No loan has the number '{number}'; it is left out.", "search_off")
        return None


def _facts(loan: LoanDetail) -> dict[str, str]:
    """Facts of a loan, as they are written."""
    values: dict[str, Any] = {name: getattr(loan, name) for name in LoanDetail.model_fields}
    values |= dict(loan.extended)
    parts: tuple[Card, ...] = ("terms", "performance")
    found = {label: value for part in parts for label, value in fields.rows(values, part)}
    return {**found, "Worst signal": _worst(loan.loan_number)}


def _worst(number: str) -> str:
    signals = session.ask(Dossiers.signals_of, number) if session.mirrored() else []
    worst = max((one.severity for one in signals), key=severity.rank, default=None)
    return severity.label(worst)
