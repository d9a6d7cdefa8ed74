"""What is around the cards of a loan's page: its name and the line under it, links to its parts,
where a card has room, and who is next to the loan.
"""

from collections.abc import Sequence
from datetime import date
from typing import Final

import streamlit as st

from components.frame import links, session, shell, states
from components.frame.ledger import Column, ledger
from components.frame.routes import CAPITAL_GRAPH, CONNECTION, ENTITY
from components.kit import badge, text
from components.kit.formatting import MISSING, count, day, distance, place, score, words
from components.loans import ending, income, source_date
from components.loans.badges import badges
from services.contract.loan_figures import LoanFigures
from services.contract.queries import PathQuery
from services.contract.records import Edge, LoanDetail, Signal
from services.contract.source import CreditSource

#: Pixels from which on the list of neighbours scrolls.
_HIGHEST: Final = 420
#: Rows of income that nearly every loan has, and of a further card.
_STATED, _ROOM = 7, 5


def name(loan: LoanDetail) -> str:
    """What the page is called: the property, else the number."""
    return str(loan.extended.get("property_name") or loan.loan_number)


def heading(loan: LoanDetail, figures: LoanFigures) -> None:
    """What loan this is, in a line under its name, with badges of what sets it apart."""
    where, debt = place(loan.property_city, loan.property_state), figures.debt
    known = [name(loan), *(one for one in (words(loan.property_type), where) if one != MISSING)]
    shell.tab(", ".join(known))
    parts = (
        loan.extended.get("property_name") and loan.loan_number,
        *known[1:],
        loan.lender_normalized,
        loan.origination_date and f"originated {day(loan.origination_date)}",
        debt.anticipated_repayment
        and f"repayment anticipated {_when(debt.anticipated_repayment, figures.as_of)}",
        not (figures.ended or figures.taken_over)
        and loan.maturity_date
        and loan.maturity_date != debt.anticipated_repayment
        and f"{'matured' if loan.maturity_date < figures.as_of else 'matures'} "
        f"{_when(loan.maturity_date, figures.as_of)}",
    )
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="loan-heading"
    ):
        text.caption(" · ".join(str(part) for part in parts if part))
        badge.row(badges(loan, figures))
    if not figures.ended:
        ending.shown(loan)
    source_date.said(loan)


def _when(day_of: date, today: date) -> str:
    return f"{day(day_of)}, {distance(day_of, today)}"


def parts(found: LoanFigures) -> list[tuple[str, str]]:
    """The parts of the page that links lead to: the name of each, and what it is called."""
    out = [("exposure", "Exposure")] if found.exposure.counts else []
    owes = [("income", "Income"), ("stack", "Capital stack"), ("refinance", "Refinance")]
    return [
        ("summary", "Summary"),
        *out,
        ("signals", "Signals"),
        *([] if found.ended else owes),
        ("history", "History"),
        ("ownership", "Ownership"),
        ("properties", "Properties"),
        ("fields", "All fields"),
    ]


def has_room(found: LoanFigures, signals: Sequence[Signal] | None) -> bool:
    """Whether the card of the signals is so much shorter than that of income that another one fits
    under it; of a loan that has ended there is no other.
    """
    rules = sum(1 + len(one.components) for one in signals or ())
    return found.ended or len(found.income.leases[: income.LISTED]) + _STATED - rules >= _ROOM


def neighbours(number: str) -> None:
    """Parties one step away in the capital graph; the name opens the party."""
    result, page = session.ask(CreditSource.paths, PathQuery(loan_number=number, depth=1))
    if not page.total:
        states.nothing("The capital graph holds no edge at this loan.")
        return

    def party(edge: Edge) -> str:
        return edge.target if edge.source == result.root else edge.source

    edges = [edge for path in page.items for edge in path.edges[-1:]]
    columns: tuple[Column[Edge], ...] = (
        Column("party", "Party", party),
        Column("relation", "Relation", lambda edge: words(edge.relation)),
        Column(
            "confidence", "Confidence", lambda edge: score(edge.confidence), figure=True, short=True
        ),
    )
    ledger(
        columns,
        edges,
        opens=lambda edge: (ENTITY, party(edge)),
        height=_HIGHEST,
        caption="Neighbours",
    )
    if page.total > len(edges):
        text.caption(f"{len(edges)} of {count(page.total)} neighbours.")
    with st.container(horizontal=True):
        links.link(CAPITAL_GRAPH, "Its capital graph", "hub", {"loan_number": result.root})
        ends = {"from_loan": result.root}
        links.link(CONNECTION, "How is it connected to ...", "conversion_path", ends)
