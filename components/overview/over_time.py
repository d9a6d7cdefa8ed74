"""What the book's earlier filings tell: which loans that came due were repaid, and trends."""

from collections.abc import Callable

import streamlit as st

from components.frame import address, periods, states
from components.frame.routes import OVERVIEW
from components.kit import text
from components.kit.card import card
from components.overview import repaid, trends
from components.overview.view import OverviewView
from services.contract import endpoints


def panels() -> None:
    """Both panels; nothing where fewer than two months are kept. While they are closed they ask
    for nothing but which months there are.
    """
    if not periods.over_time() or (asked := address.asked(OverviewView, OVERVIEW)) is None:
        return
    view = address.settled(asked, {}, OverviewView.model_fields)
    _panel("What became of loans that came due", "repaid", "Repaid in time", repaid.panel, view)
    _panel(
        "Trends: delinquency, special servicing, signals, DSCR and occupancy",
        "trends",
        "Month by month",
        trends.panel,
        view,
    )


def _panel(
    head: str, name: str, label: str, draw: Callable[[OverviewView], None], view: OverviewView
) -> None:
    """A card that opens, as its field of the address says; it is drawn once it is open."""
    with card(head, level=2):
        found = st.expander(text.label(label), **address.widget(name))
        if found.open:
            with found, states.panel(endpoints.LOANS):
                draw(view)
