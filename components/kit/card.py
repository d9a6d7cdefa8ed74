"""A bordered card with a heading that states what is shown: one view each; what opens on more."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.kit import text


@contextmanager
def card(heading: str, *, level: int = 3) -> Iterator[None]:
    """Draws what the block draws inside a card. `level` follows the heading above it: 2 or 3."""
    with st.container(border=True):
        text.heading(heading, level=level)
        yield


def opened(label: str, key: str) -> DeltaGenerator | None:
    """What opens on more of a view: where to draw that, once it is open; None while it is not.

    A table that nobody opens would cost a browser as much as one that everybody sees.
    """
    found = st.expander(text.label(label), key=key, on_change="rerun")
    return found if found.open else None
