"""A bordered card with a heading that states what is shown: one view each."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from components.kit import text


@contextmanager
def card(heading: str, *, level: int = 3) -> Iterator[None]:
    """Draws what the block draws inside a card. `level` follows the heading above it: 2 or 3."""
    with st.container(border=True):
        text.heading(heading, level=level)
        yield
