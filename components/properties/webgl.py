"""Whether the browser can draw what deck.gl draws, as remote desktops often cannot, and how wide;
and how a map is zoomed: by buttons, and by the wheel with Ctrl, so that a page scrolls past it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from components.kit.component import component
from components.platform.class_name import of_key
from components.properties.base import NARROW, WIDE, Size
from services.contract.properties import Sides

#: Session keys: whether this browser said that it has no WebGL, and how wide its page is.
_MISSING: Final = "webgl missing"
_PAGE: Final = "map page"
_KEY: Final = "webgl"
_PAGES: Final = ("narrow", "middle", "wide")
_WIDE: Final = "wide"
_SIDES: Final = TypeAdapter[Sides](Sides)
_look: Final = component("webgl", [], ["viewing.js", "webgl.js"])


def missing() -> bool:
    """Whether the browser has said that it has no WebGL."""
    return bool(st.session_state.get(_MISSING))


def size() -> Size:
    """What a map is wide and high at least, in pixels."""
    return NARROW if st.session_state.get(_PAGE) == "narrow" else WIDE


def has_room() -> bool:
    """Whether a list has room beside a map."""
    return bool(st.session_state.get(_PAGE, _WIDE) == _WIDE)


def check(map_key: str, on_moved: Callable[[Sides | None], None] | None = None) -> None:
    """Asks the browser, which answers only if it has none, or its page is not as wide as it was
    held to be: then the page is drawn again. Its buttons zoom the map of that key.

    `on_moved` is called, before the page runs again, with what shows of a map that was moved, or
    None where all of it shall show.
    """

    def moved() -> None:
        try:
            sides = _SIDES.validate_python(st.session_state[_KEY].get("moved"))
        except ValidationError:  # a browser is trusted with nothing else
            return
        if on_moved:
            on_moved(sides)

    def whole() -> None:
        if on_moved:
            on_moved(None)

    _look(
        key=_KEY,
        data={
            "page": st.session_state.get(_PAGE, _WIDE),
            "map": of_key(map_key),
            "moves": bool(on_moved),
        },
        on_missing_change=partial(_note, _MISSING, "missing", (True,)),
        on_page_change=partial(_note, _PAGE, "page", _PAGES),
        on_moved_change=moved,
        on_whole_change=whole,
    )


def _note(name: str, trigger: str, offered: Sequence[object]) -> None:
    said = st.session_state[_KEY].get(trigger)
    if said in offered:
        st.session_state[name] = said
