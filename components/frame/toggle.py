"""A toggle: whether something is on. Drawn by components/assets/toggle.js."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.kit.asset import asset

HTML: Final = asset("toggle.html")
CSS: Final = asset("toggle.css")
JS: Final = asset("toggle.js")
# In the page's own document: find and select reach into it.
_draw: Final = st.components.v2.component(
    "atlas_toggle", html=HTML, css=CSS, js=JS, isolate_styles=False
)


def toggle(
    name: str,
    label: str,
    *,
    help_text: str = "",
    disabled: bool = False,
    on_turn: Callable[[], None] | None = None,
) -> bool:
    """Draws it; whether it is on, which stands in the session's state by `name`. `on_turn` is
    called after it was turned, before the page runs again.
    """
    key = f"toggle of {name}"
    on = bool(st.session_state.setdefault(name, False))

    def turned() -> None:
        # The browser is believed in nothing but that it is on or off.
        sent = st.session_state[key].get("turned")
        if isinstance(sent, bool) and not disabled:
            st.session_state[name] = sent
            if on_turn:
                on_turn()

    _draw(
        key=key,
        data={"label": label, "on": on, "help": help_text, "disabled": disabled},
        width="content",
        on_turned_change=turned,
    )
    return on
