"""A headline figure: a bordered metric with a second line that says of what."""

import streamlit as st


def figure(label: str, value: str, of_what: str, help_text: str | None = None) -> None:
    """One metric; the second line is set as its neutral delta."""
    st.metric(
        label, value, of_what, delta_color="off", delta_arrow="off", border=True, help=help_text
    )
