"""The panels of one entity. Each takes what it shows and draws one bordered card."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from components.entities.lookup import beyond_last
from components.evidence import panel as evidence
from components.exposure.words import as_role
from components.frame import columns, links, paging, shell, states
from components.frame.ledger import Column, ledger
from components.frame.routes import CAPITAL_GRAPH, CONNECTION, FAMILY, LOAN
from components.kit import severity, tables, text
from components.kit.card import card, hero
from components.kit.figure import Figure, row
from components.kit.formatting import MISSING, count, loan_count, money, score, share, words
from components.ownership import view
from components.platform.types import DeltaGenerator
from services.contract.aggregates import EntityDossier, PartyLink, Share, Slice
from services.contract.facts import FACT
from services.contract.parties import Party
from services.contract.records import Page, Signal
from services.contract.vocabulary import STATES

#: Kinds of parties that head families (D58).
_HEADS: Final = frozenset({"sponsor", "owner"})


def parts_of(party: Party) -> list[tuple[str, str]]:
    """The parts of the page that links lead to: the name of each, and what it is called."""
    own = (("signals", "Signals"), ("shares", "By state, lender"))
    return [
        ("summary", "Summary"),
        ("loans", "Loans"),
        *(own if party.has_own else ()),
        ("roles", "Roles"),
        ("ownership", "Ownership"),
    ]


def heading(dossier: EntityDossier, place: DeltaGenerator) -> None:
    """Who this is, and how sure the source is that it is one party; in `place` where to look on."""
    name = {"entity_name": dossier.entity_name}
    shell.tab(dossier.entity_name)
    text.caption(
        f"{words(dossier.kind)} · resolution confidence {score(dossier.confidence)}"
        f" ({dossier.confidence_tier})"
    )
    with place:
        if dossier.kind in _HEADS:
            links.link(FAMILY, "Family of loans", "account_tree", name)
        links.link(CAPITAL_GRAPH, "Capital graph", "hub", {**name, "depth": "3"})
        ends = {"from_entity": dossier.entity_name}
        links.link(CONNECTION, "Connection to ...", "conversion_path", ends)


def figures(dossier: EntityDossier, party: Party, book: Share) -> None:
    """What matters first: its loans and how they are in a sentence, then in figures.

    `book`: of all loans that are loaded.
    """
    hero(state(party), party.worst)
    by_word = [f"{money(dollars)} {severity.label(word)}" for word, dollars in party.by_worst]
    row(
        [
            Figure(
                f"Loans{as_role(party.role)}",
                count(party.loans),
                f"of {count(book.loans)}",
                "None is its own: it neither stands behind one nor lends to one."
                if party.role
                else "Loans it stands behind as borrower, owner or guarantor, or lends to.",
            ),
            Figure(
                "Exposure",
                money(party.book_value),
                f"{share(party.book_value, book.book_value)} of the book",
                f"Book value of these loans, whole, by their worst signal: {' · '.join(by_word)}."
                if by_word
                else None,
            ),
            Figure(
                "Distressed loans",
                count(party.stressed),
                "severe or critical" if party.stressed else "none severe or critical",
                bad=party.stressed > 0,
            ),
            Figure(
                FACT["dollars_short"].label,
                money(party.dollars_short),
                "over the loans that are short",
            ),
            Figure("Owners above", count(len(dossier.owners)), _levels(dossier.owners)),
            Figure("Holdings below", count(dossier.holdings_total), _levels(dossier.holdings)),
        ]
    )


def state(party: Party) -> str:
    """A party in one sentence: its loans, how many are distressed, what they are short."""
    if not party.loans:
        return "No loan of this book is its own, and it services, originated or rents in none."
    ill = "none" if not party.stressed else count(party.stressed)
    short = f"{money(party.dollars_short)} short" if party.dollars_short else "nothing short"
    whose = f"{loan_count(party.loans)}{as_role(party.role)}, {money(party.book_value)}"
    return f"{whose}: {ill} distressed, {short} at refinance."


def _levels(parties: Sequence[PartyLink]) -> str:
    levels = max((one.level for one in parties), default=0)
    return f"on {levels} level{'s' * (levels > 1)}" if levels else "none named"


def ownership(dossier: EntityDossier) -> None:
    """Owners above and holdings below: diagram and tables."""
    with card("Owners above and holdings below", part="ownership"):
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
    left, right = st.columns(2, gap="small")
    shorter = left if len(dossier.by_state) <= len(dossier.by_lender) else right
    for column, title, slices, part in (
        (left, "State", dossier.by_state, "shares"),
        (right, "Lender", dossier.by_lender, ""),
        (shorter, "Property type", dossier.by_property_type, ""),
    ):
        with column, card(f"Its book value by {title.lower()}", part=part):
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
    tables.sheet(rows, f"Book value by {title.lower()}", scrolls=True)


def _rules(signal: Signal) -> str:
    return "; ".join(f"{part.rule} {part.title or ''}".strip() for part in signal.components)


_SIGNALS: Final[tuple[Column[Signal], ...]] = (
    Column("loan_number", "Loan", lambda one: one.loan_number),
    Column("severity", "Severity", lambda one: severity.label(one.severity), short=True),
    Column("signal_type", "Signal", lambda one: words(one.signal_type)),
    columns.book_value(short=True),
    Column("description", "What was found", lambda one: one.description or MISSING),
    Column("rules", "Rules that fired", _rules),
)


def signals(page: Page[Signal], name: str) -> None:
    """Signals on its loans, worst first; the number opens the loan."""
    with card(f"Signals on its loans, worst first: {count(page.total)}", part="signals"):
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
