"""Headline figures: bordered metrics, each with a second line that says of what."""

from collections.abc import Sequence

import streamlit as st

from components.frame.linked_figure import linked_figure
from components.frame.routes import LOANS
from components.kit import text
from components.kit.figure import Figure
from components.kit.formatting import basis_points, count, day, held, money, percent, share
from components.loans import horizons, spreads
from components.overview.severity_mix import chains
from services.contract.aggregates import Totals, WorstSeverity
from services.contract.disposition import ENDINGS
from services.contract.maturities import LeftOut
from services.contract.snapshot_info import Snapshot


def book(
    totals: Totals,
    left: Sequence[LeftOut],
    snapshot: Snapshot,
    severities: Sequence[WorstSeverity],
) -> None:
    """The headline of the whole book, and what its maturities leave out."""
    whole = totals.book.book_value
    cells = st.columns(5, gap="small")
    with cells[0]:
        shown = Figure("Book value", money(whole), _counted(totals))
        linked_figure(shown, "book", LOANS, {"order": "-book_value"})
    with cells[1]:
        due = totals.matures_12_months
        shown = Figure(
            "Matures in 12 months",
            share(due.book_value, whole),
            f"{money(due.book_value)} · {count(due.loans)} loans",
            f"From {day(totals.as_of)}. {horizons.BASIS} Loans past maturity are counted apart: "
            f"{count(totals.past_maturity.loans)} ({money(totals.past_maturity.book_value)})."
            f"{_fell_due(totals)}",
        )
        _due(shown, 12)
    with cells[2]:
        due = totals.matures_24_months
        shown = Figure(
            "Matures in 24 months",
            share(due.book_value, whole),
            f"{money(due.book_value)} · {count(due.loans)} loans",
        )
        _due(shown, 24)
    with cells[3]:
        coupon, refi = totals.weighted_coupon, totals.weighted_refi_rate
        gap = basis_points(100 * (refi - coupon)) if coupon and refi else "—"
        shown = Figure(
            "Weighted coupon",
            percent(coupon),
            f"refi {percent(refi)} · {gap}",
            "Weighted by book value. The refinancing rate is the reference rate of the loan's "
            f"tenor plus the spread of its property type; reference rates of {rates(snapshot)}.",
        )
        linked_figure(shown, "coupon", LOANS, {"order": "-rate_gap_bp", "columns": "refinance"})
    with cells[4]:
        linked_figure(
            _critical(totals, chains=chains(severities)),
            "critical",
            LOANS,
            {"severity": "critical", "order": "-book_value"},
        )
    said = (horizons.left_out(left), spreads.of_all(snapshot.spreads))
    if any(said):
        text.caption(" ".join(one for one in said if one))


def _counted(totals: Totals) -> str:
    ended = sum(one.loans for one in totals.dispositions if one.disposition in ENDINGS)
    said = held(totals.book.loans, totals.notes)
    return f"{said}, {count(ended)} of them ended" if ended else said


def _fell_due(totals: Totals) -> str:
    gone = totals.fell_due
    if not gone.loans:
        return ""
    return (
        f" {count(gone.loans)} more ({money(gone.book_value)}) fell due after the date of their "
        "own source, which does not say what became of them."
    )


def _critical(totals: Totals, *, chains: bool) -> Figure:
    """Confirmed is said only where the sources know who owns a loan."""
    told = "'confirmed' is the part of their book value on a confirmed ownership chain."
    sure = share(totals.critical_confirmed.book_value, totals.critical.book_value)
    return Figure(
        "Critical loans",
        count(totals.critical.loans),
        f"{money(totals.critical.book_value)} · {sure} confirmed"
        if chains
        else money(totals.critical.book_value),
        f"With {count(totals.critical_signals)} critical signals{f'; {told}' if chains else '.'}",
    )


def _due(figure: Figure, months: int) -> None:
    """To the loans that mature within so many months."""
    params = {"matures_within": str(months), "order": "effective_maturity"}
    linked_figure(figure, f"due-{months}", LOANS, params)


def rates(snapshot: Snapshot) -> str:
    """The days of the reference rates used, in words."""
    days = sorted({rate.day for rate in snapshot.rates})
    return ", ".join(day(one) for one in days) or "no date"
