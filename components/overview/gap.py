"""How far today's refi rates are above the coupons of the book: classes of the rate gap."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.frame import links, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOANS
from components.kit import axis, fields
from components.kit.formatting import axis_money, count, fixed, money, share
from components.overview.wall import CONFIG
from services.contract.aggregates import FigureClass
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens

if TYPE_CHECKING:  # plotly is imported by the pages that draw with it
    import plotly.graph_objects as go

#: Basis points: the limits of RP-1 among them.
ENDS: Final = (-100.0, 0.0, 50.0, 100.0, 200.0, 300.0, 400.0)
_KEY: Final = "gap"
_COLOUR: Final = "#5b84b1"


def gap() -> None:
    """Book value by class of the gap, as bars and as a table; each leads to its loans."""
    found = session.ask(Screens.loan_classes, LoanFilter(), "rate_gap_bp", ENDS)
    st.plotly_chart(
        _figure(found),
        key=_KEY,
        config=CONFIG,
        selection_mode="points",
        on_select=lambda: _follow(found),
        alt="Bars of book value by the gap of the refi rate over the coupon; the same figures "
        "stand in the table below",
    )
    whole = sum(one.book_value for one in found)
    with st.expander("The same as a table"):
        ledger(
            (
                Column("gap", "Refi rate less coupon", label),
                Column("loans", "Loans", lambda one: count(one.loans), figure=True),
                Column("book_value", "Book value", lambda one: money(one.book_value), figure=True),
                Column(
                    "share", "Of the book", lambda one: share(one.book_value, whole), figure=True
                ),
                Column(
                    "short",
                    fields.label("dollars_short"),
                    lambda one: money(one.dollars_short),
                    figure=True,
                ),
            ),
            found,
            opens=lambda one: (LOANS, params(one)),
            key="gap_table",
            caption="Loans by gap to the refi rate",
        )


def label(one: FigureClass) -> str:
    """A class in words: 100 to 200 bp."""
    if one.low is None and one.high is None:
        return "not known"
    if one.low is None:
        return f"under {_points(one.high)} bp"
    if one.high is None:
        return f"{_points(one.low)} bp or more"
    return f"{_points(one.low)} to {_points(one.high)} bp"


def _points(value: float | None) -> str:
    return fixed(value or 0)


def params(one: FigureClass) -> dict[str, str]:
    """The filters that find the loans of a class; of those without a gap there is none."""
    found = {"order": "-rate_gap_bp"}
    if one.low is not None:
        found["min_gap"] = f"{one.low:g}"
    if one.high is not None:
        # Bounds of filters count in, the upper end of a class does not.
        found["max_gap"] = f"{one.high - 0.01:g}"
    return found


def _figure(found: Sequence[FigureClass]) -> "go.Figure":
    import plotly.graph_objects as go

    figure = go.Figure(
        go.Bar(
            x=[label(one) for one in found],
            y=[one.book_value for one in found],
            marker={"color": _COLOUR},
            customdata=[(money(one.book_value), count(one.loans)) for one in found],
            hovertemplate="%{x}: %{customdata[0]}, %{customdata[1]} loans<extra></extra>",
        )
    )
    lines = axis.lines(max((one.book_value for one in found), default=0))
    figure.update_layout(
        height=250,
        dragmode=False,
        clickmode="event+select",
        bargap=0.2,
        margin={"l": 0, "r": 0, "t": 8, "b": 0},
        xaxis={"type": "category", "fixedrange": True, "tickfont": {"size": 10}},
        yaxis={
            "fixedrange": True,
            "tickvals": lines,
            "ticktext": [axis_money(line) for line in lines],
        },
    )
    return figure


def _follow(found: Sequence[FigureClass]) -> None:
    for point in st.session_state[_KEY]["selection"]["points"]:
        one = next((one for one in found if label(one) == point.get("x")), None)
        if one is not None:
            links.open_page(LOANS, params(one))
