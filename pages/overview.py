"""Overview: how large the book is, when it matures, where it hurts, how sure that is."""

import streamlit as st

from components.frame import api_call, routes, scope, session, shell
from components.kit.card import card
from components.loans import dispositions, filters, horizons
from components.overview import (
    concentration,
    gap,
    headline,
    hero,
    severity_mix,
    since,
    stratification,
    trends,
    untested,
    wall,
    worst,
)
from components.report import button
from services.contract.frame_call import frame_of
from services.contract.loan_filter import LoanFilter
from services.contract.queries import LoanQuery
from services.contract.requests import request_for
from services.contract.source import Inventory, Portfolio, Screens

shell.inside(routes.OVERVIEW)
shell.title("Overview")
loans = LoanFilter(scope=(within := scope.chosen()))
totals, found = session.ask(Portfolio.totals, within), session.ask(Screens.loan_totals, loans)
severities, first = session.ask(Portfolio.worst_severities, within), worst.found()
hero.hero(severities, totals, found.by_horizon, next(iter(first.items), None))
headline.book(totals, found, session.analytics().snapshot(), severities)
with st.container(horizontal=True, vertical_alignment="center"):
    since.line()
    with st.container(horizontal=True, horizontal_alignment="right"):
        button.report(loans, filters.sentence(loans))

wall.panel(session.ask(Portfolio.maturity_wall, within), totals)
left, right = st.columns([1.55, 1], gap="small")
with left, card(severity_mix.heading(severities), level=2):
    severity_mix.severity_mix(severities)
with right, card("Book value by gap of the refi rate over the coupon", level=2):
    gap.gap()

worst.panel(first, totals.as_of)
stratification.panel(totals.book.loans)
horizons.panel(found.by_horizon, totals.as_of)
dispositions.panel(totals.dispositions)
trends.panel()
concentration.concentration()
untested.panel(session.ask(Inventory.rule_coverage), session.ask(Portfolio.totals).book.loans)

api_call.popover(
    request_for(LoanQuery(per_page=100)),
    None,
    "This page adds up every page of this list and of /v1/signals.",
    frame_of("loans", loans),
)
