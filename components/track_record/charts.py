"""Figures of a track record. Pure: records in, plotly figure out."""

from collections.abc import Sequence
from typing import Final

from components.kit import chart, severity
from components.kit.chart import EDGE, MARK
from components.kit.formatting import share
from components.kit.text import escaped
from services.contract import track_record_wording as wording
from services.contract.rounding import number_of
from services.contract.track_record import Horizon, SeverityShare

_CHANCE: Final = 0.5
_ROW: Final = 46


def intervals(horizon: Horizon) -> chart.Chart:
    """Each predictor's AUC as a point on its interval, and where a coin lies."""
    known = [
        (escaped(wording.predictor(one.predictor)), one, one.auc, one.low, one.high)
        for one in horizon.discriminations
        if one.auc is not None and one.low is not None and one.high is not None
    ]
    figure = chart.empty()
    figure.add_scatter(
        x=[found for _, _, found, _, _ in known],
        y=[name for name, *_ in known],
        mode="markers",
        marker={"color": MARK, "size": 10},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [high - found for _, _, found, _, high in known],
            "arrayminus": [found - low for _, _, found, low, _ in known],
            "color": MARK,
            "thickness": 2,
        },
        customdata=[escaped(wording.auc(one)) for _, one, *_ in known],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
    )
    figure.add_vline(x=_CHANCE, line={"color": EDGE, "dash": "dash", "width": 1.5})
    figure.update_layout(
        chart.layout(60 + _ROW * max(len(known), 1)),
        showlegend=False,
        xaxis={"range": [0, 1], "fixedrange": True, "dtick": 0.25, "title": "AUC"},
        yaxis={"autorange": "reversed", "fixedrange": True, "automargin": True},
    )
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
