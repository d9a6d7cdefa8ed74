"""The facts of one loan: terms, performance, properties, further fields."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

import streamlit as st

from components.frame import states
from components.kit import fields, tables, text
from components.kit.formatting import day, fraction, money, place, words
from components.kit.text import element
from services.contract.records import LoanDetail

#: Said only where it is so.
_FLAGS: Final = ("debt_at_least", "partial_note", "sums_notes")
#: What repeats another fact where the two are equal.
_REPEATS: Final = {
    "maturity_date": "effective_maturity",
    "debt_due": "whole_loan_debt",
    "own_dollars_short": "dollars_short",
}
#: What is of a loan that owes something: the filing of one that has ended still calls it current.
_OF_DEBT: Final = (
    *("whole_loan_debt", "whole_loan_basis", "debt_due", "own_debt_service", "reference_series"),
    *("exemption", "payment_status", "special_servicing"),
)
#: What the last filing of a loan that has ended falls back on: its value when it was lent.
_OLDER_VALUE: Final = ("value", "value_date")


def panel(loan: LoanDetail, *, ended: bool) -> None:
    """All facts, with their units, each card closed: terms, performance, and every field that has
    no place of its own, as it came (D17); then where they are from.
    """
    values = {name: getattr(loan, name) for name in LoanDetail.model_fields} | dict(loan.extended)
    told = telling(values, ended=ended)
    of_one = {
        "Terms and property": fields.rows(told, "terms"),
        # Of one that has ended: how it went.
        "Performance" if ended else "Performance and refinancing": fields.rows(told, "performance"),
        "Further fields": fields.further(loan.extended),
    }
    with st.container(key="all-fields"):
        columns = st.columns(len(of_one))
    for at, (column, (heading, rows)) in enumerate(zip(columns, of_one.items(), strict=True)):
        of = (
            tables.of_facts(rows, heading)
            if rows
            else element("p", "The source states none of it.")
        )
        with column:
            text.closed(heading, of, part="" if at else "fields")
    extended = loan.extended
    as_of = extended.get("as_of")
    when = day(date.fromisoformat(as_of)) if isinstance(as_of, str) else "—"
    text.sentence(
        f"Source: {extended.get('source', '—')}, as of {when};"
        f" {extended.get('provenance', 'provenance not given')}."
    )


def telling(values: Mapping[str, Any], *, ended: bool) -> dict[str, Any]:
    """The facts without what says nothing more of this loan."""
    left_out = {name for name in _FLAGS if not values.get(name)} | set(_OF_DEBT if ended else ())
    if ended and values.get("last_value") is not None:
        left_out |= set(_OLDER_VALUE)
    if not ended and values.get("realized_loss") == 0:  # what none was lost on goes on
        left_out.add("realized_loss")
    for name, other in _REPEATS.items():
        if values.get(name) is not None and str(values[name]) == str(values.get(other)):
            left_out.add(name)
    return {name: value for name, value in values.items() if name not in left_out}


def properties(loan: LoanDetail) -> None:
    """The properties of a loan as a table; one of many scrolls."""
    listed = loan.extended.get("properties") or ()
    if not listed:
        states.nothing("The source lists no properties of this loan.")
    rows = [
        {
            "Property": one.get("property_name") or "—",
            "Address": one.get("address") or "—",
            "City": place(one.get("city"), one.get("state")),
            "Type": words(one.get("property_type")),
            "Value": money(one.get("value")),
            "NOI": money(one.get("noi")),
            "Occupancy": fraction(one.get("occupancy")),
            "Built": str(one.get("year_built") or "—"),
        }
        for one in listed
    ]
    figures = ("Value", "NOI", "Occupancy")
    tables.plain(rows, "Properties", figures=figures, scrolls=True)
