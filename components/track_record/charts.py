"""Figures of a track record. Pure: records in, plotly figure out."""

from collections.abc import Sequence
from typing import Final

from components.kit import chart, severity
from components.kit.chart import EDGE
from components.kit.formatting import share
from components.kit.intervals import Interval, drawn
from components.kit.text import escaped
from services.contract import track_record_wording as wording
from services.contract.rounding import number_of
from services.contract.track_record import Horizon, SeverityShare

_CHANCE: Final = 0.5


def intervals(horizon: Horizon) -> chart.Chart:
    """Each predictor's AUC as a point on its interval, and where a coin lies."""
    known = [
        Interval(wording.predictor(one.predictor), one.auc, one.low, one.high, wording.auc(one))
        for one in horizon.discriminations
        if one.auc is not None and one.low is not None and one.high is not None
    ]
    figure = drawn(known, "AUC")
    figure.add_vline(x=_CHANCE, line={"color": EDGE, "dash": "dash", "width": 1.5})
    return figure


def distressed_shares(
    shares: Sequence[SeverityShare], fewest: int, *, dark: bool = False
) -> chart.Chart:
    """The share of loan-months followed by distress, a bar a severity.

    Bars on fewer than `fewest` loans are hatched.
    """
    parts = [
        one.distressed_loan_months / one.loan_months if one.loan_months else None for one in shares
    ]
    figure = chart.empty()
    figure.add_bar(
        x=[escaped(severity.label(one.severity)) for one in shares],
        y=parts,
        marker={
            "color": [severity.colour(one.severity, dark=dark) for one in shares],
            "line": {"color": EDGE, "width": 0.6},
            "pattern": {"shape": ["/" if one.loans < fewest else "" for one in shares]},
        },
        text=[escaped(_bar_label(one)) for one in shares],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{x}: %{text}<extra></extra>",
    )
    figure.update_layout(
        chart.layout(290, above=22),
        bargap=0.35,
        showlegend=False,
        xaxis={"type": "category", "fixedrange": True},
        yaxis={"tickformat": ".0%", "rangemode": "tozero", "fixedrange": True},
    )
    return figure


def _bar_label(one: SeverityShare) -> str:
    """5.1%, 48 loans."""
    shown = share(one.distressed_loan_months, one.loan_months)
    return f"{shown}, {number_of(one.loans, 'loan')}"
