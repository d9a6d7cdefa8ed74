"""Trends: how the book fared, month by month, once the panel is opened."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

import streamlit as st

from components.frame import charts, exports, scope, session, states
from components.frame.switch import switch
from components.kit import file_name, text, theme
from components.kit.chart import Chart
from components.kit.formatting import count
from components.overview import rolls, trend_charts, trend_lines, trend_table
from components.overview.trend_lines import LATE, PARTS, SEVERE, Line
from components.overview.view import OverviewView
from services.contract.distributions import FEW
from services.contract.history import Histories, TrendQuery, Trends

_BY: Final = {
    "all": "All loans", "property_type": "By property type", "vintage": "By vintage",
}  # fmt: skip
_UNITS: Final = {"dollars": "Dollars", "loans": "Loans"}
_LATE: Final = {days: f"{days}+ days" for days in LATE}
#: Deals that a caption names.
_NAMED: Final = 3
_FORMS: Final = {"charts": "Charts", "table": "Table"}
_MEANING: Final = (
    "Of the loans that owe something in each month. Delinquent is 30 days late or more by payment "
    "status; a matured balloon that does not pay, foreclosure, REO and deed in lieu count as 90+ "
    "days, a matured balloon that still pays as current. Signals as scored at the rates of their "
    "date."
)


def panel(view: OverviewView) -> None:
    """Charts or a table of the months, and roll rates."""
    within = scope.chosen()
    found = session.ask(Histories.trends, TrendQuery(by=view.by, scope=within))
    of = f", within {within.name}" if within else ""
    shown = f"{_BY[view.by]}, in {_UNITS[view.unit].lower()}{of}"
    with st.container(horizontal=True, vertical_alignment="center"):
        switch("by", "Lines", _BY)
        switch("unit", "Shares of", _UNITS)
        if view.by != "all" and view.form == "charts":
            switch("late", "Delinquent", _LATE)
        switch("form", "As", _FORMS)
        made = partial(trend_table.export, found, view.by, shown)
        exports.download(made, len(found.points), file_name.stem("Trends", shown), alone=True)
    if view.form == "table":
        trend_table.table(found, view.by, view.unit)
    else:
        _charts(view, found, shown)
    text.caption(f"{_MEANING} Under {FEW} loans no share is drawn; the table says their counts.")
    if few := _of_fewer_deals(found):
        text.caption(few)
    if changed := found.rules_versions[1:]:
        months = ", ".join(f"{month:%b %Y}" for month, _ in changed)
        text.caption(
            f"Other rules, limits or spreads score from {months} on (dashed line): signals before "
            "and after do not compare."
        )
    _rolls(view, found)


def _of_fewer_deals(found: Trends) -> str:
    """Which of the last months lacks a deal, and which deals; the table has every month."""
    lacking = [one for one in found.deals if one.missing]
    if not lacking:
        return ""
    last = lacking[-1]
    said = f"{last.month:%b %Y} has {trend_table.deals_of(last)} deals, without "
    said += ", ".join(last.missing[:_NAMED])
    if more := len(last.missing) - _NAMED:
        said += f" and {count(more)} more" if more > 0 else ""
    others = f"; {count(len(lacking) - 1)} more months lack some" if lacking[1:] else ""
    return f"{said}{others}: see the table."


def _charts(view: OverviewView, found: Trends, shown: str) -> None:
    changed = [month for month, _ in found.rules_versions[1:]]
    groups = trend_lines.grouped(found.points, view.by)
    drawn = trend_lines.drawn(groups)

    def shares(part: str) -> list[Line]:
        return [trend_lines.part_line(name, one, part, view.unit) for name, one in drawn.items()]

    def figures(name: str) -> list[Line]:
        return [trend_lines.figure_line(word, one, name) for word, one in drawn.items()]

    left, right = st.columns(2, gap="small")
    if view.by == "all":
        late = [
            trend_lines.part_line(PARTS[part], found.points, part, view.unit)
            for part in (*LATE.values(), "special")
        ]
        with left:
            _chart(late, "Delinquency and special servicing", shown)
        with right:
            drawing = trend_charts.mix(found.points, view.unit, changed=changed, dark=theme.dark())
            _show(drawing, "Worst signal of each loan", shown)
    else:
        with left:
            _chart(shares(LATE[view.late]), PARTS[LATE[view.late]], shown)
            _chart(shares(SEVERE), PARTS[SEVERE], shown, changed=changed)
        with right:
            _chart(shares("special"), PARTS["special"], shown)
            loans = [trend_lines.loans_line(name, one) for name, one in drawn.items()]
            _chart(loans, "Loans that owe something", shown, suffix="")
    left, right = st.columns(2, gap="small")
    with left:
        _chart(figures("dscr"), "DSCR, weighted by balance", shown, suffix="x", zero=False)
    with right:
        _chart(figures("occupancy"), "Occupancy, weighted by balance", shown, zero=False)
    _left_out(shares("special"), [name for name in groups if name not in drawn])


def _chart(
    found: Sequence[Line],
    what: str,
    shown: str,
    *,
    suffix: str = "%",
    zero: bool = True,
    changed: Sequence[date] = (),
) -> None:
    _show(trend_charts.lines(found, suffix, changed=changed, zero=zero), what, shown)


def _show(figure: Chart, what: str, shown: str) -> None:
    text.heading(what, level=3)
    charts.show(
        figure,
        key=f"trend of {what}",
        what=what,
        shown=shown,
        alt=f"{what} by month; the same figures stand in the table",
    )


def _left_out(found: Sequence[Line], others: Sequence[str]) -> None:
    """What the lines lack: months of few loans; groups of few loans, or beyond the largest."""
    few = [f"{one.name} ({count(one.few)})" for one in found if one.few]
    if few:
        text.caption(f"Months of under {FEW} loans, not drawn: {', '.join(few)}.")
    if others:
        text.caption(f"Smaller groups, in the table alone: {', '.join(others)}.")


def _rolls(view: OverviewView, found: Trends) -> None:
    if not found.rolls:
        return
    newest = found.points[-1].month
    chosen = rolls.within(found.rolls, newest, view.window)
    text.heading("Roll rates, from one filing to the next", level=3)
    with st.container(horizontal=True, vertical_alignment="center"):
        switch("window", "Of the last", rolls.WINDOWS)
        with st.container(horizontal=True, horizontal_alignment="right"):
            if not chosen:
                states.nothing("No source has two filings in a row that reach into these months.")
                return
            shown = f"{rolls.WINDOWS[view.window]} up to {newest:%b %Y}"
            made = partial(rolls.export, chosen, shown)
            exports.download(made, len(chosen), file_name.stem("Roll rates", shown))
    rolls.table(chosen, view.unit)
    text.caption(
        "Of all loans that a filing and the next one of its source have, each row by itself. "
        "'Current' includes matured balloons that still pay; 'Default' is a matured balloon that "
        "does not, foreclosure, REO or deed in lieu; 'Ended' owes nothing any more. A loan-month "
        "is a loan in one filing."
    )
