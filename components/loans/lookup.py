"""Which loan the address names: the way in to the loan page, and what to do when it names none."""

from typing import Final

import streamlit as st

from components.frame import address, back, links, session, states
from components.frame.routes import LOAN, LOANS
from components.kit import text
from services.contract.errors import InvalidRequest, NotFound
from services.contract.queries import PathQuery, parse
from services.contract.source import CreditSource, Suggestions

_NEAR: Final = 5


def loan_number() -> str | None:
    """The loan of the address; None after saying why there is none to show."""
    back.link(LOANS, "Search loans")
    given = st.query_params.to_dict()
    if not given:
        _ask(None)
        return None
    try:
        # The bounds of a loan number are the same wherever it is asked for.
        number = parse(PathQuery, _known(given)).loan_number
        if number is not None:
            session.ask(CreditSource.loan, number)
    except NotFound as error:
        text.notice("warning", f"{error}.", "search_off")
        address.left_blank()
        _near(str(given["loan_number"]))
        _ask(given["loan_number"])
    except InvalidRequest as error:
        states.invalid(error, LOAN, {})
        address.left_blank()
    else:
        if number is not None:
            address.settle(PathQuery(loan_number=number))
        return number
    return None


def _known(given: dict[str, str]) -> dict[str, str]:
    for name in given:
        if name != "loan_number":
            raise InvalidRequest(
                f"Unknown parameter '{name[:60]}'; this page takes 'loan_number'", parameter=name
            )
    if not given["loan_number"].strip():
        raise InvalidRequest("Parameter 'loan_number' is empty", parameter="loan_number")
    return given


def _near(number: str) -> None:
    # Over an API without its mirror nobody can tell (D33).
    near = session.ask(Suggestions.near_loans, number, _NEAR) if session.mirrored() else ()
    if near:
        text.sentence("Numbers written like it:")
        for one in near:
            links.link(LOAN, one, params={"loan_number": one})


def _ask(number: str | None) -> None:
    with st.form("open", border=True, width=480):
        typed = st.text_input("Loan number", value=number, placeholder="as the lists show it")
        if st.form_submit_button("Open the loan") and typed:
            st.switch_page(LOAN.file, query_params={"loan_number": typed.strip()})
