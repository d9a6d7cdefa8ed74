"""Loan: one loan whole. Its panels stand under three licence tiers, so each may fail on its own."""

import streamlit as st

from components.frame import api_call, routes, session, shell, states
from components.kit.card import card
from components.loans import facts, lookup, panels
from components.ownership import view
from services.contract import endpoints
from services.contract.queries import PathQuery
from services.contract.requests import loan_request
from services.contract.source import CreditSource, Dossiers, Inventory

shell.inside(routes.LOAN)
shell.title("Loan")
if number := lookup.loan_number():
    loan = session.ask(CreditSource.loan, number)
    signals = None
    panels.heading(loan, session.today())
    figures = st.container()
    left, right = st.columns(2, gap="small")
    with left:
        with card("Signals and the rules behind them"), states.panel(endpoints.SIGNALS):
            signals = panels.worst_first(session.ask(Dossiers.signals_of, number))
            panels.scored(signals, session.ask(Inventory.rules))
        facts.stack(loan)
    with right:
        with card("Ownership chain"), states.panel(endpoints.OWNERSHIP):
            view.of_loan(session.ask(CreditSource.ownership, number))
        with card("Next to it in the capital graph"), states.panel(endpoints.PATHS):
            around = PathQuery(loan_number=number, depth=1)
            panels.neighbours(*session.ask(CreditSource.paths, around))
    with figures:
        panels.figures(loan, signals)
    facts.all_fields(loan)
    api_call.popover(loan_request(number), loan)
