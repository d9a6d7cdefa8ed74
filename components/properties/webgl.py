"""Whether the browser can draw what deck.gl draws, which remote desktops often cannot; how wide."""

from functools import partial
from typing import Final

import streamlit as st

from components.kit.asset import asset
from components.properties.base import WIDTH

#: Session keys: whether this browser said that it has no WebGL, and that it is narrow.
_MISSING: Final = "webgl missing"
_NARROW: Final = "map narrow"
_KEY: Final = "webgl"
#: What a map is wide on a narrow page, in pixels.
_ON_NARROW: Final = 360
HTML: Final = "<span></span>"
JS: Final = asset("webgl.js")
_look: Final = st.components.v2.component("atlas_webgl", html=HTML, js=JS)


def missing() -> bool:
    """Whether the browser has said that it has no WebGL."""
    return bool(st.session_state.get(_MISSING))


def width() -> int:
    """How wide a map is at least, in pixels."""
    return _ON_NARROW if st.session_state.get(_NARROW) else WIDTH


def check() -> None:
    """Asks the browser, which answers only if it has none, or is not as wide as it was held to be:
    then the page is drawn again.
    """
    _look(
        key=_KEY,
        data={"narrow": bool(st.session_state.get(_NARROW))},
        on_missing_change=partial(_note, _MISSING, "missing"),
        on_narrow_change=partial(_note, _NARROW, "narrow"),
        height=1,
    )


def _note(name: str, trigger: str) -> None:
    said = st.session_state[_KEY].get(trigger)
    if isinstance(said, bool):
        st.session_state[name] = said
