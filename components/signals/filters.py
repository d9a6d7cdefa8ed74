"""The signal filters and how the map is looked at: address, widgets, sentence."""

from collections.abc import Callable
from typing import Annotated, ClassVar, Final, Literal

import streamlit as st
from pydantic import Field

from components.frame import address, paging
from components.frame.routes import SIGNALS
from components.kit import severity
from components.kit.formatting import words
from components.maps.bins import MEASURES
from services.contract.errors import InvalidRequest
from services.contract.queries import Lower, SignalQuery
from services.contract.vocabulary import PROPERTY_TYPES, SEVERITIES, SIGNAL_TYPES, STATES

#: Signals start at moderate (D24).
GRADED: Final = SEVERITIES[1:]
#: Parameter -> the words that its widget can hold.
OFFERED: Final[dict[str, tuple[str, ...]]] = {
    "signal_type": SIGNAL_TYPES,
    "severity": GRADED,
    "property_type": tuple(PROPERTY_TYPES.values()),
}


class SignalView(SignalQuery):
    """The Signals page: a signal query, which figure the map shows, and where it was drilled."""

    measure: Literal["dollars", "share", "count"] = "dollars"
    map: Literal["states", "cities"] = "states"
    property_type: Annotated[Lower | None, Field(description="of the loan")] = None

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "map", "measure"})

    def query(self) -> SignalQuery:
        """The specification's part."""
        return SignalQuery(**{name: getattr(self, name) for name in SignalQuery.model_fields})


def signal_view() -> SignalView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    if address.asked(SignalView, SIGNALS, _offered) is None:
        return None
    cells = st.columns([1.2, 1.2, 1.2, 1.2, 1.8, 1.3], gap="small")
    with cells[0]:
        _choice("Signal type", "signal_type", SIGNAL_TYPES, "All types", words)
    with cells[1]:
        _choice("Severity", "severity", GRADED, "All severities", severity.label)
    with cells[2]:
        _choice("State", "state", tuple(STATES), "All states", lambda s: f"{s} {STATES[s]}")
    with cells[3]:
        _choice("Property type", "property_type", OFFERED["property_type"], "All types", words)
    with cells[4]:
        st.segmented_control(
            "Colour by",
            list(MEASURES),
            format_func=lambda name: MEASURES[name].label,
            key="measure",
            required=True,
        )
    with cells[5]:
        st.segmented_control(
            "Map of",
            ["states", "cities"],
            format_func=words,
            key="map",
            required=True,
        )
    view = SignalView(**{name: st.session_state[name] for name in SignalView.model_fields})
    address.settle(view)
    return view


def _choice(
    label: str, key: str, options: tuple[str, ...], every: str, write: Callable[[str], str]
) -> None:
    st.selectbox(
        label,
        list(options),
        index=None,
        placeholder=every,
        format_func=write,
        key=key,
        on_change=address.first_page,
    )


def _offered(view: SignalView) -> None:
    """Raises InvalidRequest for values that are sound but that no widget here can hold."""
    for name, offered in OFFERED.items():
        value = getattr(view, name)
        if value is not None and value not in offered:
            raise InvalidRequest(
                f"Parameter '{name}' is '{value}' but must be one of {', '.join(offered)}",
                parameter=name,
            )
    paging.check(view)


def sentence(view: SignalView, *, place: bool = True) -> str:
    """What is shown, in words: Critical rate pressure signals on office loans in Texas."""
    parts = [
        view.severity,
        view.signal_type and words(view.signal_type).lower(),
        "signals",
        view.property_type and f"on {view.property_type} loans",
        place and view.state and f"in {STATES[view.state]}",
    ]
    text = " ".join(part for part in parts if part)
    return text[0].upper() + text[1:] if text != "signals" else "All signals"
