"""The panels of one entity. Each takes what it shows and draws one bordered card."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from components.entities.lookup import beyond_last
from components.evidence import panel as evidence
from components.exposure.words import beside
from components.frame import links, paging, shell, states
from components.frame.ledger import Column, ledger
from components.frame.routes import CAPITAL_GRAPH, CONNECTION, FAMILY, LOAN
from components.kit import severity, tables, text
from components.kit.card import card
from components.kit.figure import Figure, row
from components.kit.formatting import MISSING, count, money, score, share, words
from components.ownership import view
from services.contract.aggregates import EntityDossier, PartyLink, Share, Slice
from services.contract.records import Page, Signal
from services.contract.vocabulary import STATES

#: Rows of a table of shares that show without scrolling.
_ROWS: Final = 12
#: Kinds of parties that head families (D58).
_HEADS: Final = frozenset({"sponsor", "owner"})
#: Severities that fit under the headline; its help names all.
_WORST: Final = 2


def heading(dossier: EntityDossier) -> None:
    """Who this is, and how sure the source is that it is one party."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        text.heading(dossier.entity_name, level=2)
        shell.tab(dossier.entity_name)
        links.link(
            CAPITAL_GRAPH,
            "Its capital graph",
            "hub",
            {"entity_name": dossier.entity_name, "depth": "3"},
        )
        ends = {"from_entity": dossier.entity_name}
        links.link(CONNECTION, "How is it connected to ...", "conversion_path", ends)
        if dossier.kind in _HEADS:
            name = {"entity_name": dossier.entity_name}
            links.link(FAMILY, "Its family of loans", "account_tree", name)
    text.caption(
        f"{words(dossier.kind)} · resolution confidence {score(dossier.confidence)}"
        f" ({dossier.confidence_tier})"
    )


def figures(dossier: EntityDossier, book: Share) -> None:
    """The headline: loans, book value, signals, owners above, holdings below.

    `book`: of all loans that are loaded.
    """
    by_severity = dossier.signals_by_severity
    worst = sorted(by_severity, key=severity.rank, reverse=True)
    part = share(dossier.book.book_value, book.book_value)
    by_word = [f"{count(by_severity[word])} {severity.label(word)}" for word in worst]
    other = beside(dossier.book.loans, dossier.loans_by_role)
    row(
        [
            Figure(
                f"Loans as {other[1]}" if other else "Loans",
                count(other[0] if other else dossier.book.loans),
                f"of {count(book.loans)}",
                "None is its own: it neither stands behind one nor lends to one."
                if other
                else "Loans it stands behind as borrower, owner or guarantor, or lends to.",
            ),
            Figure(
                "Book value of its own" if other else "Book value",
                money(dossier.book.book_value),
                f"{part} of the book",
            ),
            Figure(
                "Signals on its loans",
                count(sum(by_severity.values())),
                " · ".join(by_word[:_WORST]) or "no rule fired",
                " · ".join(by_word) or None,
            ),
            Figure("Owners above", count(len(dossier.owners)), _levels(dossier.owners)),
            Figure("Holdings below", count(dossier.holdings_total), _levels(dossier.holdings)),
        ]
    )


def _levels(parties: Sequence[PartyLink]) -> str:
    levels = max((one.level for one in parties), default=0)
    return f"on {levels} level{'s' * (levels > 1)}" if levels else "none named"


def ownership(dossier: EntityDossier) -> None:
    """Owners above and holdings below: diagram and tables."""
    with card("Owners above and holdings below"):
        view.of_entity(dossier)
        shown = f"owners and holdings of {dossier.entity_name}"
        evidence.of_edges(view.edges_of(dossier), shown)


def identity(dossier: EntityDossier) -> None:
    """Other spellings, identifiers and addresses of it; nothing where no source has any."""
    if found := evidence.of_party(dossier.entity_name):
        with card("Who it is, and what says so"):
            evidence.identity(found)


def parts(dossier: EntityDossier) -> None:
    """Its book by state, property type and lender."""
    if not dossier.book.loans:
        return
    left, right = st.columns(2, gap="small")
    shorter = left if len(dossier.by_state) <= len(dossier.by_lender) else right
    for column, title, slices in (
        (left, "State", dossier.by_state),
        (right, "Lender", dossier.by_lender),
        (shorter, "Property type", dossier.by_property_type),
    ):
        with column, card(f"Its book value by {title.lower()}"):
            _shares(title, slices, dossier.book.book_value)


def _shares(title: str, slices: Sequence[Slice], whole: int) -> None:
    writers: dict[str, Callable[[str], str]] = {
        "State": lambda word: STATES.get(word, word),
        "Property type": words,
    }
    write = writers.get(title, str)
    rows = [
        {
            title: MISSING if one.word is None else write(one.word),
            "Loans": count(one.loans),
            "Book value": money(one.book_value),
            "Share": share(one.book_value, whole),
        }
        for one in slices
    ]
    tables.plain(
        rows,
        f"Book value by {title.lower()}",
        figures=("Loans", "Book value", "Share"),
        scrolls=len(rows) > _ROWS,
    )


def _rules(signal: Signal) -> str:
    return "; ".join(f"{part.rule} {part.title or ''}".strip() for part in signal.components)


_SIGNALS: Final[tuple[Column[Signal], ...]] = (
    Column("loan_number", "Loan", lambda one: one.loan_number),
    Column("severity", "Severity", lambda one: severity.label(one.severity), short=True),
    Column("signal_type", "Signal", lambda one: words(one.signal_type)),
    Column("book_value", "Book value", lambda one: money(one.book_value), figure=True, short=True),
    Column("description", "What was found", lambda one: one.description or MISSING),
    Column("rules", "Rules that fired", _rules),
)


def signals(page: Page[Signal], name: str) -> None:
    """Signals on its loans, worst first; the number opens the loan."""
    with card(f"Signals on its loans, worst first: {count(page.total)}"):
        if not page.total:
            states.nothing("No rule fired on its loans.")
        elif page.items:
            ledger(
                _SIGNALS,
                page.items,
                opens=lambda signal: (LOAN, signal.loan_number),
                key=f"signals of {name}",
                caption="Signals, worst first",
            )
            if page.pages > 1:
                paging.bar(page, "signals_page", sizes=())
        else:
            beyond_last(page, "signals_page")
