"""How a result of loans is looked at: as a list or in groups, in which columns, and elsewhere."""

from collections.abc import Mapping

import streamlit as st

from components.frame import links, session
from components.frame.routes import EXPLORE, MAP, WHAT_IF
from components.kit.actions import actions
from components.loans import bulk, columns, ranking
from services.contract.loan_filter import LoanFilter


def row(query: LoanFilter, chosen_columns: str, shown_set: str | None = None) -> None:
    """The choices, in one row over the table, and the ways to the same loans on other pages."""
    with actions("look"):
        _what_if(query)
        if query.numbers is None:
            params = query.part(LoanFilter, sliced=False).params()
            plot(params)
            if session.mirrored():
                links.link(MAP, "Map", "map", params)
        elif shown_set:
            plot(query.without("numbers", "order").at(1).params() | {"set": shown_set})
        st.space("stretch")
        ranking.switch()
        columns.chooser(chosen_columns)
        bulk.look_up()


def plot(params: Mapping[str, str]) -> None:
    """The way from a list of loans to the same loans in a plot: by their filters, or by a `set`."""
    if session.mirrored():
        links.link(EXPLORE, "Plot these", "scatter_plot", params)


def _what_if(query: LoanFilter) -> None:
    """Not of a set, whose numbers may be thousands."""
    if query.numbers is None and session.mirrored():
        links.link(
            WHAT_IF,
            "What if rates, NOI or cap rates move?",
            "query_stats",
            query.part(LoanFilter, sliced=False).params(),
        )
