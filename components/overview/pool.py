"""The Overview of a pool: its name, its state in one sentence, five means and their spreads; the
loans to read first, what it is made up of, where it lies.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from components.frame import loan_names, scope, session
from components.frame.linked_figure import linked_figure
from components.frame.routes import LOANS, OVERVIEW
from components.kit import text
from components.kit.figure import Figure
from components.kit.formatting import loan_count, money, multiple, percent
from components.kit.text import element
from components.loans import totals as loan_totals
from components.overview import (
    headline,
    hero,
    largest,
    severity_mix,
    spread,
    stratification,
    wall,
    worst,
)
from components.overview.reads import Overview
from components.overview.stratification import BALANCE, COUPON, DEBT_YIELD, DSCR, LTV, Strat
from components.platform.types import DeltaGenerator
from services.contract.aggregates import FoundLoan, FoundTotals, WorstSeverity
from services.contract.loan_filter import LoanFilter
from services.contract.properties import Properties, PropertyFilter
from services.contract.rounding import number_of
from services.contract.vocabulary import SEVERE_OR_WORSE


def title() -> str:
    """The name of the deal where nothing else is loaded; else that of the page."""
    if scope.chosen() is not None or not session.mirrored():
        return OVERVIEW.title
    snapshot = session.analytics().snapshot()
    loaded = [one.title for one in snapshot.sources if one.loans]
    is_deal = len(loaded) == 1 and not snapshot.synthetic
    return loaded[0] if is_deal and stratification.is_pool(snapshot.loans) else OVERVIEW.title


def begin(of: Overview) -> DeltaGenerator:
    """How large it is and its worst loan, which a link opens; when it matures, what is
    short then. Returns the place of what stands beside it.
    """
    first = next(iter(of.worst.items), None)
    names = loan_names.of([first.loan_number]) if first else {}
    text.show(element("p", _said(of, first, names), class_="atlas-hero"))
    beside = st.container(horizontal=True, vertical_alignment="center", gap="small")
    with beside:
        due = wall.in_one(of.buckets, of.totals) or hero.maturing(of.totals, of.found.by_horizon)
        text.caption(f"{due} {_short(of.found)}", width="content")
        if first:
            hero.worst_loan(first.loan_number)
    return beside


def panels(of: Overview) -> None:
    """What it is made up of, the loans to read first, the largest, where its properties are."""
    severity_mix.panel(of.severities)
    worst.of_pool(of.worst, of.totals.as_of)
    stratification.panel()
    largest.panel(of.totals.as_of)
    wall.panel(of.buckets, of.totals)


def _said(of: Overview, first: FoundLoan | None, names: Mapping[str, str]) -> str:
    within = PropertyFilter(scope=scope.chosen())
    properties = session.ask(Properties.property_totals, within).properties
    whole = [loan_count(of.totals.book.loans, of.totals.notes), money(of.totals.book.book_value)]
    if properties > of.totals.book.loans:
        whole.append(number_of(properties, "property", "properties"))
    return f"{', '.join(whole)}; {worst_of(of.severities, first, names)}."


def worst_of(
    severities: Sequence[WorstSeverity], first: FoundLoan | None, names: Mapping[str, str]
) -> str:
    """How many loans have the worst signal there is, from severe up, and the first of them."""
    bad = next((one for one in severities if one.severity in SEVERE_OR_WORSE), None)
    if bad is None or first is None:
        return "none is severe or critical"
    number = first.loan_number
    said = [names.get(number, number), money(first.values.get("book_value"))]
    if short := first.values.get("dollars_short"):
        said.append(f"{money(short)} short at refinance")
    are = f"one is {bad.severity}:" if bad.loans == 1 else f"{bad.loans} are {bad.severity}, first"
    return f"{are} {', '.join(said)}"


def _short(found: FoundTotals) -> str:
    if not found.short_loans:
        return "At today's refi rates no loan is short."
    are = "is" if found.short_loans == 1 else "are"
    short = money(found.dollars_short)
    return f"At today's refi rates {loan_count(found.short_loans)} {are} short, {short} in all."


def figures(of: Overview) -> None:
    """Balance, coupon, DSCR, LTV and debt yield; each leads to the loans by it."""
    within = LoanFilter(scope=scope.chosen())
    dscr, ltv, debt_yield = (
        loan_totals.dscr(of.found), loan_totals.ltv(of.found), loan_totals.debt_yield(of.found),
    )  # fmt: skip
    listed: tuple[tuple[Figure, Strat, Callable[[float], str]], ...] = (
        (headline.whole(of.totals), BALANCE, money),
        (headline.coupon(of.totals, of.snapshot), COUPON, percent),
        (spread.beyond(within, dscr, DSCR, 1.0), DSCR, multiple),
        (spread.beyond(within, ltv, LTV, 0.7), LTV, lambda part: percent(100 * part, 0)),
        (
            spread.beyond(within, debt_yield, DEBT_YIELD, 7.0),
            DEBT_YIELD,
            lambda one: percent(one, 1),
        ),
    )
    with st.container(horizontal=True, gap="small", key="pool-figures"):
        for figure, strat, write in listed:
            drawn = replace(figure, spread=spread.spread(within, strat.column, write))
            order = strat.column if strat.low_is_bad else f"-{strat.column}"
            linked_figure(drawn, strat.filter, LOANS, {"order": order})
    headline.left_out(of.found, of.snapshot)
