"""Words side by side, one of which is chosen: how a view is looked at.

Drawn by components/assets/switch.js. Streamlit's segmented control asks for its width once it is
drawn, and a page with matrices is laid out once more for that: 24 to 31 ms.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import streamlit as st

from components.kit.asset import asset

HTML: Final = asset("switch.html")
CSS: Final = asset("switch.css")
JS: Final = asset("switch.js")
# In the page's own document: find and select reach into it.
_draw: Final = st.components.v2.component(
    "atlas_switch", html=HTML, css=CSS, js=JS, isolate_styles=False
)


def switch(
    name: str,
    label: str,
    options: Mapping[str, str],
    on_choice: Callable[[], None] | None = None,
) -> None:
    """Draws the words of `options`, each with its label; what is chosen stands in the session's
    state by `name`. `on_choice` is called after it changed, before the page runs again.
    """
    key = f"switch of {name}"
    data: dict[str, Any] = {
        "name": name,
        "label": label,
        "chosen": st.session_state[name],
        "options": list(options.items()),
    }

    def chosen() -> None:
        # The browser is believed in nothing but a word that was offered.
        word = st.session_state[key].get("chosen")
        if isinstance(word, str) and word in options:
            st.session_state[name] = word
            if on_choice:
                on_choice()

    _draw(key=key, data=data, width="content", on_chosen_change=chosen)
