"""Headline figures: bordered metrics, each with a second line that says of what."""

import streamlit as st

from components.frame import links
from components.frame.routes import LOANS
from components.kit.figure import figure
from components.kit.formatting import basis_points, count, day, money, percent, share
from services.contract.aggregates import Totals
from services.contract.loaded import Snapshot


def book(totals: Totals, snapshot: Snapshot) -> None:
    """The headline of the whole book."""
    whole = totals.book.book_value
    cells = st.columns(5, gap="small")
    with cells[0]:
        figure("Book value", money(whole), f"{count(totals.book.loans)} loans")
        _loans("All loans", {"order": "-book_value"})
    with cells[1]:
        due = totals.matures_12_months
        figure(
            "Matures in 12 months",
            share(due.book_value, whole),
            f"{money(due.book_value)} · {count(due.loans)} loans",
            f"From {day(totals.as_of)}; loans past maturity are counted apart: "
            f"{count(totals.past_maturity.loans)} ({money(totals.past_maturity.book_value)}).",
        )
        _due(12)
    with cells[2]:
        due = totals.matures_24_months
        figure(
            "Matures in 24 months",
            share(due.book_value, whole),
            f"{money(due.book_value)} · {count(due.loans)} loans",
        )
        _due(24)
    with cells[3]:
        coupon, refi = totals.weighted_coupon, totals.weighted_refi_rate
        gap = basis_points(100 * (refi - coupon)) if coupon and refi else "—"
        figure(
            "Weighted coupon",
            percent(coupon),
            f"refi {percent(refi)} · {gap}",
            "Weighted by book value. The refinancing rate is the reference rate of the loan's "
            f"tenor plus the spread of its property type; reference rates of {rates(snapshot)}.",
        )
    with cells[4]:
        figure(
            "Critical signals",
            count(totals.critical_signals),
            f"{money(totals.critical.book_value)} · "
            f"{share(totals.critical_confirmed.book_value, totals.critical.book_value)} confirmed",
            f"On {count(totals.critical.loans)} loans; 'confirmed' is the part of their book value "
            "on a confirmed ownership chain.",
        )
        _loans("Their loans", {"severity": "critical", "order": "-book_value"})


def _due(months: int) -> None:
    """To the loans that mature within so many months."""
    _loans("Their loans", {"matures_within": str(months), "order": "maturity_date"})


def _loans(label: str, params: dict[str, str]) -> None:
    links.link(LOANS, label, "arrow_forward", params)


def rates(snapshot: Snapshot) -> str:
    """The days of the reference rates used, in words."""
    days = sorted({rate.day for rate in snapshot.rates})
    return ", ".join(day(one) for one in days) or "no date"
