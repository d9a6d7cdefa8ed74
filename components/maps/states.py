"""The map of the fifty states and DC: each is coloured by a measure, and a link."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final

import streamlit as st

from components.frame import links
from components.frame.linked_drawings import drawing
from components.frame.routes import Route
from components.kit import text, theme
from components.kit.asset import asset
from components.kit.formatting import count, loan_count, money, percent
from components.maps import months as map_months
from components.maps.bins import FEW, Measure, part
from components.maps.looks import EMPTY, INK, NONE, look, looks
from components.maps.months import Months
from components.maps.projection import Outline, outline
from services.contract.aggregates import StateSignals
from services.contract.vocabulary import STATES

#: The map draws these; territories and codes of elsewhere stand outside and are counted.
DRAWN: Final = frozenset(STATES) - {"AS", "GU", "MP", "PR", "VI"}
#: The map, in units of its own.
WIDTH: Final = 960
HEIGHT: Final = 576
#: A state bears its code where it is so wide and high on the map.
_ROOM: Final = (30, 22)
_draw: Final = drawing("states", "player")


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
    months: Months | None = None,
    on_month: Callable[[int], None] | None = None,
) -> None:
    """Draws the map; states of few loans are hatched, those `chosen` have thick edges.

    `on_choice` is called, before the page runs again, with the code of a state that was clicked,
    or None where it was chosen before. `opens` is the page with its parameters other than `state`,
    for those who open a state in a tab of its own. With `months` a slider plays them in the
    browser, beginning with `found`, which is the month it stands on; once it rests on another,
    `on_month` is called with its place.
    """
    data = sent(found, measure, chosen, opens, caption, months, dark=dark)

    def on_chosen() -> None:
        code = st.session_state[key].get("chosen")
        # The browser is trusted with nothing but a state of the map.
        if isinstance(code, str) and code in DRAWN:
            on_choice(None if code in chosen else code)

    def on_moved() -> None:
        at = st.session_state[key].get("moved")
        if months and on_month and isinstance(at, int | float) and at in range(len(months)):
            on_month(int(at))

    _draw(key=key, data=data, on_chosen_change=on_chosen, on_moved_change=on_moved)


def sent(
    found: Sequence[StateSignals],
    measure: Measure,
    chosen: Collection[str],
    opens: tuple[Route, Mapping[str, str]],
    caption: str,
    months: Months | None = None,
    *,
    dark: bool,
) -> dict[str, Any]:
    """What the browser is sent."""
    known = {one.state: one for one in found}
    states = [known.get(code) or _without_loans(code) for code in sorted(DRAWN)]
    known_looks = looks(measure, dark=dark)
    drawn = [_state(one, known_looks[look(one, measure)], chosen, opens) for one in states]
    return {
        "caption": text.line(caption),
        "width": WIDTH,
        "height": HEIGHT,
        "edge": theme.ACCENT[dark],
        "legend": _legend([states, *(months.frames if months else ())], measure, dark=dark),
        "states": drawn,
        "months": months and map_months.sent(months, measure, sorted(DRAWN), dark=dark),
    }


def _legend(
    frames: Sequence[Sequence[StateSignals]], measure: Measure, *, dark: bool
) -> list[dict[str, Any]]:
    """The classes, and what else occurs in a frame."""
    _, none, *classes = (one for one in looks(measure, dark=dark) if not one["few"])
    rows: list[dict[str, Any]] = [
        {"colour": one["colour"], "label": one["words"]} for one in (*classes, none)
    ]
    if any(not one.of_loans for one in frames[0]):
        rows.append({"colour": EMPTY[dark], "label": "no loan"})
    if any(0 < one.of_loans < FEW for frame in frames for one in frame):
        few = {"colour": NONE[dark], "ink": INK[0], "hatched": True}
        rows.append({**few, "label": f"under {FEW} loans"})
    return rows


def _state(
    one: StateSignals,
    drawn: Mapping[str, Any],
    chosen: Collection[str],
    opens: tuple[Route, Mapping[str, str]],
) -> dict[str, Any]:
    code = one.state or ""
    place = outline_of()[code]
    route, params = opens
    there = {} if code in chosen else {"state": code}
    roomy = place.width >= _ROOM[0] and place.height >= _ROOM[1]
    return {
        "code": code,
        "outline": place.path,
        "x": round(place.middle[0], 1),
        "y": round(place.middle[1], 1),
        "label": code if roomy else "",
        **drawn,
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
        f"{count(one.loans)} of {loan_count(one.of_loans)}",
        f"{money(one.book_value)}, {percent(part(one), 1)} of the book value",
        f"{money(one.dollars_short)} short at refinance",
    ]


def _without_loans(code: str) -> StateSignals:
    """A state that is drawn although no loan in it meets the conditions."""
    return StateSignals(
        state=code, signals=0, loans=0, book_value=0, dollars_short=0, of_loans=0, of_book_value=0
    )
