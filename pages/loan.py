"""Loan: one loan whole. Its panels stand under three licence tiers, so each may fail on its own."""

import streamlit as st

from components.desk import strip
from components.explore import peers
from components.frame import api_call, routes, session, shell, states
from components.history import of_loan
from components.kit.card import card
from components.loans import capital_stack, facts, income, lookup, notes, panels, refinance, sizing
from components.memo import making, trace
from components.ownership import view
from components.properties import on_map
from services.contract import endpoints
from services.contract.source import CreditSource, Dossiers, Inventory

shell.inside(routes.LOAN)
shell.title("Loan")
if (asked := lookup.loan_page()) and (number := asked.loan_number):
    loan, signals = session.ask(CreditSource.loan, number), None
    found = session.ask(Dossiers.figures, loan)
    panels.heading(loan, found)
    strip.of_loan(number)
    lookup.held(number)
    headline = st.container()
    left, right = st.columns(2, gap="small")
    with left, card("Signals and the rules behind them"), states.panel(endpoints.SIGNALS):
        signals = panels.worst_first(session.ask(Dossiers.signals_of, number))
        panels.scored(signals, session.ask(Inventory.rules), found.exempt)
    # Of a loan that has ended nothing is earned, stacked, refinanced or sized.
    if not found.ended:
        with right:
            income.panel(found)
        with right if panels.are_many(signals) else left:  # under the shorter of the two cards
            capital_stack.panel(found)
    with right if panels.are_many(signals) else left, states.panel(endpoints.LOANS):
        notes.panel(loan, found)
    with headline:
        panels.figures(loan, found, signals)
        trace.panel(number)
        making.panel(loan)
    of_loan.panel(number, asked)
    if not found.ended:
        refinance.panel(found)
    lookup.shown(asked, {} if found.ended else sizing.panel(found, number))
    left, right = st.columns(2, gap="small")
    with left:
        with card("Ownership chain"), states.panel(endpoints.OWNERSHIP):
            view.of_loan(session.ask(CreditSource.ownership, number))
        facts.card_of(loan, "Terms and property", "terms", ended=found.ended)
    with right:
        with card("Next to it in the capital graph"), states.panel(endpoints.PATHS):
            panels.neighbours(number)
        if not found.ended:
            with states.panel(endpoints.LOANS):
                peers.panel(loan)
        facts.performance(loan, ended=found.ended)
    on_map.of_loan(number, asked.property_page)
    facts.further(loan)
    api_call.of_loan(loan)
