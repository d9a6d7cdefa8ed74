"""The ten largest loans of a pool, beside a map of its properties."""

from dataclasses import replace
from datetime import date
from typing import Final

import streamlit as st

from components.frame import links, scope, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN, LOANS, MAP
from components.kit.card import card
from components.kit.formatting import count, money, share, spelled
from components.loans import columns
from components.maps import places
from services.contract.loan_filter import LoanFilter
from services.contract.properties import Properties, PropertyFilter
from services.contract.rounding import number_of
from services.contract.source import Screens

_TEN: Final = 10
_NAMES: Final = ("loan_number", "property_type", "worst_severity", "book_value", "dscr", "ltv")


def panel(today: date) -> None:
    """Both cards, which end together."""
    left, right = st.columns([1, 1.15], gap="small")
    with left:
        _map()
    with right:
        _largest(today)


def _largest(today: date) -> None:
    within = LoanFilter(scope=scope.chosen())
    asked = within.model_copy(update={"order": "-book_value", "per_page": _TEN})
    found = session.ask(Screens.loans_found, asked, columns.opened(_NAMES))
    whole = session.ask(Screens.loan_totals, within).book_value
    held = sum(one.values["book_value"] or 0 for one in found.items)
    number = spelled(len(found.items)).capitalize()
    with card(f"{number} largest: {money(held)}, {share(held, whole)}", level=2):
        first, *rest = columns.columns(_NAMES, today, order=False)
        ledger(
            [first, *(_barred(one) for one in rest)],
            [one.values for one in found.items],
            opens=lambda values: (LOAN, values["loan_number"]),
            caption="Largest loans",
        )
        if found.total > _TEN:
            params = {"order": "-book_value"}
            links.link(LOANS, f"All {count(found.total)} by book value", "arrow_forward", params)


def _barred(one: Column[columns.Values]) -> Column[columns.Values]:
    """The column, a bar behind book values."""
    if one.name != "book_value":
        return one
    return replace(one, bar=lambda values: values["book_value"])


def _map() -> None:
    query = PropertyFilter(scope=scope.chosen())
    found = [
        row
        for batch in session.ask_large(Properties.property_batches, query)
        for row in batch.to_pylist()
    ]
    states = len({one["state"] for one in places.on_map(found)})
    among = f" in {count(states)} states" if states > 1 else ""
    with card(f"{number_of(len(found), 'property', 'properties')}{among}", level=2):
        places.drawing(found, len(found), "pool_map")
        links.link(MAP, "On the Map page", "map")
