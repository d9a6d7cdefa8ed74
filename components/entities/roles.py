"""A party's loans by role: how many, whose dollars, through which funds, and the loans."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any, Final

import streamlit as st

from components.entities.lookup import beyond_last
from components.exposure import counts
from components.exposure import words as said
from components.frame import address, columns, links, paging, session, states
from components.frame.ledger import Column, ledger
from components.frame.routes import ENTITY, EXPLORE
from components.kit import actions, text
from components.kit.card import card
from components.kit.formatting import count, money
from components.loans import bulk, table
from services.contract.exposure import Exposure, FundShare, PartyLoan, Role, RoleShare
from services.contract.loan_filter import MOST_NUMBERS
from services.contract.queries import Query
from services.contract.records import Page
from services.contract.source import Dossiers

#: Rows of a table that show without scrolling.
_ROWS: Final = 12
#: Loans that are asked for at once.
_EACH: Final = 100
_NO_LOANS: Final = (
    "No loan counts as its own: it stands behind none as borrower, owner or guarantor, and lends "
    "to none. Loans that it only originated or services stand under those roles."
)


def exposure(found: Exposure) -> None:
    """Its loans by role: how many, whose dollars; a role leads to its loans."""
    with card("Its loans by role", part="roles"):
        counts.of_entity(found)
        shown = [one for one in found.roles if one.loans]
        if shown:
            ledger(
                _ROLES,
                shown,
                opens=lambda one: (ENTITY, {"entity_name": found.entity_name, "role": one.role}),
                key=f"roles of {found.entity_name}",
                caption="Loans by role",
            )
            text.caption("A loan counts in every role that the party has in it.")
        if unknown := said.unknown(found.roles):
            text.caption(unknown)
        if found.funds:
            _funds(found)


def _funds(found: Exposure) -> None:
    text.lead(f"Funds through which it lends: {count(len(found.funds))}")
    ledger(
        _FUNDS,
        found.funds,
        opens=lambda fund: (ENTITY, fund.entity_name),
        key=f"funds of {found.entity_name}",
        caption="Funds through which it lends",
        height=None if len(found.funds) <= _ROWS else 460,
    )


_ROLES: Final[tuple[Column[RoleShare], ...]] = (
    Column("role", "Role", lambda one: said.LABELS[one.role]),
    columns.loans(short=True),
    Column(
        "amount",
        "Its own dollars",
        said.own_dollars,
        figure=True,
        help="As lender the amounts of its layers; through a fund its share of what the fund "
        "lends. Where a source does not state them they are not guessed.",
    ),
    Column(
        "book_value",
        "Book value of these loans",
        lambda one: money(one.book_value),
        figure=True,
        help="Of the loans, whole, whoever lent them.",
    ),
    Column("meaning", "What it means", lambda one: said.MEANINGS[one.role]),
)
_FUNDS: Final[tuple[Column[FundShare], ...]] = (
    Column("entity_name", "Fund", lambda fund: fund.entity_name),
    columns.loans(short=True),
    Column(
        "only",
        "Not lent itself",
        lambda fund: count(fund.only),
        figure=True,
        help="Loans of the fund to which the party lends in no other way.",
    ),
    Column(
        "share",
        "Its part of the fund",
        said.part_of,
        figure=True,
        help="Over all links between them; not stated where a source leaves one open.",
    ),
)


def loans(
    page: Page[PartyLoan], today: date, found: Exposure, role: Role | None, begun: Role | None
) -> None:
    """Its loans, page by page, each with what the party is to it; the number opens the loan.

    `begun` is the role that they are in where none is chosen.
    """
    name = found.entity_name
    title = f"Its loans{said.as_role(role)}"
    with card(f"{title}, the worst first: {count(page.total)}", part="loans"):
        with st.container(horizontal=True, vertical_alignment="center"):
            _role_switch(found, role, begun)
            if page.items:
                plot = partial(_plot, name, role)
                actions.button("Plot these", plot, icon="scatter_plot", key="plot these")
        if not page.total:
            states.nothing(_NO_LOANS if role is None else "It has this role in no loan.")
        elif page.items:
            table.of_party(page.items, today, f"loans of {name}", _ROLE)
            paging.bar(page)
        else:
            beyond_last(page, "page")


def _plot(name: str, role: Role | None) -> None:
    """To the plot of all its loans: no filter of loans says what a party is to them."""
    numbers: list[str] = []
    with session.lease():
        for at in range(1, MOST_NUMBERS // _EACH + 1):
            page = session.ask(Dossiers.loans_of, name, Query(page=at, per_page=_EACH), role)
            numbers += [one.loan_number for one in page.items]
            if at * _EACH >= page.total:
                break
    links.open_page(EXPLORE, {"set": bulk.keep(tuple(numbers))})


_ROLE: Final[Column[Mapping[str, Any]]] = Column(
    "role", "Its role", lambda values: said.of_loan(values["roles"])
)


def _role_switch(found: Exposure, role: Role | None, begun: Role | None) -> None:
    """Which of its loans are listed; it goes to the address by the session's "role"."""
    listed = [one.role for one in found.roles if one.loans or one.role == role]
    if listed:
        st.pills(
            "Role",
            listed,
            format_func=lambda one: text.label(said.LABELS[one]),
            label_visibility="collapsed",
            **address.widget("role", address.first_page, begun),
        )
