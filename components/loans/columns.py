"""The columns of a result of loans: how each is written, and the sets to choose from."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Final

import streamlit as st

from components.frame import licence
from components.frame.ledger import Column
from components.kit import severity, text
from components.kit.fields import written
from components.kit.formatting import MISSING, day, distance, fixed, money, percent, place, words
from services.contract.columns import COLUMN, ORDERS
from services.contract.records import Loan

Values = Mapping[str, Any]
#: Sets of columns by name.
Presets = Mapping[str, tuple[str, ...]]

#: Sets by name, each after the columns that every result begins with.
PRESETS: Final[Presets] = {
    "terms": ("lender_normalized", "book_value", "interest_rate", "maturity_date", "rate_pressure",
              "confidence_tier"),
    "credit": ("book_value", "worst_severity", "rank_in_type", "dscr", "ltv", "debt_yield", "noi",
               "occupancy", "payment_status"),
    "refinance": ("book_value", "maturity_date", "interest_rate", "refi_rate", "rate_gap_bp",
                  "proforma_dscr", "dollars_short", "worst_severity"),
    "urgent": ("worst_severity", "dollars_short", "dscr", "book_value", "maturity_date",
               "rate_gap_bp", "sponsor"),
    "parties": ("book_value", "lender_normalized", "borrower", "sponsor", "sponsor_share",
                "confidence_tier"),
}  # fmt: skip
#: What the API's list of loans has.
LISTED: Final = tuple(name for name in Loan.model_fields if name in COLUMN)
#: What every result begins with.
FIRST: Final = ("loan_number", "property_type", "property_city")
#: Columns that name who borrows or stands behind, or say how much of it is theirs.
_SHORT: Final = frozenset({"book_value", "worst_severity", "rate_pressure"})
#: How a list writes what the loan's own page writes in another way: by name or kind.
_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "interest_rate": percent,
    "borrower": str,
    "sponsor": str,
    "dollars": money,
    "severity": severity.label,
    "tier": words,
    "percentile": lambda value: f"P{fixed(value)}",
}
_HELP: Final = {
    "book_value": "Carrying amount in US dollars.",
    "confidence_tier": "Tier of the weakest link of the resolved ownership chain.",
    "dscr": "Of the latest filed period, else as underwritten.",
    "rank_in_type": "P94: more urgent than 94 % of the loans of its type. Worst signal first, then "
    "dollars short, DSCR under the type's minimum, book value. An order, never a probability.",
    "sponsor": "The sponsor or owner with the largest book behind it, over probable links: one for "
    "each loan. The Sponsors page counts a loan under every one that stands behind it.",
    "dollars_short": "Balance at maturity less the largest new loan at today's refi rate.",
    "proforma_dscr": "In the convention in which the loan pays now, on the balance at maturity.",
}


def names_of(chosen: str, presets: Presets = PRESETS) -> tuple[str, ...]:
    """The columns that `chosen` means, a preset or names with commas between, first ones first."""
    listed = presets.get(chosen) or tuple(chosen.split(","))
    return tuple(dict.fromkeys((*FIRST, *(name for name in listed if name in COLUMN))))


def needed(names: Sequence[str]) -> tuple[str, ...]:
    """What has to be asked for: these columns, and those that the API's list has."""
    return tuple(dict.fromkeys((*LISTED, *names)))


def opened(names: Sequence[str]) -> tuple[str, ...]:
    """What a page asks for: those needed that the tier opens that it is seen as (D82)."""
    return licence.columns(needed(names))


def chooser(chosen: str, presets: Presets = PRESETS) -> None:
    """The choice of columns; it goes to the address by the session's "columns"."""
    with st.popover(text.label("Columns"), icon=":material/view_column:"):
        st.pills(
            "Set",
            list(presets),
            default=chosen if chosen in presets else None,
            key="column set",
            format_func=lambda name: text.label(words(name)),
            on_change=_take_preset,
        )
        now = [name for name in licence.columns(names_of(chosen, presets)) if name not in FIRST]
        st.session_state["columns chosen"] = now
        st.multiselect(
            "Columns, in this order",
            [name for name in licence.columns(COLUMN) if name not in FIRST],
            key="columns chosen",
            format_func=lambda name: text.label(COLUMN[name].label),
            on_change=partial(_take_columns, presets),
        )


def _take_preset() -> None:
    if preset := st.session_state["column set"]:
        st.session_state["columns"] = preset


def _take_columns(presets: Presets) -> None:
    listed = ",".join(st.session_state["columns chosen"])
    same = next((name for name, preset in presets.items() if ",".join(preset) == listed), listed)
    st.session_state["columns"] = same or next(iter(presets))


def columns(names: Sequence[str], today: date, *, order: bool) -> tuple[Column[Values], ...]:
    """Columns of a result; `order` says whether their heads order all of it. Those of parties are
    left out where the tier that pages are seen as does not open them (D82).
    """
    made = []
    for name in licence.columns(names):
        made.append(_column(name, order=order and name in ORDERS))
        if name == "maturity_date":
            made.append(_due(today))
    return tuple(made)


def _column(name: str, *, order: bool) -> Column[Values]:
    fact = COLUMN[name]
    return Column(
        name,
        "City" if name == "property_city" else fact.label,
        lambda values: _written(name, values),
        figure=fact.is_figure,
        order=order,
        help=_HELP.get(name),
        short=name in _SHORT,
    )


def _due(today: date) -> Column[Values]:
    return Column(
        "due",
        "Due",
        lambda values: distance(values["maturity_date"], today),
        figure=True,
        help=f"Counted from {day(today)}.",
    )


def _written(name: str, values: Values) -> str:
    """A value as a list shows it: money and coupons shorter than on the loan's own page."""
    value = values.get(name)
    if name == "property_city":
        return place(value, values.get("property_state"))
    if value is None:
        return MISSING
    write = _WRITERS.get(name) or _WRITERS.get(COLUMN[name].kind)
    return write(value) if write else written(name, value)
