"""Which of the two looks the browser shows."""

from typing import Final

import streamlit as st

#: The one colour of what nothing else colours: bars, a line, the edge of what is chosen. On a light
#: page and on a dark one.
ACCENT: Final = ("#1f5fa8", "#8fc1ff")


def dark() -> bool:
    """Whether the page is dark."""
    return st.context.theme.type == "dark"
