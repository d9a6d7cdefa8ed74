"""The panels of one family. Each takes what it shows and draws one bordered card."""

from typing import Final

import streamlit as st

from components.frame import links, session, shell, states
from components.frame.routes import CAPITAL_GRAPH, ENTITY, LOANS
from components.kit import severity, tables, text
from components.kit.card import card
from components.kit.figure import Figure, row
from components.kit.formatting import MISSING, count, money, share, words
from components.loans import look
from components.ownership import view
from services.contract import endpoints
from services.contract.facts import FACT
from services.contract.families import Family, FamilyDossier
from services.contract.loaded import Snapshot
from services.contract.source import Dossiers

#: Parties of one level that are drawn; the tables list all.
_ABREAST: Final = 60
_ROWS: Final = 12


def heading(of: Family) -> None:
    """Whose family this is, and where else to look."""
    name = of.entity_name
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        text.heading(name, level=2)
        shell.tab(f"Family of {name}")
        links.link(ENTITY, "Its page", "apartment", {"entity_name": name})
        links.link(LOANS, "Its loans", "list", {"family": name, "order": "-worst_severity"})
        look.plot({"family": name})
        links.link(CAPITAL_GRAPH, "Its capital graph", "hub", {"entity_name": name, "depth": "3"})
    text.caption(
        f"{words(of.kind)} · all loans under it over ownership links of 0.70 or better each (D58)"
    )


def figures(found: FamilyDossier, snapshot: Snapshot) -> None:
    """The headline: loans, book value, distressed loans, lenders exposed, dollars short."""
    of = found.family
    part = share(of.book_value, snapshot.book_value)
    ill = [(found.critical, "critical"), (found.severe, "severe")]
    said = " · ".join(f"{count(number)} {severity.label(word)}" for number, word in ill)
    short = money(of.dollars_short)
    row(
        [
            Figure("Loans", count(of.loans), f"of {count(snapshot.loans)}"),
            Figure("Book value", money(of.book_value), f"{part} of the book"),
            Figure(
                "Distressed loans",
                count(of.stressed),
                said if of.stressed else "none severe or critical",
                "Loans with a severe or critical signal, what contagion says of them left out.",
            ),
            Figure(
                "Lenders exposed",
                count(of.lenders),
                _first(found),
                "Different lenders of any layer of these loans, or by name.",
            ),
            Figure(FACT["dollars_short"].label, short, "over the loans that are short"),
        ]
    )


def _first(found: FamilyDossier) -> str:
    named = [one for one in found.by_lender if one.word]
    return f"{count(named[0].loans)} of {named[0].word}" if named else "none named"


def tree(name: str) -> None:
    """Owners above and holdings below: drawn, and as tables."""
    with card("Ownership above and below"), states.panel(endpoints.OWNERSHIP):
        view.of_entity(session.ask(Dossiers.entity, name), _ABREAST)


def lenders(found: FamilyDossier) -> None:
    """Who lends to the family."""
    with card("Lenders exposed"):
        rows = [
            {
                "Lender": MISSING if one.word is None else one.word,
                "Loans": count(one.loans),
                "Book value of these loans": money(one.book_value),
            }
            for one in found.by_lender
        ]
        tables.plain(
            rows,
            "Lenders of the family's loans",
            figures=("Loans", "Book value of these loans"),
            scrolls=len(rows) > _ROWS,
        )
        text.caption("Of any layer, or by name: a loan of two lenders counts for both.")
