"""Drawings whose parts are links: bars, maps and matrices of states, flows.

Real links, so that a keyboard walks them, a screen reader reads them and a click with Ctrl opens a
tab. Plotly's scripts take longer to run than all else on a page, and run in every tab again.
components/assets/linked.js has what the drawings share, sized.js how wide they are; each is drawn
by a script of its own, as text only.
"""

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.kit.asset import asset

HTML: Final = asset("linked.html")
CSS: Final = asset("linked.css") + asset("zoom.css") + asset("tip.css")
_SHARED: Final = asset("sized.js") + asset("linked.js")


def script(*names: str) -> str:
    """The script of a drawing, after what it shares with some and what all share."""
    return _SHARED + "".join(asset(f"{name}.js") for name in names)


def drawing(name: str, *before: str) -> Callable[..., object]:
    """Draws what it is sent by the script of that name, after those that it needs `before`. In the
    page's own document, as the tables are.
    """
    JS = script(*before, name)  # noqa: N806 - tests/test_door_for_words.py knows scripts by it
    return st.components.v2.component(
        f"atlas_{name}", html=HTML, css=CSS, js=JS, isolate_styles=False
    )
