"""Loan: one loan whole. Its panels stand under three licence tiers, so each may fail on its own."""

import streamlit as st

from components import (
    api_call,
    dossier,
    loan_facts,
    lookup,
    ownership_view,
    session,
    shell,
    states,
)
from components.card import card
from services.contract.queries import PathQuery
from services.sources import loan_request

PAGE = "pages/loan.py"
shell.inside(PAGE)
shell.title("Loan")
if number := lookup.loan_number(PAGE):
    loan = session.read("loan", number)
    signals = None
    dossier.heading(loan, session.today())
    figures = st.container()
    left, right = st.columns(2, gap="small")
    with left:
        with card("Signals and the rules behind them"), states.panel("signals"):
            signals = dossier.worst_first(session.analyse("signals_of", number))
            dossier.scored(signals)
        loan_facts.stack(loan)
    with right:
        with card("Ownership chain"), states.panel("ownership"):
            ownership_view.of_loan(session.read("ownership", number))
        with card("Next to it in the capital graph"), states.panel("paths"):
            dossier.neighbours(*session.read("paths", PathQuery(loan_number=number, depth=1)))
    with figures:
        dossier.figures(loan, signals)
    loan_facts.all_fields(loan)
    api_call.popover(loan_request(number), loan)
