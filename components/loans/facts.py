"""The facts of one loan: terms, performance, properties, further fields."""

from datetime import date

import streamlit as st

from components.frame import states
from components.kit import fields, tables, text
from components.kit.card import card
from components.kit.formatting import count, day, money, percent, place, words
from services.contract.facts import Card
from services.contract.records import LoanDetail


def card_of(loan: LoanDetail, heading: str, part: Card) -> None:
    """The facts of one card, those that have a value, with their units."""
    values = {name: getattr(loan, name) for name in LoanDetail.model_fields} | dict(loan.extended)
    with card(heading):
        tables.facts(fields.rows(values, part), heading)


def further(loan: LoanDetail) -> None:
    """Properties, and every field that has no place of its own, as it came (D17)."""
    _properties(loan)
    more = fields.further(loan.extended)
    half = (len(more) + 1) // 2
    with card("Further fields"):
        if more:
            left, right = st.columns(2, gap="small")
            with left:
                tables.facts(more[:half], "Further fields")
            if more[half:]:
                with right:
                    tables.facts(more[half:], "Further fields, continued")
        else:
            states.nothing("The source says nothing beyond the fields above.")
        extended = loan.extended
        as_of = extended.get("as_of")
        when = day(date.fromisoformat(as_of)) if isinstance(as_of, str) else "—"
        text.sentence(
            f"Source: {extended.get('source', '—')}, as of {when};"
            f" {extended.get('provenance', 'provenance not given')}."
        )


def _properties(loan: LoanDetail) -> None:
    properties = loan.extended.get("properties") or ()
    with card(f"Properties ({count(len(properties))})"):
        if not properties:
            states.nothing("The source lists no properties of this loan.")
            return
        rows = [
            {
                "Property": one.get("property_name") or "—",
                "Address": one.get("address") or "—",
                "City": place(one.get("city"), one.get("state")),
                "Type": words(one.get("property_type")),
                "Value": money(one.get("value")),
                "NOI": money(one.get("noi")),
                "Occupancy": percent(100 * part, 1) if (part := one.get("occupancy")) else "—",
                "Built": str(one.get("year_built") or "—"),
            }
            for one in properties
        ]
        tables.plain(rows, "Properties", figures=("Value", "NOI", "Occupancy"))
