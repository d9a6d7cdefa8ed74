"""A bordered card with a heading that states what is shown: one view each; what opens on more."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from components.kit import text


@contextmanager
def card(heading: str, *, level: int = 3, part: str = "") -> Iterator[None]:
    """Draws what the block draws inside a card. `level` follows the heading above it: 2 or 3.
    `part` is what the links beside a long page call it (text.parts).
    """
    with st.container(border=True):
        text.heading(heading, level=level, part=part)
        yield


def opening(label: str, key: str, draw: Callable[[], object]) -> None:
    """What opens on more of a view, drawn once it is open.

    A table that nobody opens would cost a browser as much as one that everybody sees.
    """
    found = st.expander(text.label(label), key=key, on_change="rerun")
    if found.open:
        with found:
            draw()
