"""Who and what the book is concentrated in: its ten largest of each kind."""

from typing import Final

import streamlit as st

from components.frame import states
from components.kit.card import card
from components.loans import ranking
from services.contract import endpoints
from services.contract.loan_filter import LoanFilter
from services.contract.source import GroupBy

_KINDS: Final[tuple[GroupBy, ...]] = ("lender", "sponsor", "state", "property_type")


def concentration() -> None:
    """Index, effective number and the ten largest by lender, sponsor, state and property type."""
    for pair in (_KINDS[:2], _KINDS[2:]):
        for column, by in zip(st.columns(2, gap="small"), pair, strict=True):
            heading = f"Concentration by {ranking.GROUPS[by].lower()}"
            with column, card(heading, level=2), states.panel(endpoints.LOANS):
                ranking.shown(LoanFilter(), by, most=10)
