"""The Signals page: what it is asked for, its filters, and what it shows in words."""

from dataclasses import replace
from typing import ClassVar, Final, Literal

import streamlit as st

from components.frame import address, filters, paging
from components.frame.routes import SIGNALS
from components.kit import text
from components.kit.formatting import words
from components.maps.bins import MEASURES
from services.contract.queries import SignalFilter

#: In the order in which the sentence names them.
FILTERS: Final = (
    filters.SEVERITY,
    filters.SIGNAL_TYPE,
    replace(filters.PROPERTY_TYPE, clause=lambda word: f"on {word} loans", leads=False),
    filters.STATE,
)


class SignalView(SignalFilter):
    """The signals asked for, which figure the map shows, and of what it is a map."""

    measure: Literal["dollars", "share", "count"] = "dollars"
    map: Literal["states", "cities"] = "states"

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "map", "measure"})

    def filter(self) -> SignalFilter:
        """What is asked for, however it is looked at."""
        return SignalFilter(**{name: getattr(self, name) for name in SignalFilter.model_fields})


def signal_view() -> SignalView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    if address.asked(SignalView, SIGNALS, _check) is None:
        return None
    left, right = st.columns([4.8, 3.1], gap="small")
    with left:
        chosen = filters.drawn(FILTERS, [1] * len(FILTERS))
    with right:
        measure, of = st.columns([1.8, 1.3], gap="small")
        with measure:
            st.segmented_control(
                "Colour by",
                list(MEASURES),
                format_func=lambda name: text.label(MEASURES[name].label),
                key="measure",
                required=True,
            )
        with of:
            st.segmented_control(
                "Map of",
                ["states", "cities"],
                format_func=lambda word: text.label(words(word)),
                key="map",
                required=True,
            )
    looks = {name: st.session_state[name] for name in SignalView.slicing}
    view = SignalView(**chosen, **looks)
    address.settle(view)
    return view


def can_hold(name: str, word: str) -> bool:
    """Whether the filter of that name has such a value: other words cannot be filtered by."""
    return not next(one for one in FILTERS if one.name == name).fault(word)


def _check(view: SignalView) -> None:
    filters.check(FILTERS, view)
    paging.check(view)


def sentence(view: SignalFilter, *, place: bool = True) -> str:
    """What is shown, in words: Critical rate pressure signals on office loans in Texas."""
    named = FILTERS if place else [one for one in FILTERS if one != filters.STATE]
    return filters.sentence("signals", named, view)
