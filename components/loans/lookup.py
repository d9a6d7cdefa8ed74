"""Which loan the address names: the way in to the loan page, and what to do when it names none."""

from collections.abc import Mapping
from typing import Any, Final

import streamlit as st
from pydantic import model_validator

from components.exposure import holding
from components.frame import (
    address,
    fields,
    history_window,
    licence,
    links,
    scope,
    session,
    shell,
    states,
)
from components.frame.history_window import Window
from components.frame.routes import LOAN, LOANS
from components.kit import text
from components.loans import sizing
from services.contract.errors import InvalidRequest, NotFound
from services.contract.loan_filter import LONGEST_NUMBER, LoanFilter
from services.contract.queries import Dollars, Exact, Number, PageNumber, WholeNumber, YesNo
from services.contract.records import LoanDetail
from services.contract.source import CreditSource, Screens, Suggestions

_NEAR: Final = 5
#: How the page is looked at: kept in the address beside the loan.
_LOOKS: Final = (
    *("on_map", "property_page", "evidence", "tracing", "trace", "memo", "sizing", "whole"),
    *history_window.NAMES,
)


class LoanPageView(Window):
    """The loan of the page, what of its history is shown, and the inputs of its sizing calculator
    that are not the loan's own.

    Percent figures, dollars and years as `SizingInputs` has them.
    """

    loan_number: Exact | None = None
    noi: Dollars | None = None
    ncf: Dollars | None = None
    refi_rate: Number | None = None
    amortisation_years: WholeNumber | None = None
    min_dscr: Number | None = None
    min_debt_yield: Number | None = None
    max_ltv: Number | None = None
    cap_rate: Number | None = None
    #: Whether its properties are shown on a map, and the page of their table.
    on_map: YesNo = False
    property_page: PageNumber = 1
    #: Whether it is shown what the links of its ownership chain rest on.
    evidence: YesNo = False
    #: Whether it is shown where figures come from, and the one that is asked about.
    tracing: YesNo = False
    trace: Exact | None = None
    #: Whether the memo is open, and the calculator, which an input of it opens.
    memo: YesNo = False
    sizing: YesNo = False
    #: Whether refinancing is that of the whole loan, where the record is a note of it.
    whole: YesNo = False

    @model_validator(mode="before")
    @classmethod
    def _sized(cls, given: Any) -> Any:  # noqa: ANN401 - what pydantic gives, and takes
        inputs = isinstance(given, Mapping) and any(
            given.get(one) is not None for one in sizing.INPUTS
        )
        return {"sizing": True, **given} if inputs else given


def loan_page() -> tuple[LoanPageView, LoanDetail] | None:
    """What the address asks for, and its loan; None after saying why there is none to show."""
    return shell.way_in(LOAN, LOANS, "Search loans", _asked)


def _asked() -> tuple[LoanPageView, LoanDetail] | None:
    if not address.params():
        _ask(None)
        return None
    view = address.asked(LoanPageView, LOAN, _check)
    if view is None or view.loan_number is None:
        return None
    try:
        return view, session.ask(CreditSource.loan, view.loan_number)
    except NotFound as error:
        text.notice("warning", f"{error}.", "search_off")
        address.left_blank()
        if session.mirrored():  # over an API without its mirror nobody can tell (D33)
            near = session.ask(Suggestions.near_loans, view.loan_number, _NEAR)
            states.near("Numbers written like it:", LOAN, near)
        _ask(view.loan_number)
        return None


def held(number: str) -> None:
    """How many of its sponsor's loans the reader holds, where there is a book or a scope."""
    if scope.ours():
        holding.of_sponsor(_sponsor(number))


def _sponsor(number: str) -> str | None:
    """The sponsor behind a loan; None without one, and where nobody opens who it is."""
    if not session.mirrored() or len(number) > LONGEST_NUMBER or not licence.columns(("sponsor",)):
        return None
    query = LoanFilter(numbers=(number,))
    found = session.ask(Screens.loans_found, query, ("sponsor",)).items
    return found[0].values["sponsor"] if found else None


def shown(view: LoanPageView, changed: Mapping[str, float]) -> None:
    """Writes the loan and the changed inputs to the address."""
    looks = {name: st.session_state[name] for name in _LOOKS}
    number = view.loan_number
    address.settle(LoanPageView(loan_number=number, **changed, **looks))  # type: ignore[arg-type]


def _check(view: LoanPageView) -> None:
    given = st.query_params.to_dict()
    for name in ("page", "per_page"):
        if name in given:
            raise InvalidRequest(
                f"Unknown parameter '{name}'; one loan has no pages", parameter=name
            )
    if view.loan_number is None or not view.loan_number.strip():
        raise InvalidRequest("Parameter 'loan_number' is missing", parameter="loan_number")
    fields.check(sizing.INPUTS, view)


def _ask(number: str | None) -> None:
    with st.form("open", border=True, width=480):
        typed = st.text_input("Loan number", value=number, placeholder="as the lists show it")
        if st.form_submit_button("Open the loan") and typed:
            links.go(LOAN, {"loan_number": typed.strip()})
            st.rerun()
