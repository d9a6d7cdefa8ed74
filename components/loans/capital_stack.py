"""The capital stack as one bar by layer, with the LTV up to each, and the same as a table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.frame import states
from components.kit import text
from components.kit.card import card
from components.kit.formatting import MISSING, axis_money, dollars, money, percent, words
from services.signals.one_loan.figures import LoanFigures
from services.signals.one_loan.stack import OTHER_NOTES, Layer

if TYPE_CHECKING:  # plotly is imported by the pages that draw with it
    import plotly.graph_objects as go

CONFIG: Final[dict[str, Any]] = {"displaylogo": False, "displayModeBar": False}
#: Fill and the colour of text upon it.
_COLOURS: Final = {
    "senior": ("#1f5fa8", "#ffffff"),
    OTHER_NOTES: ("#7fb0e3", "#10171f"),
    "mezzanine": ("#e69f00", "#10171f"),
    "preferred": ("#b0518f", "#ffffff"),
}
_OTHER: Final = ("#6b7785", "#ffffff")
_EDGE: Final = "#7d8894"
#: Marks closer than this part of the bar would overlap: the second one stands higher.
_CLOSE: Final = 0.10
#: Narrower segments bear no words of their own; the table has them.
_NARROW: Final = 0.09


def panel(figures: LoanFigures) -> None:
    """Bar and table of the layers, paid first to last."""
    layers, value = figures.stack, figures.income.value
    with card("Capital stack by layer"):
        if not layers:
            states.nothing("The source gives no debt layers for this loan.")
            return
        least = figures.debt.at_least
        if layers[0].amount is not None:
            st.plotly_chart(
                chart(layers, value, at_least=least),
                key="stack_chart",
                config=CONFIG,
                alt="Capital stack: one bar, a segment a layer, marked with the LTV up to each "
                "layer; the same figures stand in the table below",
            )
        text.sheet(rows(layers, at_least=least), "stack", "Capital stack", prose=("Lender",))
        if figures.debt.part:
            text.caption(
                "Other notes: the rest of the whole loan, as underwriting implies it; the source "
                "does not list them (D22)."
            )


def rows(layers: Sequence[Layer], *, at_least: bool = False) -> list[dict[str, str]]:
    """One row a layer."""
    bound = "≥ " if at_least else ""
    return [
        {
            "Layer": _named(layer),
            "Amount": dollars(layer.amount),
            "Rate": percent(layer.rate),
            "LTV up to it": layer.ltv.written(lambda part: f"{bound}{percent(100 * part, 1)}"),
            "Lender": _parties(layer),
        }
        for layer in layers
    ]


def chart(layers: Sequence[Layer], value: float | None, *, at_least: bool = False) -> "go.Figure":
    """One horizontal bar up to the last layer whose end is known, then the equity above it."""
    import plotly.graph_objects as go

    figure = go.Figure()
    drawn = [layer for layer in layers if layer.cumulative.value is not None]
    total = drawn[-1].cumulative.value or 0
    end = max(total, value or 0)
    for layer in drawn:
        fill, ink = _COLOURS.get(layer.position, _OTHER)
        amount = layer.amount or 0
        wide = amount / end >= _NARROW
        figure.add_bar(
            x=[amount],
            y=[""],
            orientation="h",
            marker={"color": fill, "line": {"color": _EDGE, "width": 0.6}},
            text=f"{text.escaped(words(layer.position))}<br>{money(amount)}" if wide else "",
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"color": ink},
            hovertemplate=f"{text.escaped(_named(layer))}: {money(amount)}<extra></extra>",
        )
    if value is not None and value > total:
        _equity(figure, total, value, named=(value - total) / end >= _NARROW)
    marked = value is not None
    _mark(figure, drawn, end, at_least=at_least)
    figure.update_layout(
        barmode="stack",
        showlegend=False,
        height=150 if marked else 114,
        margin={"l": 12, "r": 16, "t": 44 if marked else 8, "b": 0},
        xaxis={
            "fixedrange": True,
            "range": [0, end * 1.01],
            "tickvals": [0, end / 2, end],
            "ticktext": ["$0", axis_money(end / 2), axis_money(end)],
            "showgrid": False,
            "zeroline": False,
        },
        yaxis={"fixedrange": True, "showticklabels": False},
    )
    return figure


def _equity(figure: "go.Figure", total: float, value: float, *, named: bool) -> None:
    """Draws what the value exceeds the debt by, as an outline."""
    above = money(value - total)
    figure.add_bar(
        x=[value - total],
        y=[""],
        orientation="h",
        marker={"color": "rgba(125,136,148,0.12)", "line": {"color": _EDGE, "width": 0.6}},
        hovertemplate=f"Value above the debt: {above}<extra></extra>",
    )
    if named:
        middle = (total + value) / 2
        figure.add_annotation(
            x=middle, y=0.5, yref="paper", text=f"Equity<br>{above}", showarrow=False
        )


def _mark(figure: "go.Figure", drawn: Sequence[Layer], end: float, *, at_least: bool) -> None:
    """Writes the LTV above the end of each layer."""
    before, high = -1.0, False
    for layer in drawn:
        ltv, reached = layer.ltv.value, (layer.cumulative.value or 0) / end
        if ltv is None:
            continue
        high = reached - before < _CLOSE and not high
        before = reached
        figure.add_annotation(
            x=layer.cumulative.value,
            y=0.9,
            yref="paper",
            ay=-38 if high else -20,
            ax=0,
            text=f"{'≥ ' if at_least else ''}{percent(100 * ltv, 0)} LTV",
            showarrow=True,
            arrowhead=0,
            arrowwidth=1,
            arrowcolor=_EDGE,
            xanchor="right" if reached > 1 - _CLOSE else "center",
        )


def _parties(layer: Layer) -> str:
    served = f"serviced by {layer.servicer}" if layer.servicer else ""
    return ", ".join(party for party in (layer.lender, served) if party) or MISSING


def _named(layer: Layer) -> str:
    kind = words(layer.kind).replace("Cmbs", "CMBS") if layer.kind else ""
    return f"{words(layer.position)}{kind and f' · {kind}'}"
