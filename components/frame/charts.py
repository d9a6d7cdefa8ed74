"""A chart of Plotly on the page, and as a picture to take away.

How charts look is kit/chart.py; every chart comes to the page by here, so that all have one bar of
buttons, one way to be saved, and names of files that say what is in them.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

import streamlit as st

from components.frame import exports
from components.kit import chart, file_name, theme
from components.kit.component import component
from components.kit.text import escaped
from components.platform.class_name import of_key

#: Characters of what a browser says was clicked.
_LONGEST_MARK: Final = 1_000
_picture: Final = component("picture", [], ["picture.js"])


def show(  # one chart with all that is said of it
    figure: chart.Chart,
    *,
    key: str,
    what: str,
    shown: str = "",
    alt: str,
    origin: exports.Origin | None = None,
    selects: Iterable[Literal["points", "box", "lasso"]] = (),
    on_select: Literal["rerun"] | Callable[[], None] = "rerun",
    on_click: Callable[[str], None] | None = None,
) -> Any:  # noqa: ANN401 - what Streamlit holds of a selection
    """Draws it with its buttons. `what` and `shown` say what it shows and of which records, for
    the picture and its name; `origin` where these come from, the snapshot without it.

    Gives what is selected, where `selects` says how that is done. `on_click` is called with the
    first of a mark's `customdata` once it is clicked, before the page runs again: Streamlit tells
    of no click where boxes are drawn.
    """
    modes = tuple(selects)
    name = file_name.stem(what, shown)
    draws = bool(set(modes) & {"box", "lasso"})
    chart.inked(figure, dark=theme.dark())
    event = st.plotly_chart(
        figure,
        key=key,
        config=chart.config(name, draws=draws),
        alt=alt,
        on_select=on_select if modes else "ignore",
        selection_mode=modes or ("points",),
    )
    title = f"{what}: {shown}" if shown else what
    data = {
        "chart": of_key(key),
        "stem": name,
        "title": escaped(title),
        "note": escaped(_said(origin or exports.origin())),
        "clicks": on_click is not None,
    }
    picture = f"picture of {key}"

    def clicked() -> None:
        mark = st.session_state[picture].get("clicked")
        if on_click and isinstance(mark, str) and len(mark) <= _LONGEST_MARK:
            on_click(mark)

    _picture(key=picture, data=data, on_clicked_change=clicked)
    return event


def _said(of: exports.Origin) -> str:
    """As of 2026-09-30; Demonstration book (synthetic)."""
    return f"As of {of.as_of}; {of.source} ({of.provenance})"
