"""How much of the book carries which worst signal, and how sure its ownership is."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from components.frame import columns
from components.frame.ledger import Column, ledger
from components.frame.linked_figure import linked_figure
from components.frame.routes import LOANS
from components.kit import severity, text
from components.kit.card import card, opening
from components.kit.figure import Figure
from components.kit.formatting import loan_count, money, share, words
from services.contract.aggregates import WorstSeverity
from services.contract.columns import COLUMN
from services.contract.vocabulary import GRADED, TIERS, UNGRADED


def panel(found: Sequence[WorstSeverity]) -> None:
    """Loans by their worst signal: as a bar, a figure for each word, which leads to its loans, and
    a table.
    """
    with card(heading(found), level=2):
        if said := _said(found):
            text.lead(said)
        whole = sum(one.book_value for one in found)
        parts = [(one.severity, one.book_value / whole) for one in found if one.book_value]
        text.show(severity.bar(parts))
        with st.container(horizontal=True, gap="small", key="severities"):
            for one in found:
                of = f"severity-{one.severity.replace(' ', '-')}"
                linked_figure(_figure(one, whole), of, LOANS, _its_loans(one))
        opening("The same as a table", "severities_as_table", partial(_table, found, whole))


def _figure(one: WorstSeverity, whole: int) -> Figure:
    short = f"{money(one.dollars_short)} short" if one.dollars_short else "none short"
    return Figure(
        severity.label(one.severity),
        money(one.book_value),
        f"{loan_count(one.loans)} · {share(one.book_value, whole)} · {short}",
    )


def _table(found: Sequence[WorstSeverity], whole: int) -> None:
    ledger(
        (
            Column(
                "severity",
                COLUMN["worst_severity"].label,
                lambda one: severity.label(one.severity),
            ),
            columns.loans(),
            columns.book_value(short=True),
            columns.share_of(whole, "Of the book", bar=True),
            columns.dollars_short("short", columns.LACKS, bar=True, zero=True),
            *(
                Column(
                    tier or "none",
                    words(tier) if tier else "No chain",
                    _part(tier),
                    figure=True,
                    help="Share of the book value of the row by the tier of the weakest link of "
                    "the loan's ownership chain.",
                )
                for tier in ((*reversed(TIERS), None) if chains(found) else ())
            ),
        ),
        found,
        opens=lambda one: (LOANS, _its_loans(one)),
        caption="Loans by their worst signal",
    )


def chains(found: Sequence[WorstSeverity]) -> bool:
    """Whether any loan has an ownership chain: a trust's filings name no owner."""
    return any(part.word for one in found for part in one.by_tier)


def heading(found: Sequence[WorstSeverity]) -> str:
    """What the table shows."""
    sure = ", and how sure its ownership is" if chains(found) else ""
    return f"Worst signal of each loan{sure}"


def _said(found: Sequence[WorstSeverity]) -> str:
    """The worst in a sentence: $4.1B critical, 62% of it on confirmed ownership."""
    worst = next((one for one in found if one.severity not in UNGRADED), None)
    if worst is None:
        return "No loan carries a signal."
    short = f"{money(sum(one.dollars_short for one in found))} short at refinance in all"
    if not chains(found):
        return f"{money(worst.book_value)} {worst.severity}; {short}"
    confirmed = sum(part.book_value for part in worst.by_tier if part.word == "confirmed")
    return (
        f"{money(worst.book_value)} {worst.severity}, {share(confirmed, worst.book_value)} of it "
        f"on confirmed ownership chains; {short}"
    )


def _part(tier: str | None) -> Callable[[WorstSeverity], str]:
    def written(one: WorstSeverity) -> str:
        found = sum(part.book_value for part in one.by_tier if part.word == tier)
        return share(found, one.book_value)

    return written


def _its_loans(one: WorstSeverity) -> dict[str, str]:
    if one.severity in UNGRADED:
        return {"severity": one.severity, "order": "-book_value"}
    # No filter can hold a word outside the vocabulary.
    known = {"severity": one.severity} if one.severity in GRADED else {}
    return {**known, "order": "-worst_severity"}
