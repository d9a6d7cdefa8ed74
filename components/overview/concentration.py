"""Who and what the book is concentrated in: its ten largest of each kind."""

from typing import Final

import streamlit as st

from components.frame import scope, session, states
from components.kit.card import card
from components.loans import ranking
from services.contract import endpoints
from services.contract.loan_filter import LoanFilter
from services.contract.source import GroupBy, Screens

#: Groups of each kind.
_MOST: Final = 10
_KINDS: Final[tuple[GroupBy, ...]] = ("lender", "sponsor", "state", "property_type")


def concentration() -> None:
    """Index, effective number and the ten largest by lender, sponsor, state and property type;
    what the sources do not state is not shown.
    """
    within = LoanFilter(scope=scope.chosen())
    sponsors = session.ask(Screens.loan_ranking, within, "sponsor", _MOST)
    kinds = [by for by in _KINDS if by != "sponsor" or ranking.stated(sponsors)]
    for pair in filter(None, (kinds[:2], kinds[2:])):
        for column, by in zip(st.columns(len(pair), gap="small"), pair, strict=True):
            heading = f"Concentration by {ranking.GROUPS[by].lower()}"
            with column, card(heading, level=2), states.panel(endpoints.LOANS):
                ranking.shown(within, by, most=_MOST)
