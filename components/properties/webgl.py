"""Whether the browser can draw what deck.gl draws: remote desktops often cannot."""

from typing import Final

import streamlit as st

from components.kit.asset import asset

#: Session key: whether this browser said that it has no WebGL.
_MISSING: Final = "webgl missing"
_KEY: Final = "webgl"
HTML: Final = "<span></span>"
JS: Final = asset("webgl.js")
_look: Final = st.components.v2.component("atlas_webgl", html=HTML, js=JS)


def missing() -> bool:
    """Whether the browser has said that it has none."""
    return bool(st.session_state.get(_MISSING))


def check() -> None:
    """Asks the browser, which answers only if it has none: then the page is drawn again."""
    _look(key=_KEY, on_missing_change=_note, height=1)


def _note() -> None:
    st.session_state[_MISSING] = True
