"""When the loans of a family mature: one mark a loan, which leads to it."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Final, Literal

import streamlit as st

from components.frame import charts, exports, links, loan_names
from components.frame.routes import LOAN
from components.frame.switch import switch
from components.kit import chart, file_name, severity, text, theme
from components.kit.card import card
from components.kit.chart import EDGE, SHAPES
from components.kit.formatting import MISSING, axis_money, count, day, money
from services.contract.facts import FACT
from services.contract.families import FamilyLoan
from services.contract.vocabulary import SEVERITIES

KEY: Final = "family_timeline"
Lanes = Literal["value", "lender"]
LANES: Final[dict[str, str]] = {"value": "By book value", "lender": "By lender"}
#: What the chart and its files are called.
_WHAT: Final = "When its loans mature"
_NONE: Final = "no signal"
#: Columns of its file: what a mark stands at, and what colours it.
_EXPORTED: Final = {
    "loan_number": str, "effective_maturity": date, "book_value": int, "lender_normalized": str,
    "worst": str,
}  # fmt: skip
#: Lenders with a lane of their own, those with most loans; the others share the last.
MOST_LANES: Final = 30
_OTHERS: Final = "other lenders"
_UNNAMED: Final = "no lender named"
_LANE_PIXELS: Final = 22


def panel(head: str, loans: Sequence[FamilyLoan], total: int, today: date, lanes: Lanes) -> None:
    """The timeline of the family of `head`, and what of it is not on it."""
    with card("When its loans mature, by their worst signal", part="maturities"):
        switch("lanes", "Up the page", LANES)
        drawn = dated(loans, lanes)
        called = loan_names.of(one.loan_number for one in drawn)
        if drawn:
            charts.show(
                timeline(drawn, today, lanes, called, dark=theme.dark()),
                on_select=_follow,
                selects=("points",),
                key=KEY,
                what=_WHAT,
                shown=f"family of {head}",
                alt="Timeline: one mark a loan at its maturity, coloured and shaped by its worst "
                "signal; the same loans stand in the table below",
            )
        text.caption(missing(len(drawn), total, lanes))
        if drawn:
            make = partial(export, drawn, head, lanes)
            stem = file_name.stem(_WHAT, f"family of {head}")
            exports.download(make, len(drawn), stem, alone=True)


def dated(loans: Sequence[FamilyLoan], lanes: Lanes) -> list[FamilyLoan]:
    """The loans that have a place on the timeline."""
    return [
        one
        for one in loans
        if one.effective_maturity
        and not one.exemption
        and (lanes == "lender" or (one.book_value or 0) > 0)
    ]


def missing(drawn: int, total: int, lanes: Lanes) -> str:
    """What a mark is, and how many loans have none."""
    said = (
        "The dotted line is the as-of date. Maturity is the anticipated repayment date where there "
        "is one, else maturity as extended."
    )
    if left := total - drawn:
        facts = "maturity" if lanes == "lender" else "maturity or book value"
        said += (
            f" {count(left)} of {count(total)} loans are not on it: nobody refinances them, or no "
            f"{facts} is known."
        )
    return said


def timeline(
    loans: Sequence[FamilyLoan],
    today: date,
    lanes: Lanes,
    called: Mapping[str, str],
    *,
    dark: bool = False,
) -> chart.Chart:
    """One trace a severity, mildest first, so that the worst lies on top."""
    figure = chart.empty()
    lane_of = lanes_of(loans)
    found = {one.worst for one in loans}
    odd = sorted(word for word in found if word and word not in SEVERITIES)
    words = [word for word in (None, *odd, *SEVERITIES) if word in found]
    for word in words:
        some = [one for one in loans if one.worst == word]
        figure.add_scatter(
            name=text.escaped(severity.label(word) if word else _NONE),
            x=[one.effective_maturity for one in some],
            y=[lane_of[one.loan_number] if lanes == "lender" else one.book_value for one in some],
            mode="markers",
            marker={
                "symbol": SHAPES.get(word or "", "circle-open"),
                "size": 12 if word else 9,
                "color": severity.colour(word, dark=dark) if word else EDGE,
                "line": {"color": EDGE, "width": 1},
            },
            customdata=[[one.loan_number, *_hover(one, called)] for one in some],
            hovertemplate="%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
        )
    names = list(dict.fromkeys(lane_of.values()))
    figure.add_vline(x=today.isoformat(), line={"color": EDGE, "width": 1, "dash": "dot"})
    figure.update_layout(
        chart.layout(110 + _LANE_PIXELS * len(names) if lanes == "lender" else 380),
        clickmode="event+select",
        dragmode=False,
        showlegend=True,
        xaxis={"type": "date", "fixedrange": True},
        yaxis=_lanes_axis(names) if lanes == "lender" else _dollars_axis(loans),
    )
    return figure


def export(loans: Sequence[FamilyLoan], head: str, lanes: Lanes) -> exports.Export:
    """The loans that are drawn, by maturity, then number: raw dollars, codes, ISO dates."""
    ordered = sorted(loans, key=lambda one: (str(one.effective_maturity), one.loan_number))
    rows = [{name: getattr(one, name) for name in _EXPORTED} for one in ordered]
    shown = f"{_WHAT}, family of {head}, {LANES[lanes].lower()}"
    return exports.of_rows("loans on a timeline", shown, rows, _EXPORTED, FACT)


def lanes_of(loans: Sequence[FamilyLoan]) -> dict[str, str]:
    """Lane by loan number, lenders of most loans first; names in them are escaped."""
    by_lender: dict[str, list[str]] = {}
    for one in loans:
        by_lender.setdefault(one.lender_normalized or _UNNAMED, []).append(one.loan_number)
    ordered = sorted(by_lender, key=lambda name: (-len(by_lender[name]), name))
    lanes: dict[str, str] = {}
    for at, name in enumerate(ordered):
        shared = at >= MOST_LANES - 1 and len(ordered) > MOST_LANES
        lanes |= dict.fromkeys(by_lender[name], _OTHERS if shared else text.escaped(name))
    return lanes


def _lanes_axis(names: list[str]) -> dict[str, Any]:
    return {
        "type": "category",
        "fixedrange": True,
        "categoryorder": "array",
        "categoryarray": names[::-1],
        "automargin": True,
        "tickfont": {"size": 11},
    }


def _dollars_axis(loans: Sequence[FamilyLoan]) -> dict[str, Any]:
    """Dollars by powers of ten, for one loan may be a thousand times another."""
    largest = max(one.book_value or 1 for one in loans)
    ticks = [step * 10**power for power in range(3, 13) for step in (1, 3)]
    ticks = [tick for tick in ticks if tick <= 3 * largest]
    return {
        "type": "log",
        "fixedrange": True,
        "tickvals": ticks,
        "ticktext": [axis_money(tick) for tick in ticks],
    }


def _hover(one: FamilyLoan, called: Mapping[str, str]) -> tuple[str, str]:
    named = f"{loan_names.beside(one.loan_number, called)}, {one.lender_normalized or MISSING}"
    facts = (money(one.book_value), day(one.effective_maturity), severity.label(one.worst))
    return text.escaped(named), text.escaped(" · ".join(facts))


def _follow() -> None:
    for point in st.session_state[KEY]["selection"]["points"]:
        if isinstance(number := _number(point.get("customdata")), str):
            links.open_record(LOAN, number)


def _number(data: object) -> object:
    """The loan number among what a mark carries: a list, or a mapping by place."""
    if isinstance(data, dict):
        return data.get("0")
    return data[0] if isinstance(data, list) and data else None
