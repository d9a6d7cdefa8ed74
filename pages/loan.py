"""Loan: one loan whole. Its panels are of three licence tiers, so each may fail on its own."""

import streamlit as st

from components.desk import strip
from components.explore import peers
from components.frame import api_call, routes, session, shell, states
from components.history import of_loan
from components.kit.card import card
from components.loans import (
    capital_stack,
    facts,
    headline,
    income,
    lookup,
    notes,
    panels,
    refinance,
    rule_rows,
)
from components.ownership import view
from components.properties import on_map
from services.contract import endpoints
from services.contract.source import CreditSource, Dossiers, Inventory

shell.inside(routes.LOAN)
if shown := lookup.loan_page():
    (asked, loan), signals = shown, None
    number = loan.loan_number
    found = session.ask(Dossiers.figures, loan)
    acts = shell.record(panels.name(loan), routes.LOANS, "Search loans")
    panels.heading(loan, found)
    strip.of_loan(loan, acts)
    lookup.held(number)
    with shell.parted(panels.parts(found)):
        first = st.container()
        left, right = st.columns(2, gap="small")
        with left, card(rule_rows.HEADING, part="signals"), states.panel(endpoints.SIGNALS):
            signals = session.ask(Dossiers.signals_of, number)
            rule_rows.panel(loan, signals, session.ask(Inventory.rules), found.exempt)
        with first:
            headline.panel(loan, found, signals)
        with right:
            income.panel(found)
        stacked, peered = (left, None) if panels.has_room(found, signals) else st.columns(2)
        with stacked, states.panel(endpoints.LOANS):
            capital_stack.panel(found)
            notes.panel(loan, found)
        lookup.shown(asked, refinance.panel(found, number))
        of_loan.panel(number, asked)
        left, right = st.columns(2, gap="small")
        with left, card("Ownership chain", part="ownership"), states.panel(endpoints.OWNERSHIP):
            view.of_loan(session.ask(CreditSource.ownership, number), right)
        with right, card("Next to it in the capital graph"), states.panel(endpoints.PATHS):
            panels.neighbours(number)
        with peered or left, states.panel(endpoints.LOANS):
            peers.panel(loan, found)
        on_map.of_loan(loan, asked.property_page)
        facts.panel(loan, ended=found.ended)
        api_call.of_loan(loan)
