"""Loans: find, order, rank, compare and take away."""

from functools import partial

import streamlit as st

from components.desk import saving, writing
from components.exposure import counts
from components.frame import exports, paging, routes, session, shell, states
from components.kit import text
from components.kit.formatting import count
from components.loans import bulk, columns, comparison, filters, look, ranking, table, totals
from components.maps import cities
from components.report import button
from services.contract import endpoints
from services.contract.source import Maps

shell.inside(routes.LOANS)
shell.title("Loans")
writing.outcome()
view = filters.loan_view()
if view and view.set and bulk.numbers_of(view.set) is None:
    bulk.unknown_set(view.set)
elif view:
    query = view.filter()
    shown = columns.names_of(view.columns)
    page = table.found(query, columns.opened(shown))
    sentence = filters.sentence(query)
    if not page.total:
        states.no_match(f"{sentence}: none.", routes.LOANS)
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            text.lead(f"{sentence}: {count(page.total)}")
            with st.container(horizontal=True, horizontal_alignment="right"):
                saving.search("loans", view, query, sentence)
                button.report(query, sentence)
                taken = partial(table.export, query, shown)
                exports.download(taken, page.total, "credit-atlas-loans")
        with states.panel(endpoints.ENTITIES):
            counts.of_filter(query.lender)
        with states.panel(endpoints.LOANS):
            totals.strip(query)
        look.row(query, view.columns, view.set)
        if view.map:
            with states.panel(endpoints.LOANS):
                found = session.ask(Maps.loan_cities, query)
                cities.cities(found, sentence, routes.LOANS, view.at(1).params())
        if view.by:
            with states.panel(endpoints.LOANS):
                ranking.ranking(query, view.by, sentence, view.set)
        elif page.items:
            ticks = comparison.ticks(view.compare or ())
            table.result(page.items, shown, session.today(), query, ticks)
            paging.bar(page)
            comparison.link(view.compare or ())
        else:
            states.beyond_last(page, routes.LOANS, view.at(1).params())
    table.calls(query, page)
