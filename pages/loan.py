"""Loan: one loan whole."""

import streamlit as st

from components import dossier, lookup, session, shell
from services.contract.queries import PathQuery

PAGE = "pages/loan.py"
shell.inside(PAGE)
shell.title("Loan")
if number := lookup.loan_number(PAGE):
    today = session.analytics().snapshot().as_of
    loan = session.read("loan", number)
    signals = dossier.worst_first(session.analyse("signals_of", number))
    dossier.heading(loan, today)
    dossier.figures(loan, signals)
    left, right = st.columns(2, gap="small")
    with left:
        dossier.scored(signals)
        dossier.stack(loan)
    with right:
        dossier.ownership(session.read("ownership", number))
        dossier.neighbours(*session.read("paths", PathQuery(loan_number=number, depth=1)))
    dossier.all_fields(loan)
