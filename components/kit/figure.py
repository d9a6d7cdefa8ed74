"""A headline figure: a bordered metric with a second line that says of what."""

import streamlit as st

from components.kit import text


def figure(label: str, value: str, of_what: str, help_text: str | None = None) -> None:
    """One metric; the second line is set as its neutral delta."""
    st.metric(
        text.label(label),
        text.label(value),
        text.label(of_what),
        delta_color="off",
        delta_arrow="off",
        border=True,
        help=text.label(help_text),
    )
