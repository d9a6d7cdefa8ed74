"""The loans of a family, and for one of them the distressed siblings that affect it (CT-1)."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

import streamlit as st

from components.families import ways
from components.families.ways import Joint
from components.frame import columns, loan_names, states
from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN
from components.kit import severity, text
from components.kit.card import card
from components.kit.formatting import MISSING, count, day, distance, money, place, score, words
from services.contract.columns import COLUMN
from services.contract.facts import FACT
from services.contract.families import FamilyDossier, FamilyLoan

#: Rows that show without scrolling, and the height in pixels of more.
_ROWS: Final = 15
_SCROLLS: Final = 520


def members(found: FamilyDossier, today: date) -> None:
    """The family's loans, the worst first: the timeline's twin. The number opens the loan."""
    total = found.family.loans
    shown = f"{count(len(found.loans))} of {count(total)}" if total > len(found.loans) else ""
    with card(f"Its loans, the worst first: {shown or count(total)}", part="loans"):
        if not found.loans:
            states.nothing("No loan stands under it over links of 0.70 or better.")
            return
        ledger(
            _columns(today),
            found.loans,
            opens=lambda one: (LOAN, one.loan_number),
            key=f"family of {found.family.entity_name}",
            caption="Loans of the family",
            height=_SCROLLS if len(found.loans) > _ROWS else None,
        )


def _columns(today: date) -> tuple[Column[FamilyLoan], ...]:
    return (
        Column("loan_number", "Loan", lambda one: one.loan_number),
        Column(
            "worst",
            COLUMN["worst_severity"].label,
            lambda one: severity.label(one.worst),
            short=True,
        ),
        Column(
            "contagion",
            COLUMN["contagion"].label,
            lambda one: severity.label(one.contagion),
            help="CT-1: by its distressed siblings, under the owner with the most of them. A lead: "
            "no worst signal counts it.",
        ),
        Column("lender_normalized", "Lender", lambda one: one.lender_normalized or MISSING),
        Column("property_type", "Property type", lambda one: words(one.property_type)),
        Column("city", "City", lambda one: place(one.property_city, one.property_state)),
        columns.book_value(short=True),
        Column("disposition", FACT["disposition"].label, lambda one: words(one.disposition)),
        Column("matures", "Matures", lambda one: day(one.effective_maturity), figure=True),
        Column("due", "Due", lambda one: distance(one.effective_maturity, today), figure=True),
        columns.dollars_short(zero=True),
        Column("way", "Held by", lambda one: " → ".join(link.above for link in one.way)),
    )


def panel(found: FamilyDossier, number: str | None, today: date) -> None:
    """Distressed siblings of one loan, each with the links between the two."""
    with card(
        "Contagion: the distressed siblings of a loan, and the links to each", part="contagion"
    ):
        loan = chosen(found.loans, number)
        if loan is None or len(found.loans) == 1:
            states.nothing("A loan without siblings catches nothing.")
            return
        names = loan_names.of(one.loan_number for one in found.loans)
        if number and loan.loan_number != number:
            text.caption(f"{number} is not among the loans listed above.")
        _choice(found.loans, loan, names)
        joints = ways.siblings(loan, found.loans)
        text.sentence(said(loan, joints, loan_names.beside(loan.loan_number, names)))
        if joints:
            ledger(
                _joint_columns(today),
                joints,
                opens=lambda one: (LOAN, one.sibling.loan_number),
                key=f"siblings of {loan.loan_number}",
                caption="Distressed siblings",
                height=_SCROLLS if len(joints) > _ROWS else None,
            )
            text.caption(
                "Read from the loan up to the party where the two ways meet, and down to the "
                "sibling, with the confidence of each link. Of several ways the shortest, then "
                "the surest is shown."
            )


def _joint_columns(today: date) -> tuple[Column[Joint], ...]:
    return (
        Column("sibling", "Sibling", lambda one: one.sibling.loan_number),
        Column("worst", "Its worst signal", lambda one: severity.label(one.sibling.worst),
               short=True),
        Column("way", "How they are connected", lambda one: one.sentence),
        Column("party", "Meet at", lambda one: one.party),
        Column("weakest", "Weakest link", lambda one: score(one.weakest), figure=True),
        Column("lender", "Its lender", lambda one: one.sibling.lender_normalized or MISSING),
        Column("book_value", "Book value", lambda one: money(one.sibling.book_value), figure=True),
        Column("due", "Due", lambda one: distance(one.sibling.effective_maturity, today),
               figure=True),
    )  # fmt: skip


def chosen(loans: Sequence[FamilyLoan], number: str | None) -> FamilyLoan | None:
    """The loan looked at: that of the address, else the first, which is the worst."""
    named = (one for one in loans if one.loan_number == number)
    return next(named, loans[0] if loans else None)


def _choice(loans: Sequence[FamilyLoan], loan: FamilyLoan, names: Mapping[str, str]) -> None:
    """Which loan is looked at; it goes to the address by "loan"."""
    by_number = {one.loan_number: one for one in loans}
    st.session_state["loan"] = loan.loan_number

    def labelled(number: str) -> str:
        one = by_number[number]
        grade = f", contagion {severity.label(one.contagion)}" if one.contagion else ""
        return f"{loan_names.beside(number, names)}: {severity.label(one.worst)}{grade}"

    st.selectbox("Siblings of", list(by_number), format_func=labelled, key="loan", width=420)


def said(loan: FamilyLoan, joints: Sequence[Joint], called: str) -> str:
    """How many siblings are distressed, what CT-1 makes of that, and what it says of the loan."""
    critical = sum(one.sibling.worst == "critical" for one in joints)
    severe = len(joints) - critical
    if not joints:
        found = f"No sibling of {called} in this family is severe or critical."
    else:
        counts = [
            f"{count(n)} {word}" for n, word in ((critical, "critical"), (severe, "severe")) if n
        ]
        found = (
            f"Distressed siblings of {called} in this family: "
            f"{' and '.join(counts)}. Under this head alone contagion is "
            f"{severity.label(ways.graded(critical, severe))}."
        )
    if loan.contagion is None:
        return f"{found} CT-1 does not grade the loan."
    return (
        f"{found} CT-1 grades the loan {severity.label(loan.contagion)}, by the owner with the "
        "most distressed loans."
    )
