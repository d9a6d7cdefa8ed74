"""Words side by side, one of which is chosen: how a view is looked at."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from components.frame import address
from components.kit import text


def switch(
    name: str,
    label: str,
    options: Mapping[Any, str],
    on_choice: Callable[[], None] | None = None,
    help_text: str | None = None,
) -> None:
    """Draws the words of `options`, each with its label; what is chosen stands in the session's
    state by `name`, None for the option "". `on_choice` is called after it changed, before the page
    runs again.
    """
    st.segmented_control(
        text.label(label),
        list(options),
        format_func=lambda word: text.label(options[word]),
        required=True,
        label_visibility="collapsed",
        help=text.label(help_text),
        **address.widget(name, on_choice, "" if "" in options else None),
    )
