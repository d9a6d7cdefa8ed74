"""The loans that move in a scenario, one row each, and as a file."""

from functools import partial
from typing import Final

from components.frame import columns, exports, links, paging, session, states
from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN, WHAT_IF
from components.kit import actions
from components.kit.formatting import MISSING, count, money, place, words
from components.kit.severity import label
from components.what_if import files
from components.what_if.view import WhatIfView, of_switch
from services.contract.scenario import MovedLoan
from services.contract.source import Scenarios


def loans(view: WhatIfView) -> None:
    """Those of the move asked for, or all that move, a page of them."""
    scenario = view.scenarios[view.of]
    page = session.ask(Scenarios.moved_loans, view.moved(), scenario)
    everything = view.at(1).model_copy(update={"move": None}).params()
    with actions.beside(f"{_what(view)}: {count(page.total)}", key="moved"):
        of_switch(view)
        if view.move:
            links.link(WHAT_IF, "All loans that move", "filter_alt_off", everything)
        if page.total:
            exports.download(
                partial(files.loans, view.moved().at(1), scenario),
                page.total,
                "credit-atlas-what-if-loans",
            )
    if states.has_rows(page, WHAT_IF, view, empty="No loan."):
        ledger(
            _COLUMNS,
            page.items,
            opens=lambda one: (LOAN, one.loan_number),
            caption="Loans that move",
        )
        paging.bar(page)


def _what(view: WhatIfView) -> str:
    if not view.move:
        return f"Loans that move in scenario {view.of}, the worst first"
    before, after = (label(word) for word in view.move)
    if before == after:
        return f"Loans that stay at {before} in scenario {view.of}"
    return f"Loans that move from {before} to {after} in scenario {view.of}"


def _difference(loan: MovedLoan) -> str:
    before, after = loan.dollars_short_before, loan.dollars_short_after
    if before is None or after is None or before == after:
        return MISSING
    return f"{'+' if after > before else ''}{money(after - before)}"


_COLUMNS: Final[tuple[Column[MovedLoan], ...]] = (
    Column("loan_number", "Loan", lambda one: one.loan_number),
    Column("property_type", "Property type", lambda one: words(one.property_type)),
    Column("property_city", "City", lambda one: place(one.property_city, one.property_state)),
    columns.book_value(short=True),
    Column("severity_before", "Worst now", lambda one: label(one.severity_before)),
    Column("severity_after", "Worst then", lambda one: label(one.severity_after), short=True),
    Column("short_before", "Short now", lambda one: money(one.dollars_short_before), figure=True),
    Column("short_after", "Short then", lambda one: money(one.dollars_short_after), figure=True),
    Column("difference", "Difference", _difference, figure=True),
)
