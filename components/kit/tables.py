"""Tables as they stand: figures right-aligned, one row a record."""

from collections.abc import Sequence
from typing import Any, Final

import streamlit as st

from components.kit import text

#: Pixels by column label; a table wider than its page scrolls sideways.
WIDTHS: Final = {
    "Loan": 165, "Property": 145, "City": 155, "Lender": 235, "Book value": 95, "Coupon": 80,
    "Matures": 105, "Due": 85, "Rate pressure": 110, "Ownership": 100, "Gap": 115,
    "Severity": 105, "Signal types": 190, "Rule": 130,
}  # fmt: skip


def figure_column(label: str, help_text: str | None = None) -> Any:  # noqa: ANN401 - Streamlit's own
    """The configuration of a column of figures: set to the right, as wide as its label needs."""
    return st.column_config.TextColumn(
        label, alignment="right", help=text.label(help_text), width=WIDTHS.get(label)
    )


def plain(
    rows: Sequence[dict[str, Any]],
    key: str,
    alt: str,
    *,
    figures: Sequence[str] = (),
    height: int | None = None,
) -> None:
    """A table as it stands; `figures` names the columns set to the right. Scrolls over `height`."""
    st.dataframe(
        list(rows),
        hide_index=True,
        key=key,
        height=height or "content",
        alt=alt,
        column_config={name: figure_column(name) for name in figures},
    )


def facts(pairs: Sequence[tuple[str, str]], key: str, alt: str) -> None:
    """Name and figure, one below the other."""
    plain([{"Fact": name, "Value": value} for name, value in pairs], key, alt)
