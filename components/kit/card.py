"""A bordered card with a heading that states what is shown: one view each; what a page says first;
what opens on more.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from components.kit import severity, text
from components.kit.text import Markup, element
from components.platform.types import DeltaGenerator


@contextmanager
def card(heading: str, *, level: int = 3, part: str = "", tall: bool = False) -> Iterator[None]:
    """Draws what the block draws inside a card. `level` follows the heading above it: 2 or 3.
    `part` is what the links beside a long page call it (text.parts). One that is `tall` is as high
    as the column beside it.
    """
    with st.container(border=True, height="stretch" if tall else "content"):
        text.heading(heading, level=level, part=part)
        yield


def abreast(draws: Sequence[Callable[[], object]]) -> None:
    """What draws one card each, side by side; on a phone one below the other."""
    places = st.container(key="abreast").columns(len(draws), gap="small") if draws else ()
    for place, draw in zip(places, draws, strict=True):
        with place:
            draw()


def hero(body: str, worst: str | None) -> DeltaGenerator:
    """What a page says first, in the colour of the worst signal, which stands before it.

    Returns the place of what follows on the same ground.
    """
    place = ground(worst)
    with place:
        chip = severity.chip(severity.label(worst)) if severity.rank(worst) >= 0 else ""
        text.show(element("h2", chip, Markup(" "), body, class_="atlas-hero", id="summary"))
    return place


def ground(worst: str | None) -> DeltaGenerator:
    """A place in the colour of a severity; without one of the five in that of none."""
    graded = worst if severity.rank(worst) >= 0 else "none"
    return st.container(key=f"hero {graded}", gap="xsmall")


def opening(label: str, key: str, draw: Callable[[], object]) -> None:
    """What opens on more of a view, drawn once it is open.

    A table that nobody opens would cost a browser as much as one that everybody sees.
    """
    found = st.expander(text.label(label), key=key, on_change="rerun")
    if found.open:
        with found:
            draw()
