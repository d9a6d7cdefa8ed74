"""The loan filters: query field, widget, URL parameter and sentence, in one table."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, Final, Literal

import streamlit as st

from components.frame import address, paging
from components.frame.routes import LOANS
from components.kit import severity
from components.kit.formatting import day, dollars
from services.contract.errors import InvalidRequest
from services.contract.queries import LoanQuery
from services.contract.vocabulary import SEVERITIES, STATES

EARLIEST: Final = date(1900, 1, 1)
LATEST: Final = date(2200, 12, 31)


class LoanView(LoanQuery):
    """The Loans page: a loan query, as a table or with a map of its cities."""

    map: Literal["cities"] | None = None

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "map"})

    def query(self) -> LoanQuery:
        """The specification's part."""
        return LoanQuery(**{name: getattr(self, name) for name in LoanQuery.model_fields})


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter: how it is asked for and how it reads."""

    name: str
    draw: Callable[[str], Any]
    clause: Callable[[Any], str]


def _state(key: str) -> str | None:
    return st.selectbox(
        "State",
        list(STATES),
        index=None,
        format_func=lambda code: f"{code} {STATES[code]}",
        placeholder="All states",
        key=key,
        on_change=address.first_page,
    )


def _lender(key: str) -> str | None:
    return st.text_input(
        "Lender",
        value=None,
        placeholder="Any debt layer",
        max_chars=200,
        key=key,
        help="Lender or servicer of any debt layer; accents, case and LLC do not count.",
        on_change=address.first_page,
    )


def _dollars(label: str) -> Callable[[str], int | None]:
    def draw(key: str) -> int | None:
        return st.number_input(
            label,
            value=None,
            min_value=0,
            max_value=10**12,
            step=1_000_000,
            placeholder="USD",
            key=key,
            on_change=address.first_page,
        )

    return draw


def _date(label: str) -> Callable[[str], date | None]:
    def draw(key: str) -> date | None:
        return st.date_input(
            label,
            value=None,
            min_value=EARLIEST,
            max_value=LATEST,
            format="YYYY-MM-DD",
            key=key,
            on_change=address.first_page,
        )

    return draw


def _rate_pressure(key: str) -> str | None:
    return st.selectbox(
        "Rate pressure",
        list(SEVERITIES),
        index=None,
        format_func=severity.label,
        placeholder="Any",
        key=key,
        help="How far today's refinancing rate is above the coupon, less urgent far from maturity.",
        on_change=address.first_page,
    )


FILTERS: Final = (
    Filter("state", _state, lambda v: f"in {STATES.get(v, v)}"),
    Filter("lender", _lender, lambda v: f"lent by or serviced by “{v}”"),
    Filter("min_balance", _dollars("Book value from"), lambda v: f"of at least {dollars(v)}"),
    Filter("max_balance", _dollars("Book value to"), lambda v: f"of at most {dollars(v)}"),
    Filter("maturity_after", _date("Matures after"), lambda v: f"maturing after {day(v)}"),
    Filter("maturity_before", _date("Matures before"), lambda v: f"maturing before {day(v)}"),
    Filter("rate_pressure", _rate_pressure, lambda v: f"under {v} rate pressure"),
)


def loan_view() -> LoanView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    if address.asked(LoanView, LOANS, _offered) is None:
        return None
    columns = st.columns([1.1, 1.5, 1, 1, 1, 1, 1.1], gap="small")
    values: dict[str, Any] = {}
    for column, one in zip(columns, FILTERS, strict=True):
        with column:
            values[one.name] = one.draw(one.name) or None
    looks = {name: st.session_state[name] for name in ("page", "per_page", "map")}
    view = LoanView(**values, **looks)
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


def _offered(query: LoanQuery) -> None:
    """Raises InvalidRequest for values that are sound but that no widget here can hold."""
    if query.rate_pressure and query.rate_pressure not in SEVERITIES:
        raise InvalidRequest(
            f"Parameter 'rate_pressure' is '{query.rate_pressure}' but must be one of"
            f" {', '.join(SEVERITIES)}",
            parameter="rate_pressure",
        )
    paging.check(query)
    for name in ("maturity_before", "maturity_after"):
        value = getattr(query, name)
        if value is not None and not EARLIEST <= value <= LATEST:
            raise InvalidRequest(
                f"Parameter '{name}' is '{value}' but must lie from {EARLIEST} to {LATEST}",
                parameter=name,
            )
    for name in ("min_balance", "max_balance"):
        value = getattr(query, name)
        if value is not None and not 0 <= value <= 10**12:
            raise InvalidRequest(
                f"Parameter '{name}' is '{value}' but must lie from 0 to 1,000,000,000,000",
                parameter=name,
            )


def sentence(query: LoanQuery) -> str:
    """What is shown, in words: Loans in Texas maturing before 1 Jan 2028."""
    clauses = [one.clause(v) for one in FILTERS if (v := getattr(query, one.name)) is not None]
    return f"Loans {', '.join(clauses)}" if clauses else "All loans"
