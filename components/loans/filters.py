"""The Loans page: what it is asked for, its filters, and what it shows in words."""

from typing import ClassVar, Final, Literal

import streamlit as st

from components.frame import address, filters, paging
from components.frame.routes import LOANS
from services.contract.queries import LoanFilter

FILTERS: Final = (
    filters.STATE,
    filters.PROPERTY_TYPE,
    filters.LENDER,
    filters.MIN_BALANCE,
    filters.MAX_BALANCE,
    filters.MATURITY_AFTER,
    filters.MATURITY_BEFORE,
    filters.RATE_PRESSURE,
)
_WIDTHS: Final = (1.1, 1, 1.3, 0.9, 0.9, 1, 1, 1)


class LoanView(LoanFilter):
    """The loans asked for, as a table or with a map of their cities."""

    map: Literal["cities"] | None = None

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "map"})

    def filter(self) -> LoanFilter:
        """What is asked for, however it is looked at."""
        return LoanFilter(**{name: getattr(self, name) for name in LoanFilter.model_fields})


def loan_view() -> LoanView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    if address.asked(LoanView, LOANS, _check) is None:
        return None
    chosen = filters.drawn(FILTERS, _WIDTHS)
    looks = {name: st.session_state[name] for name in ("page", "per_page", "map")}
    view = LoanView(**chosen, **looks)
    address.settle(view)
    return view


def map_switch() -> None:
    """Shows or hides the map of cities."""
    st.pills(
        "Map",
        ["cities"],
        format_func=lambda _: "Map of cities",
        key="map",
        label_visibility="collapsed",
    )


def _check(view: LoanView) -> None:
    filters.check(FILTERS, view)
    paging.check(view)


def sentence(view: LoanFilter) -> str:
    """What is shown, in words: Office loans in Texas, maturing before 1 Jan 2028."""
    return filters.sentence("loans", FILTERS, view, between=", ")
