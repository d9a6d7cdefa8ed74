"""Buttons, and the row of those that go with a list, which scrolls on a narrow page."""

from collections.abc import Callable, Iterator
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


def button(
    label: str,
    press: Callable[[], None],
    *,
    icon: str = "",
    key: str | None = None,
    help_text: str | None = None,
    off: bool = False,
    quiet: bool = False,
) -> None:
    """A button that calls `press` before the page runs again; `icon` is the name of a Material
    symbol, a `quiet` one has no frame.
    """
    st.button(
        text.label(label),
        icon=f":material/{icon}:" if icon else None,
        key=key,
        help=text.label(help_text or None),
        type="tertiary" if quiet else "secondary",
        disabled=off,
        on_click=press,
    )


@contextmanager
def beside(strong: str, rest: str = "", *, key: str) -> Iterator[None]:
    """Draws what the block draws as actions, to the right of what the list is."""
    with st.container(horizontal=True, vertical_alignment="center"):
        text.lead(strong, rest, width="content")
        with actions(key):
            yield
