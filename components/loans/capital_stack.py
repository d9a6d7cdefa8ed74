"""The capital stack as one bar by layer, with the LTV up to each, and the same as a table."""

from collections.abc import Iterator, Sequence
from typing import Final

from components.frame import states
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import MISSING, axis_money, dollars, money, percent, words
from components.kit.text import Markup, element
from services.contract.loan_figures import (
    ADVANCES,
    NOTES_AFTER,
    NOTES_BEFORE,
    OTHER_NOTES,
    Layer,
    LoanFigures,
)

#: Fill and the colour of text upon it.
_COLOURS: Final = {
    ADVANCES: ("#6b7785", "#ffffff"),
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
#: A mark nearer to the beginning of the bar would be cut.
_EDGE: Final = 0.05
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
            text.show(bar(layers, value, at_least=least))
        tables.sheet(rows(layers, at_least=least), "Capital stack", prose=("Lender",))
        for said in remarks(figures):
            text.caption(said)


def remarks(figures: LoanFigures) -> list[str]:
    """The LTV of all layers, what advances are, and how large the rest of a larger loan is."""
    debt, said = figures.debt, []
    notes = [layer for layer in figures.stack if layer.position != ADVANCES]
    if len(notes) > 1 and debt.ltv.value is not None:
        bound = "≥ " if debt.at_least else ""
        said.append(f"Combined LTV of the debt due: {bound}{percent(100 * debt.ltv.value, 1)}.")
    if len(notes) < len(figures.stack):
        of = "on all notes of the loan" if debt.part else "filed"
        said.append(
            f"Advances: those {of}, less the principal that they have paid, which is in the "
            "balance. They are repaid first."
        )
    if debt.part:
        how = "the debt service filed" if debt.by_service else "underwriting"
        size = "at least as large" if debt.at_least else "as large"
        rest = f"{size} as {how} implies" if debt.whole.value else "not known"
        said.append(
            f"The rest of the whole loan is {rest}. Notes of one rank are paid together and have "
            "one LTV."
        )
    return said


def rows(layers: Sequence[Layer], *, at_least: bool = False) -> list[dict[str, str]]:
    """One row a layer."""
    bound = "≥ " if at_least else ""
    return [
        {
            "Layer": named(layer),
            "Amount": dollars(layer.amount),
            "Rate": percent(layer.rate),
            "LTV to its rank": layer.ltv.written(lambda part: f"{bound}{percent(100 * part, 1)}"),
            "Lender": _parties(layer),
        }
        for layer in layers
    ]


def bar(layers: Sequence[Layer], value: float | None, *, at_least: bool = False) -> Markup:
    """Segments up to the last layer whose end is known, each with the LTV up to it, then the equity
    above it; the words of the axis.
    """
    drawn = [layer for layer in layers if layer.cumulative.value is not None]
    total = drawn[-1].cumulative.value or 0
    end = max(total, value or 0)
    segments = []
    for layer, mark in zip(drawn, _marks(drawn, end, at_least=at_least), strict=True):
        fill, ink = _COLOURS.get(layer.position, _OTHER)
        amount, called = layer.amount or 0, (named(layer), words(layer.position))
        look = {"style": f"--fill: {fill}; --ink: {ink}"}
        segments.append(_segment(called, money(amount), amount / end, mark, look))
    if value is not None and value > total:
        left = f"{'≤ ' if at_least else ''}{money(value - total)}"  # further debt leaves less of it
        called, look = ("Value above the debt", "Equity"), {"class_": "equity"}
        segments.append(_segment(called, left, (value - total) / end, "", look))
    axis = (element("span", one) for one in ("$0", axis_money(end / 2), axis_money(end)))
    return element(
        "div",
        element("div", *segments, class_="segments"),
        element("div", *axis, class_="axis"),
        class_="atlas-stack",
        role="img",
        aria_label="Capital stack: one bar, a segment a layer, marked with the LTV up to each "
        "layer; the same figures stand in the table below",
    )


def _segment(
    called: tuple[str, str], amount: str, part: float, mark: str, look: dict[str, str]
) -> Markup:
    """A part of the whole bar: its name in full and in short, and the mark at its end."""
    said, name = called
    inner = [element("span", one) for one in (name, amount)] if part >= _NARROW else []
    body = element("p", *inner, title=f"{said}: {amount}", **look)
    return element("div", mark, body, style=text.shares(part=part))


def _marks(drawn: Sequence[Layer], end: float, *, at_least: bool) -> Iterator[str]:
    """The LTV up to the end of each layer; nothing within a rank, and where it is not known."""
    before, high = -1.0, False
    for layer, following in zip(drawn, [*drawn[1:], None], strict=True):
        ltv, reached = layer.ltv.value, (layer.cumulative.value or 0) / end
        within = following is not None and following.cumulative == layer.cumulative
        if within or ltv is None or reached < _EDGE:
            yield ""
            continue
        high = reached - before < _CLOSE and not high
        before = reached
        said = f"{'≥ ' if at_least else ''}{percent(100 * ltv, 0)} LTV"
        places = f"mark{' high' * high}{' last' * (reached > 1 - _CLOSE)}"
        yield element("span", element("span", said), class_=places)


def _parties(layer: Layer) -> str:
    served = f"serviced by {layer.servicer}" if layer.servicer else ""
    return ", ".join(party for party in (layer.lender, served) if party) or MISSING


def named(layer: Layer, between: str = " · ") -> str:
    """The rank of a layer and the kind of its lender."""
    kind = words(layer.kind).replace("Cmbs", "CMBS") if layer.kind else ""
    return f"{words(layer.position)}{kind and f'{between}{kind}'}"
