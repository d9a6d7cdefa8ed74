"""Loan: one loan whole. Its panels stand under three licence tiers, so each may fail on its own."""

import streamlit as st

from components.desk import strip
from components.explore import peers
from components.frame import api_call, routes, session, shell, states
from components.kit.card import card
from components.loans import capital_stack, facts, income, lookup, panels, refinance, sizing
from components.ownership import view
from components.properties import on_map
from services.contract import endpoints
from services.contract.frame_call import frame_call
from services.contract.queries import PathQuery
from services.contract.requests import loan_request
from services.contract.source import CreditSource, Dossiers, Inventory

shell.inside(routes.LOAN)
shell.title("Loan")
if (asked := lookup.loan_page()) and (number := asked.loan_number):
    loan = session.ask(CreditSource.loan, number)
    found = session.ask(Dossiers.figures, loan)
    signals = None
    panels.heading(loan, found)
    strip.of_loan(number)
    headline = st.container()
    left, right = st.columns(2, gap="small")
    with left, card("Signals and the rules behind them"), states.panel(endpoints.SIGNALS):
        signals = panels.worst_first(session.ask(Dossiers.signals_of, number))
        panels.scored(signals, session.ask(Inventory.rules), found.exempt)
    with right:
        income.panel(found.income, found.as_of)
    # Under the shorter of the two cards.
    with right if panels.are_many(signals) else left:
        capital_stack.panel(found)
    with headline:
        panels.figures(loan, found, signals)
    refinance.panel(found)
    lookup.shown(asked, sizing.panel(found, number))
    left, right = st.columns(2, gap="small")
    with left:
        with card("Ownership chain"), states.panel(endpoints.OWNERSHIP):
            view.of_loan(session.ask(CreditSource.ownership, number))
        facts.card_of(loan, "Terms and property", "terms")
    with right:
        with card("Next to it in the capital graph"), states.panel(endpoints.PATHS):
            around = PathQuery(loan_number=number, depth=1)
            panels.neighbours(*session.ask(CreditSource.paths, around))
        with states.panel(endpoints.LOANS):
            peers.panel(loan)
        facts.card_of(loan, "Performance and refinancing", "performance")
    on_map.of_loan(number, asked.property_page)
    facts.further(loan)
    api_call.popover(loan_request(number), loan, frame=frame_call("loan", number))
