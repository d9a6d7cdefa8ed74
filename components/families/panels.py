"""The panels of one family. Each takes what it shows and draws one bordered card."""

from typing import Final

from components.frame import links, session, shell, states
from components.frame.routes import CAPITAL_GRAPH, ENTITY, LOANS
from components.kit import severity, tables, text
from components.kit.card import card, hero
from components.kit.figure import Figure, row
from components.kit.formatting import MISSING, count, money, share, words
from components.loans import horizons, look, spreads
from components.ownership import view
from components.platform.types import DeltaGenerator
from services.contract import endpoints
from services.contract.aggregates import Share
from services.contract.facts import FACT
from services.contract.families import Family, FamilyDossier
from services.contract.loan_filter import LoanFilter
from services.contract.source import Dossiers, Screens

#: Parties of one level that are drawn; the tables list all.
_ABREAST: Final = 60


#: The parts of the page that links lead to: the name of each, and what it is called.
PARTS: Final = (
    ("summary", "Summary"),
    ("loans", "Loans"),
    ("maturities", "Maturities"),
    ("contagion", "Contagion"),
    ("lenders", "Lenders"),
    ("history", "History"),
    ("properties", "Properties"),
    ("ownership", "Ownership"),
)


def heading(of: Family, place: DeltaGenerator) -> None:
    """Whose family this is; in `place` where else to look."""
    name = of.entity_name
    shell.tab(f"Family of {name}")
    text.caption(
        f"Family of loans · {words(of.kind)} · all loans under it over ownership links of 0.70 or "
        "better each"
    )
    with place:
        links.link(ENTITY, "Its page", "apartment", {"entity_name": name})
        links.link(LOANS, "Its loans", "list", {"family": name, "order": "-worst_severity"})
        look.plot({"family": name})
        links.link(CAPITAL_GRAPH, "Capital graph", "hub", {"entity_name": name, "depth": "3"})


def figures(found: FamilyDossier, book: Share) -> None:
    """The headline: loans, book value, distressed loans, lenders exposed, dollars short.

    `book`: of all loans that are loaded.
    """
    of = found.family
    part = share(of.book_value, book.book_value)
    ill = [(found.critical, "critical"), (found.severe, "severe")]
    said = " · ".join(f"{count(number)} {severity.label(word)}" for number, word in ill)
    short = money(of.dollars_short)
    worst = next((word for number, word in ill if number), None)
    if of.loans:
        hero(state(of), worst)
    row(
        [
            Figure("Loans", count(of.loans), f"of {count(book.loans)}"),
            Figure("Book value", money(of.book_value), f"{part} of the book"),
            Figure(
                "Distressed loans",
                count(of.stressed),
                said if of.stressed else "none severe or critical",
                "Loans whose worst signal is severe or critical.",
                bad=of.stressed > 0,
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
    if of.loans:
        whole = session.ask(Screens.loan_totals, LoanFilter(family=of.entity_name))
        text.caption(" ".join(one for one in (horizons.line(whole), spreads.note()) if one))


def state(of: Family) -> str:
    """The family in one sentence: distressed loans, and what its loans are short."""
    loans = "loan" if of.loans == 1 else "loans"
    ill = f"{count(of.stressed)} of {count(of.loans)} {loans}" if of.stressed else "No loan"
    are = "are" if of.stressed > 1 else "is"
    short = money(of.dollars_short) if of.dollars_short else "nothing"
    return f"{ill} {are} severe or critical; {short} short at refinance."


def _first(found: FamilyDossier) -> str:
    named = [one for one in found.by_lender if one.word]
    return f"{count(named[0].loans)} of {named[0].word}" if named else "none named"


def tree(name: str) -> None:
    """Owners above and holdings below: drawn, and as tables."""
    with card("Ownership above and below", part="ownership"), states.panel(endpoints.OWNERSHIP):
        view.of_entity(session.ask(Dossiers.entity, name), _ABREAST)


def lenders(found: FamilyDossier) -> None:
    """Who lends to the family."""
    with card("Lenders exposed", part="lenders"):
        rows = [
            {
                "Lender": MISSING if one.word is None else one.word,
                "Loans": count(one.loans),
                "Book value of these loans": money(one.book_value),
            }
            for one in found.by_lender
        ]
        tables.sheet(rows, "Lenders of the family's loans", scrolls=True)
        text.caption("Of any layer, or by name: a loan of two lenders counts for both.")
