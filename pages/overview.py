"""Overview: how large the book is, when it matures, where it hurts."""

from functools import partial

import streamlit as st

from components.frame import api_call, routes, session, shell
from components.kit import text
from components.kit.card import card
from components.kit.formatting import day
from components.overview import headline, stressed, wall
from services.contract.queries import LoanQuery
from services.contract.requests import request_for
from services.contract.source import Portfolio

shell.inside(routes.OVERVIEW)
shell.title("Overview")
totals = session.ask(Portfolio.totals)
headline.book(totals, session.analytics().snapshot())

columns = wall.wall_columns(session.ask(Portfolio.maturity_wall), totals.as_of)
with card("Book value by quarter of maturity, stacked by rate pressure", level=2):
    st.plotly_chart(
        wall.maturity_wall(columns),
        on_select=partial(wall.follow, "maturity_wall", columns),
        selection_mode="points",
        key="maturity_wall",
        config=wall.CONFIG,
        alt="Maturity wall: bars of book value by quarter, stacked by rate pressure; "
        "the same figures stand in the table below",
    )
    if notes := wall.outside(columns, totals.no_maturity_date):
        text.caption(notes)
    with st.expander("The same as a table"):
        wall.table(columns)

with card("Largest loans with a severe or critical signal", level=2):
    found = session.ask(Portfolio.largest_stressed, 15)
    if found:
        stressed.stressed(found, totals.as_of, "stressed")
    else:
        text.caption(f"No loan has a severe or critical signal as of {day(totals.as_of)}.")

api_call.popover(
    request_for(LoanQuery(per_page=100)),
    None,
    "This page adds up every page of this list and of /v1/signals.",
)
