"""Share of loans that are severe or worse, by vintage and property type."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from components.explore.view import ExploreView
from components.frame import charts, exports, session, states
from components.kit import chart, file_name, tables, text, theme
from components.kit.card import card, opening
from components.kit.formatting import MISSING, count, share, words
from components.kit.text import escaped
from services.contract.distributions import FEW, Distributions, SeverityCell

_LANE: Final = 38
_WHAT: Final = "Share severe or critical, by vintage and property type"
_NO_YEAR: Final = "no date"
_FEW_COLOUR: Final = "rgba(125, 136, 148, 0.18)"


def panel(asked: ExploreView, sentence: str) -> None:
    """The heat map, and the same as a table."""
    found = session.ask(Distributions.severe_shares, asked.filter())
    with card(f"{_WHAT}: {sentence}", level=2):
        if not found:
            states.nothing("No loans.")
            return
        charts.show(
            drawn(found, dark=theme.dark()),
            key="vintages",
            what=_WHAT,
            shown=sentence,
            alt="Share of loans with a severe or critical signal by year of origination and "
            "property type; the same figures stand in the table below",
        )
        text.caption(
            f"In each cell the share of its loans and, below it, how many loans there are. Cells "
            f"of under {FEW} loans are grey and say how many of how many: one loan would decide "
            "their share."
        )
        opening("The same as a table", "vintages as table", partial(_table, found))
        made = partial(export, found, f"{_WHAT}: {sentence}")
        exports.download(made, len(found), file_name.stem(_WHAT, sentence))


def _year(one: SeverityCell) -> str:
    return _NO_YEAR if one.vintage is None else str(one.vintage)


def _kind(one: SeverityCell) -> str:
    return "Not known" if one.property_type is None else words(one.property_type)


def drawn(found: Sequence[SeverityCell], *, dark: bool = False) -> chart.Chart:
    """Years from left to right, types of most loans first; cells of few loans have no colour."""
    years, kinds = list(dict.fromkeys(map(_year, found))), _kinds(found)
    place = {(_year(one), _kind(one)): one for one in found}
    grid = [[place.get((year, kind)) for year in years] for kind in kinds]
    many = [[one if one and one.loans >= FEW else None for one in row] for row in grid]
    figure = chart.empty()
    figure.add_heatmap(
        x=years,
        y=[escaped(kind) for kind in kinds],
        z=[[1 if one and one.loans < FEW else None for one in row] for row in grid],
        text=[[_few(one) for one in row] for row in grid],
        texttemplate="%{text}",
        colorscale=[(0, _FEW_COLOUR), (1, _FEW_COLOUR)],
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate="%{y}, %{x}: %{text}, too few for a share<extra></extra>",
    )
    shares = [[100 * one.severe / one.loans if one else None for one in row] for row in many]
    figure.add_heatmap(
        x=years,
        y=[escaped(kind) for kind in kinds],
        z=shares,
        zmin=0,
        zmax=max((part for row in shares for part in row if part is not None), default=0) or 1,
        text=[[_many(one) for one in row] for row in many],
        texttemplate="%{text}",
        colorscale=chart.scale(dark=dark),
        colorbar={"title": {"text": "Severe or<br>critical"}, "ticksuffix": "%", "thickness": 12},
        xgap=2,
        ygap=2,
        hovertemplate="%{y}, %{x}: %{text}<extra></extra>",
    )
    figure.update_layout(
        chart.layout(70 + _LANE * len(kinds)),
        xaxis={
            "type": "category", "categoryorder": "array", "categoryarray": years, "tickangle": 0,
            "fixedrange": True, "showgrid": False,
        },
        yaxis={"autorange": "reversed", "fixedrange": True, "automargin": True, "showgrid": False},
    )  # fmt: skip
    return figure


def _few(one: SeverityCell | None) -> str:
    return f"{one.severe} of {one.loans}" if one and one.loans < FEW else ""


def _many(one: SeverityCell | None) -> str:
    return f"{share(one.severe, one.loans)}<br>{count(one.loans)}" if one else ""


def _kinds(found: Sequence[SeverityCell]) -> list[str]:
    loans: dict[str, int] = {}
    for one in found:
        loans[_kind(one)] = loans.get(_kind(one), 0) + one.loans
    return sorted(loans, key=lambda kind: (-loans[kind], kind))


def _table(found: Sequence[SeverityCell]) -> None:
    tables.plain(
        [
            {
                "Vintage": _year(one),
                "Property type": _kind(one),
                "Loans": count(one.loans),
                "Severe or critical": count(one.severe),
                "Share": share(one.severe, one.loans) if one.loans >= FEW else f"{MISSING} few",
            }
            for one in found
        ],
        "Severe loans by vintage and property type",
        figures=("Loans", "Severe or critical", "Share"),
        scrolls=True,
    )


def export(found: Sequence[SeverityCell], said: str) -> exports.Export:
    """Every cell."""
    rows = [{**dict(one), "severe_or_critical": one.severe} for one in found]
    kinds = {"vintage": int, "property_type": str, "loans": int, "severe_or_critical": int,
             "book_value": int}  # fmt: skip
    return exports.of_rows("loans by vintage and type", said, rows, kinds)
