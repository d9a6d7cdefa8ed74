"""A picture of properties on a page: the map, what its colours mean, its files; what stands in its
place where a browser cannot draw it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

import streamlit as st

from components.frame import exports, session
from components.kit import text, theme
from components.kit.card import card
from components.kit.formatting import count, day
from components.kit.typesetting import typeset
from components.maps import places
from components.properties import deck, legend, paper, webgl
from components.properties.base import WIDE, Size
from components.properties.picture import POSITIONS, Picture, Points
from services.contract.properties import Properties, PropertyFilter, PropertyTotals, Sides
from services.contract.rounding import number_of

#: Points that are sent to a browser at most, and cells.
MOST_POINTS: Final = 10_000
MOST_CELLS: Final = 3_000
_SOURCE: Final = "Positions from GeoNames (CC BY 4.0), outlines from the US Census."
_FILE: Final = "credit-atlas-map"


class Make(Protocol):
    """Makes a picture, for a light page or a dark one; reads nothing."""

    def __call__(self, *, dark: bool, size: Size = WIDE, view: Sides | None = None) -> Picture:
        """The picture, which shows `view` first."""
        ...


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture, and what is said of it."""

    make: Make
    #: Which properties, in words.
    sentence: str
    #: What the colours say.
    title: str
    #: What else there is to know, as sentences.
    said: tuple[str, ...]
    #: Called with what a click chose, before the page runs again; None where nothing can be chosen.
    on_choice: Callable[[str | None], None] | None = None
    #: Called with the part of the map that shows, once it was moved, None for all of it; None where
    #: the page does not keep it.
    on_moved: Callable[[Sides | None], None] | None = None


def show(shown: Shown, key: str) -> None:
    """Draws it. Another `key` begins with the first view again."""
    drawn = shown.make(dark=theme.dark(), size=webgl.size())
    alt = f"Map of {count(len(drawn.names))} marks; the same stands in the table below"
    offered = [[drawn.names[at] for at in one.members] for one in drawn.classes]
    selects: dict[str, Any] = {}
    if choose := shown.on_choice:
        selects = {
            "on_select": lambda: choose(clicked(st.session_state[key], offered)),
            "selection_mode": "single-object",
        }
    st.pydeck_chart(
        deck.deck(drawn, dark=theme.dark()), height=drawn.fit.size[1], key=key, alt=alt, **selects
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        webgl.check(key, shown.on_moved)
        exports.pictures(_file(shown), f"{shown.sentence}, {shown.title}", _FILE)
    legend.legend(drawn.classes)
    text.caption(_note(shown, drawn))


def clicked(state: Any, offered: list[list[str]]) -> str | None:  # noqa: ANN401 - of a browser
    """What was clicked, if it is something that is drawn: by layer, what a click on each of its
    marks chooses. A browser is trusted with nothing else.
    """
    indices = state["selection"]["indices"]
    for number, names in enumerate(offered):
        for at in indices.get(deck.layer_id(number), ()):
            if isinstance(at, int) and 0 <= at < len(names):
                return names[at]
    return None


def _note(shown: Shown, drawn: Picture) -> str:
    """What is to be known beside the map."""
    said = ["Area is book value", *shown.said] if isinstance(drawn, Points) else [*shown.said]
    if outside := drawn.fit.outside:
        lie = "lies" if outside == 1 else "lie"
        there = number_of(outside, "property", "properties")
        said.append(f"{there} {lie} outside the first view, far from the others")
    return f"{'. '.join(said)}. {_SOURCE}"


def _file(shown: Shown) -> Callable[[exports.Form], bytes]:
    """What makes the file of a picture: as the map shows it first, light."""
    of = session.analytics().snapshot()

    def make(form: exports.Form) -> bytes:
        drawn = shown.make(dark=False)
        return typeset(
            "map.typ",
            {
                "title": shown.sentence,
                "shown": shown.title,
                "map": paper.svg(drawn),
                "legend": paper.legend(drawn),
                "note": _note(shown, drawn),
                "as_of": day(of.as_of),
                "source": "; ".join(source.title for source in of.sources),
            },
            form,
        )

    return make


def in_its_place(query: PropertyFilter, sentence: str) -> None:
    """Some thousand properties by place, the worst, for a browser without WebGL."""
    text.notice(
        "info",
        "This browser has no WebGL, which hexagons and single properties need; this map has a "
        "point for each place.",
        "map",
    )
    every = session.ask(Properties.property_totals, query).properties
    batches = session.ask_large(Properties.property_batches, query)
    with card(sentence, level=2):
        places.drawing(next(batches).to_pylist() if every else [], every, "places")


def kinds(totals: PropertyTotals) -> str:
    """12 by ZIP, 3 without a position."""
    known = [
        f"{count(number)} {POSITIONS[kind]}" for kind, number in totals.positions.items() if number
    ]
    return f"Properties: {', '.join(known)}"
