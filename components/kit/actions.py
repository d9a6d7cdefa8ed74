"""Buttons and choices that go with a list: one row, which scrolls on a narrow page."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from components.kit import text
from components.platform.types import DeltaGenerator


def actions(key: str) -> DeltaGenerator:
    """The row, to be drawn in; atlas.css knows it by "actions-" before its key."""
    return st.container(
        horizontal=True,
        horizontal_alignment="right",
        vertical_alignment="center",
        key=f"actions-{key}",
    )


@contextmanager
def beside(strong: str, rest: str = "", *, key: str) -> Iterator[None]:
    """Draws what the block draws as actions, to the right of what the list is."""
    with st.container(horizontal=True, vertical_alignment="center"):
        text.lead(strong, rest, width="content")
        with actions(key):
            yield
