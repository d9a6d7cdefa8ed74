"""Overview: how large the book is, when it matures, where it hurts, how sure that is."""

import streamlit as st

from components.frame import api_call, routes, session, shell
from components.kit.card import card
from components.overview import concentration, gap, headline, stress, untested, wall, worst
from components.report import button
from services.contract.frame_call import frame_call
from services.contract.loan_filter import LoanFilter
from services.contract.queries import LoanQuery
from services.contract.requests import request_for
from services.contract.source import Inventory, Portfolio

shell.inside(routes.OVERVIEW)
shell.title("Overview")
totals = session.ask(Portfolio.totals)
headline.book(totals, session.analytics().snapshot())
with st.container(horizontal=True, horizontal_alignment="right"):
    button.report(LoanFilter(), "All loans")

left, right = st.columns([1.55, 1], gap="small")
with left, card("Worst signal of each loan, and how sure its ownership is", level=2):
    stress.stress(session.ask(Portfolio.worst_severities))
with right, card("Book value by gap of the refi rate over the coupon", level=2):
    gap.gap()

with card("Book value by quarter of maturity, by rate pressure, and dollars short", level=2):
    wall.shown(session.ask(Portfolio.maturity_wall), totals)

with card("Worst first: severity, dollars short, DSCR under the minimum, book value", level=2):
    worst.worst(totals.as_of)

concentration.concentration()

with card("What the rules could not test", level=2):
    untested.untested(session.ask(Inventory.rule_coverage), totals.book.loans)

api_call.popover(
    request_for(LoanQuery(per_page=100)),
    None,
    "This page adds up every page of this list and of /v1/signals.",
    frame_call("loans"),
)
