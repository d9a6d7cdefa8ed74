"""The capital stack as one bar by layer, with the LTV up to each, and the same as a table."""

from collections.abc import Sequence
from typing import Any, Final

import streamlit as st

from components.frame import states
from components.kit import tables, text
from components.kit.asset import asset
from components.kit.card import card
from components.kit.formatting import MISSING, axis_money, dollars, money, percent, words
from services.contract.loan_figures import (
    NOTES_AFTER,
    NOTES_BEFORE,
    OTHER_NOTES,
    Layer,
    LoanFigures,
)

HTML: Final = asset("stack.html")
CSS: Final = asset("stack.css")
JS: Final = asset("stack.js")
_draw: Final = st.components.v2.component(
    "atlas_stack", html=HTML, css=CSS, js=JS, isolate_styles=False
)
#: Fill and the colour of text upon it.
_COLOURS: Final = {
    "senior": ("#1f5fa8", "#ffffff"),
    OTHER_NOTES: ("#7fb0e3", "#10171f"),
    NOTES_BEFORE: ("#1f5fa8", "#ffffff"),
    NOTES_AFTER: ("#7fb0e3", "#10171f"),
    "junior note": ("#7fb0e3", "#10171f"),
    "mezzanine": ("#e69f00", "#10171f"),
    "preferred": ("#b0518f", "#ffffff"),
}
_OTHER: Final = ("#6b7785", "#ffffff")
#: Marks closer than this part of the bar would overlap: the second one stands higher.
_CLOSE: Final = 0.10
#: Narrower segments bear no words of their own; the table has them.
_NARROW: Final = 0.09


def panel(figures: LoanFigures) -> None:
    """Bar and table of the layers, paid first to last; nothing of a loan that has ended."""
    if figures.ended:
        return
    layers, released = figures.stack, "defeased" in figures.exempt
    value = None if released else figures.income.value
    with card("Capital stack by layer", part="stack"):
        if not layers:
            states.nothing("The source gives no debt layers for this loan.")
            return
        least = figures.debt.at_least
        if any(layer.cumulative.value for layer in layers):  # else no layer's end is known
            _draw(key="stack_chart", data=bar(layers, value, at_least=least))
        tables.sheet(rows(layers, at_least=least), "Capital stack", prose=("Lender",))
        combined = figures.debt.ltv.value
        if len(layers) > 1 and combined is not None:
            bound = "≥ " if least else ""
            text.caption(f"Combined LTV of the debt due: {bound}{percent(100 * combined, 1)}.")
        if figures.debt.part:
            how = "the debt service filed" if figures.debt.by_service else "underwriting"
            size = "at least as large" if least else "as large"
            text.caption(
                f"The rest of the whole loan is {size} as {how} implies. Notes of one rank are "
                "paid together and have one LTV."
            )


def rows(layers: Sequence[Layer], *, at_least: bool = False) -> list[dict[str, str]]:
    """One row a layer."""
    bound = "≥ " if at_least else ""
    return [
        {
            "Layer": _named(layer),
            "Amount": dollars(layer.amount),
            "Rate": percent(layer.rate),
            "LTV to its rank": layer.ltv.written(lambda part: f"{bound}{percent(100 * part, 1)}"),
            "Lender": _parties(layer),
        }
        for layer in layers
    ]


def bar(layers: Sequence[Layer], value: float | None, *, at_least: bool = False) -> dict[str, Any]:
    """What the browser is sent: segments up to the last layer whose end is known, then the equity
    above it; marks of LTV; the words of the axis. Places are parts of the whole bar.
    """
    drawn = [layer for layer in layers if layer.cumulative.value is not None]
    total = drawn[-1].cumulative.value or 0
    end = max(total, value or 0)
    segments = []
    for layer in drawn:
        fill, ink = _COLOURS.get(layer.position, _OTHER)
        amount = layer.amount or 0
        named = _segment(_named(layer), words(layer.position), amount, end)
        segments.append({**named, "fill": fill, "ink": ink})
    if value is not None and value > total:
        equity = _segment("Value above the debt", "Equity", value - total, end)
        if at_least:  # what further debt leaves of it is less
            bounded = f"≤ {money(value - total)}"
            equity["words"] = equity["words"] and ["Equity", bounded]
            equity["said"] = f"Value above the debt: {bounded}"
        segments.append(equity)
    return {
        "caption": "Capital stack: one bar, a segment a layer, marked with the LTV up to each "
        "layer; the same figures stand in the table below",
        "segments": segments,
        "marks": _marks(drawn, end, at_least=at_least),
        "axis": ["$0", axis_money(end / 2), axis_money(end)],
    }


def _segment(said: str, name: str, amount: float, end: float) -> dict[str, Any]:
    wide = amount / end >= _NARROW
    return {
        "part": amount / end,
        "words": [text.line(name), money(amount)] if wide else [],
        "said": f"{text.line(said)}: {money(amount)}",
    }


def _marks(drawn: Sequence[Layer], end: float, *, at_least: bool) -> list[dict[str, Any]]:
    """The LTV up to the end of each layer, and where it stands."""
    found: list[dict[str, Any]] = []
    before, high = -1.0, False
    for layer, following in zip(drawn, [*drawn[1:], None], strict=True):
        if following is not None and following.cumulative == layer.cumulative:
            continue
        ltv, reached = layer.ltv.value, (layer.cumulative.value or 0) / end
        if ltv is None:
            continue
        high = reached - before < _CLOSE and not high
        before = reached
        found.append(
            {
                "at": reached,
                "text": f"{'≥ ' if at_least else ''}{percent(100 * ltv, 0)} LTV",
                "high": high,
                "last": reached > 1 - _CLOSE,
            }
        )
    return found


def _parties(layer: Layer) -> str:
    served = f"serviced by {layer.servicer}" if layer.servicer else ""
    return ", ".join(party for party in (layer.lender, served) if party) or MISSING


def _named(layer: Layer) -> str:
    kind = words(layer.kind).replace("Cmbs", "CMBS") if layer.kind else ""
    return f"{words(layer.position)}{kind and f' · {kind}'}"
