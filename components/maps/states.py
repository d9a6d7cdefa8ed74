"""The map of the fifty states and DC: each is coloured by a measure, and a link."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final

import streamlit as st

from components.frame import links
from components.frame.linked import CSS, HTML, script
from components.frame.routes import Route
from components.kit import text
from components.kit.asset import asset
from components.kit.formatting import count, money, percent
from components.maps.bins import FEW, INKS, Measure, colours, part
from components.maps.projection import Outline, outline
from services.contract.aggregates import StateSignals
from services.contract.vocabulary import STATES

#: The map draws these; territories and codes of elsewhere stand outside and are counted.
DRAWN: Final = frozenset(STATES) - {"AS", "GU", "MP", "PR", "VI"}
#: Words and lines over a state without a figure, on a light page and on a dark one.
_INK: Final = ("#10171f", "#e8edf2")
#: Ground of a state without a signal and of one without a loan.
_NONE: Final = ("#e4e9ee", "#33414f")
_EMPTY: Final = ("#ffffff", "#1a2530")
#: Edge of a chosen state.
_CHOSEN: Final = ("#1f5fa8", "#8fc1ff")
#: The map, in units of its own.
WIDTH: Final = 960
HEIGHT: Final = 576
#: A state bears its code where it is so wide and high on the map.
_ROOM: Final = (30, 22)
JS: Final = script("states")
# In the page's own document, as the tables are.
_draw: Final = st.components.v2.component(
    "atlas_states", html=HTML, css=CSS, js=JS, isolate_styles=False
)


@cache
def outlines() -> dict[str, Any]:
    """State outlines (us-atlas, US Census; the notice lies beside the file)."""
    found: dict[str, Any] = json.loads(asset("us_states.geojson"))
    return found


@cache
def outline_of() -> dict[str, Outline]:
    """State -> its outline on the map."""
    return {
        one["id"]: outline(one["id"], one["geometry"], WIDTH)
        for one in outlines()["features"]
        if one["id"] in DRAWN
    }


def draw(
    found: Sequence[StateSignals],
    measure: Measure,
    chosen: Collection[str],
    *,
    opens: tuple[Route, Mapping[str, str]],
    on_choice: Callable[[str | None], None],
    key: str,
    caption: str,
    dark: bool,
) -> None:
    """Draws the map; states of few loans are hatched, those `chosen` have thick edges.

    `on_choice` is called, before the page runs again, with the code of a state that was clicked,
    or None where it was chosen before. `opens` is the page with its parameters other than `state`,
    for those who open a state in a tab of its own.
    """
    data = sent(found, measure, chosen, opens, caption, dark=dark)

    def on_chosen() -> None:
        code = st.session_state[key].get("chosen")
        # The browser is trusted with nothing but a state of the map.
        if isinstance(code, str) and code in DRAWN:
            on_choice(None if code in chosen else code)

    _draw(key=key, data=data, on_chosen_change=on_chosen)


def sent(
    found: Sequence[StateSignals],
    measure: Measure,
    chosen: Collection[str],
    opens: tuple[Route, Mapping[str, str]],
    caption: str,
    *,
    dark: bool,
) -> dict[str, Any]:
    """What the browser is sent."""
    known = {one.state: one for one in found}
    states = [known.get(code) or _without_loans(code) for code in sorted(DRAWN)]
    drawn = [_state(one, measure, chosen, opens, dark=dark) for one in states]
    return {
        "caption": text.line(caption),
        "width": WIDTH,
        "height": HEIGHT,
        "edge": _CHOSEN[dark],
        "legend": _legend(states, measure, dark=dark),
        "states": drawn,
    }


def _legend(
    states: Sequence[StateSignals], measure: Measure, *, dark: bool
) -> list[dict[str, Any]]:
    classes = zip(colours(dark=dark), measure.labels(), strict=True)
    looks: list[dict[str, Any]] = [
        *({"colour": colour, "label": label} for colour, label in classes),
        {"colour": _NONE[dark], "label": "none"},
    ]
    if any(not one.of_loans for one in states):
        looks.append({"colour": _EMPTY[dark], "label": "no loan"})
    if any(0 < one.of_loans < FEW for one in states):
        looks.append(
            {
                "colour": _NONE[dark],
                "label": f"under {FEW} loans",
                "hatched": True,
                "ink": _INK[dark],
            }
        )
    return looks


def _state(
    one: StateSignals,
    measure: Measure,
    chosen: Collection[str],
    opens: tuple[Route, Mapping[str, str]],
    *,
    dark: bool,
) -> dict[str, Any]:
    code = one.state or ""
    at = measure.bin(measure.figure(one)) if one.of_loans else None
    ground = colours(dark=dark)[at] if at is not None else (_NONE if one.of_loans else _EMPTY)[dark]
    place = outline_of()[code]
    route, params = opens
    there = {} if code in chosen else {"state": code}
    roomy = place.width >= _ROOM[0] and place.height >= _ROOM[1]
    few = 0 < one.of_loans < FEW
    return {
        "code": code,
        "outline": place.path,
        "x": round(place.middle[0], 1),
        "y": round(place.middle[1], 1),
        "label": code if roomy and not few else "",
        "colour": ground,
        "ink": INKS.get(ground, _INK[dark]),
        "few": few,
        "chosen": code in chosen,
        "href": links.address(route, {**params, **there}),
        "said": _said(one),
    }


def _said(one: StateSignals) -> list[str]:
    name = STATES[one.state or ""]
    if not one.of_loans:
        return [name, "no loan"]
    return [
        name,
        f"{count(one.loans)} of {count(one.of_loans)} loans",
        f"{money(one.book_value)}, {percent(part(one), 1)} of the book value",
        f"{money(one.dollars_short)} short at refinance",
    ]


def _without_loans(code: str) -> StateSignals:
    """A state that is drawn although no loan in it meets the conditions."""
    return StateSignals(
        state=code, signals=0, loans=0, book_value=0, dollars_short=0, of_loans=0, of_book_value=0
    )
