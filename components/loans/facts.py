"""The facts of one loan: capital stack, terms, performance, properties, further fields."""

from datetime import date

import streamlit as st

from components.frame import states
from components.kit import fields, tables, text
from components.kit.card import card
from components.kit.formatting import count, day, money, percent, place, share, words
from services.contract.records import LoanDetail


def stack(loan: LoanDetail) -> None:
    """The debt by layer, paid first to last."""
    layers = loan.extended.get("debt_layers") or ()
    with card("Capital stack by layer"):
        if not layers:
            states.nothing("The source gives no debt layers for this loan.")
            return
        whole = sum(layer.get("amount") or 0 for layer in layers)
        rows = [
            {
                "Position": words(layer["position"]),
                "Layer": words(layer["layer"]).replace("Cmbs", "CMBS"),
                "Lender": layer.get("lender") or "—",
                "Amount": money(layer.get("amount")),
                "Share": share(layer.get("amount") or 0, whole),
                "Rate": percent(layer.get("interest_rate")),
                "Servicer": layer.get("servicer") or "—",
            }
            for layer in layers
        ]
        tables.plain(rows, "stack", "Capital stack", figures=("Amount", "Share", "Rate"))
        if loan.extended.get("partial_note") and (debt := loan.extended.get("whole_loan_debt")):
            text.caption(
                f"Shares are of the layers listed. The loan is part of a {money(debt)} whole loan "
                "whose other notes the source does not list (D22)."
            )


def all_fields(loan: LoanDetail) -> None:
    """Every field: known ones with their unit in two cards, further ones as they came (D17)."""
    values = {name: getattr(loan, name) for name in LoanDetail.model_fields} | dict(loan.extended)
    left, right = st.columns(2, gap="small")
    with left, card("Terms and property"):
        tables.facts(fields.rows(values, "terms"), "terms", "Terms and property")
    with right, card("Performance and refinancing"):
        shown = fields.rows(values, "performance")
        tables.facts(shown, "performance", "Performance and refinancing")
    _properties(loan)
    more = fields.further(loan.extended)
    half = (len(more) + 1) // 2
    with card("Further fields"):
        if more:
            left, right = st.columns(2, gap="small")
            with left:
                tables.facts(more[:half], "further", "Further fields")
            if more[half:]:
                with right:
                    tables.facts(more[half:], "further_rest", "Further fields, continued")
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
        tables.plain(rows, "properties", "Properties", figures=("Value", "NOI", "Occupancy"))
