"""Headline figures of a book: cards that open what they count, each with what it is of."""

from collections.abc import Sequence

import streamlit as st

from components.frame.linked_figure import linked_figure
from components.frame.routes import LOANS
from components.kit import text
from components.kit.figure import Figure
from components.kit.formatting import basis_points, count, day, loan_count, money, percent, share
from components.loans import horizons, spreads
from components.overview.severity_mix import chains
from services.contract.aggregates import FoundTotals, Totals, WorstSeverity
from services.contract.disposition import ENDINGS
from services.contract.snapshot_info import Snapshot


def book(
    totals: Totals,
    found: FoundTotals,
    snapshot: Snapshot,
    severities: Sequence[WorstSeverity],
) -> None:
    """The headline of the whole book, and what its maturities leave out."""
    worst = _critical(totals, chains=chains(severities))
    listed = (
        ("book", whole(totals), {"order": "-book_value"}),
        *_maturing(totals),
        ("coupon", coupon(totals, snapshot), {"order": "-rate_gap_bp", "columns": "refinance"}),
        ("critical", worst, {"severity": "critical", "order": "-book_value"}),
    )
    cells = st.columns(len(listed), gap="small")
    for cell, (key, figure, params) in zip(cells, listed, strict=True):
        with cell:
            linked_figure(figure, key, LOANS, params)
    left_out(found, snapshot)


def left_out(found: FoundTotals, snapshot: Snapshot) -> None:
    """What no maturity counts, and how old the spreads are that refi rates rest on."""
    said = (horizons.left_out(found.left_out), spreads.of_all(snapshot.spreads))
    if any(said):
        text.caption(" ".join(one for one in said if one))


#: Key of a card, its figure, and the parameters of the loans that it counts.
Led = tuple[str, Figure, dict[str, str]]


def _maturing(totals: Totals) -> tuple[Led, ...]:
    book_value, soon, later = (
        totals.book.book_value, totals.matures_12_months, totals.matures_24_months,
    )  # fmt: skip
    return (
        (
            "due-12",
            Figure(
                "Matures in 12 months",
                share(soon.book_value, book_value),
                f"{money(soon.book_value)} · {loan_count(soon.loans)}",
                f"From {day(totals.as_of)}. {horizons.BASIS} Loans past maturity are counted "
                f"apart: {count(totals.past_maturity.loans)} "
                f"({money(totals.past_maturity.book_value)}).{_fell_due(totals)}",
            ),
            _due(12),
        ),
        (
            "due-24",
            Figure(
                "Matures in 24 months",
                share(later.book_value, book_value),
                f"{money(later.book_value)} · {loan_count(later.loans)}",
            ),
            _due(24),
        ),
    )


def whole(totals: Totals) -> Figure:
    """Book value, and how many loans it is of."""
    ended = sum(one.loans for one in totals.dispositions if one.disposition in ENDINGS)
    said = loan_count(totals.book.loans, totals.notes)
    said = f"{said}, {count(ended)} of them ended" if ended else said
    return Figure("Book value", money(totals.book.book_value), said)


def coupon(totals: Totals, snapshot: Snapshot) -> Figure:
    """The weighted coupon, and the refi rate that stands against it."""
    mean, refi = totals.weighted_coupon, totals.weighted_refi_rate
    gap = basis_points(100 * (refi - mean)) if mean and refi else "—"
    return Figure(
        "Weighted coupon",
        percent(mean),
        f"refi {percent(refi)} · {gap}",
        "Weighted by book value. The refinancing rate is the reference rate of the loan's "
        f"tenor plus the spread of its property type; reference rates of {rates(snapshot)}.",
    )


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


def _due(months: int) -> dict[str, str]:
    """Parameters of the loans that mature within so many months."""
    return {"matures_within": str(months), "order": "effective_maturity"}


def rates(snapshot: Snapshot) -> str:
    """The days of the reference rates used, in words."""
    days = sorted({rate.day for rate in snapshot.rates})
    return ", ".join(day(one) for one in days) or "no date"
