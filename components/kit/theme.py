"""Which of the two looks the browser shows."""

import streamlit as st


def dark() -> bool:
    """Whether the page is dark."""
    return st.context.theme.type == "dark"
