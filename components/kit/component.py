"""Our own components: each is drawn by files of components/assets."""

from collections.abc import Callable, Iterable

import streamlit as st

from components.kit.asset import asset


def component(
    name: str, css: Iterable[str], js: Iterable[str], html: str = ""
) -> Callable[..., object]:
    """Draws what it is sent by these styles and scripts, in the page of its name or in `html`.

    In the page's own document: find, select, print and atlas.css reach into it.
    """
    return st.components.v2.component(
        f"atlas_{name}",
        html=asset(html or f"{name}.html"),
        css=asset(*css),
        js=asset(*js),
        isolate_styles=False,
    )
