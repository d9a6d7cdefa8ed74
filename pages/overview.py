"""Overview: how large the book is, when it matures, where it hurts, how sure that is."""

import streamlit as st

from components.frame import api_call, routes, scope, session, shell
from components.loans import dispositions, filters, horizons
from components.overview import book, concentration, over_time, pool, reads, since, untested
from components.report import button
from services.contract.frame_call import frame_of
from services.contract.loan_filter import LoanFilter
from services.contract.queries import LoanQuery
from services.contract.requests import request_for
from services.contract.source import Inventory, Portfolio

shell.inside(routes.OVERVIEW)
loans = LoanFilter(scope=scope.chosen())
shell.title(pool.title())
of = reads.asked(loans)
shown = pool if of.is_pool else book
with shown.begin(of):
    since.line()
    with st.container(horizontal=True, horizontal_alignment="right"):
        button.report(loans, filters.sentence(loans))
shown.figures(of)
shown.panels(of)
horizons.panel(of.found.by_horizon, of.totals.as_of)
dispositions.panel(of.totals.dispositions)
over_time.panels()
if not of.is_pool:
    concentration.concentration()
untested.panel(session.ask(Inventory.rule_coverage), session.ask(Portfolio.totals).book.loans)

api_call.popover(
    request_for(LoanQuery(per_page=100)),
    None,
    "This page adds up every page of this list and of /v1/signals.",
    frame_of("loans", loans),
)
