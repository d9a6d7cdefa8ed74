"""Loans: search the coverage, open one, take all matches away."""

from functools import partial

import streamlit as st

from components import exports, filters, paging, session, shell, states, tables
from components.formatting import count

PAGE = "pages/loans.py"
shell.inside(PAGE)
shell.title("Loans")
if query := filters.loan_query(PAGE):
    today = session.analytics().snapshot().as_of
    page = session.read("loans", query)
    sentence = filters.sentence(query)
    if not page.total:
        states.no_match(f"{sentence}: none.", PAGE, session.analytics().snapshot().loans)
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{sentence}: {count(page.total)}**")
            with st.container(horizontal=True, horizontal_alignment="right"):
                exports.download(
                    f"CSV of all {count(page.total)}",
                    partial(exports.loans_csv, query),
                    "credit-atlas-loans.csv",
                )
        if page.items:
            tables.loans(page.items, today, "loans")
            paging.bar(page)
        else:
            states.beyond_last(page.page, page.pages, PAGE, query.at(1).params())
