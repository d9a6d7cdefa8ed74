"""One loan beside a list of loans: what matters of it, and what can be done.

A container of Streamlit's that is fixed to the side of the window. Its own drawer,
`st.dialog(position="right")`, makes the rest of the page inert: no second row could be clicked, and
no arrow key would go through the list.
"""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

import streamlit as st

from components.desk import strip, writing
from components.frame import links, loan_names, session, states
from components.frame.ledger import Beside
from components.frame.routes import LOAN
from components.kit import actions, text
from components.kit.figure import Figure, row
from components.kit.formatting import MISSING
from components.kit.text import element
from components.loans import columns, worst_signal
from services.contract import endpoints
from services.contract.aggregates import FoundLoan
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens

#: Headline figures, and further facts below them.
_HEADLINE: Final = ("book_value", "dscr", "ltv", "debt_yield")
_FURTHER: Final = (
    "property_type", "property_city", "sponsor", "lender_normalized", "effective_maturity",
    "interest_rate", "occupancy", "dollars_short",
)  # fmt: skip


def beside(shown: str | None) -> Beside | None:
    """What a list needs to show a loan beside it; an API without its mirror has none."""
    return Beside(shown, _show) if session.mirrored() else None


def drawn(number: str | None, listed: Sequence[FoundLoan], today: date) -> None:
    """The loan beside the list of the page's `listed` loans; nothing where none is asked for."""
    if number is None or not session.mirrored():
        return
    asked = LoanFilter(numbers=(number,))
    found = session.ask(
        Screens.loans_found, asked, columns.opened((*_HEADLINE, *_FURTHER, "disposition"))
    )
    with st.container(key="drawer", gap="small"):
        _way(number, [one.loan_number for one in listed])
        if not found.items:
            text.notice("warning", f"No loan is numbered '{number}'.", "search_off")
            return
        values = found.items[0].values
        names = loan_names.of([number])
        text.heading(names.get(number, number), level=2)
        if number in names:
            text.caption(number)
        with states.panel(endpoints.SIGNALS):
            worst_signal.sentence(number, values["disposition"])
        written = columns.columns((*_HEADLINE, *_FURTHER), today, order=False)
        headline = [one for one in written if one.name in _HEADLINE]
        row([Figure(one.label, one.write(values), "") for one in headline])
        rest = [(one.label, one.write(values)) for one in written if one.name not in _HEADLINE]
        known = [(label, value) for label, value in rest if value != MISSING]
        rows = [element("div", element("span", a), element("span", b)) for a, b in known]
        text.show(element("div", *rows, class_="atlas-beside"))
        if writing.read(partial(_watch, number), said=False):
            links.link(LOAN, "Open the page", "open_in_full", {"loan_number": number})
        where = {"loan_number": number, "tracing": "yes"}
        links.link(LOAN, "Where these figures come from", "manage_search", where)


def _watch(number: str) -> bool:
    strip.watch_of_loan(number)
    return True


def _way(number: str, listed: Sequence[str]) -> None:
    """Where in the list it stands, the loans before and after it, and the way out."""
    at = listed.index(number) if number in listed else None
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        of = "not on this page" if at is None else f"{at + 1} of {len(listed)} on this page"
        text.caption(of)
        for label, icon, to in (
            ("Loan before", "arrow_upward", None if at is None else at - 1),
            ("Loan after", "arrow_downward", None if at is None else at + 1),
        ):
            there = to is not None and 0 <= to < len(listed)
            show = partial(_show, listed[to] if there and to is not None else None)
            actions.button("", show, icon=icon, key=label, help_text=label, off=not there)
        actions.button("Close", partial(_show, None), icon="close", key="close drawer")


def _show(number: str | None) -> None:
    st.session_state["loan"] = number
