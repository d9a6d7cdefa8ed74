"""The What if page: of which loans, in which scenarios, and which of their moves."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal

import streamlit as st

from components.frame import address, field_bar, fields
from components.frame.routes import WHAT_IF
from components.frame.switch import switch
from components.kit import text
from components.loans import filters as loan_filters
from components.maps import moves
from services.contract.frame_call import frame_of
from services.contract.scenario import (
    SHIFTS,
    TENORS,
    CapShift,
    Change,
    MovedFilter,
    NoiChange,
    RateShift,
    Scenario,
    ScenarioFilter,
)

Number = Literal["1", "2"]
#: The two scenarios, and how their parameters end.
SUFFIX: Final[dict[Number, str]] = {"1": "", "2": "_2"}
_LOOKS: Final = ("page", "per_page", "measure", "move", "of")


def _input(label: str, low: float, high: float, step: float, help_text: str) -> fields.Number:
    return fields.Number(
        label=label, low=low, high=high, step=step, empty="no change", help=help_text
    )


#: Inputs of a scenario, by parameter without the scenario's suffix.
_MAIN: Final = {
    "rates": _input("Rates in bp", -200, 300, 25,
                    "Shift of every reference rate, and so of every refi rate, and of the index "
                    "that floating loans follow. Coupons of fixed rates stay."),
    "noi": _input("NOI in percent", -30, 10, 5, "Change of NOI in place."),
    "cap": _input("Cap rate in bp", 0, 200, 25,
                  "Rise of the cap rate that NOI over appraised value implies."),
}  # fmt: skip
_TENORS: Final = {
    name: _input(f"{series.removeprefix('DGS')} year in bp", -200, 300, 25,
                 "Of loans refinanced over this Treasury, in place of the shift of all rates.")
    for series, name in TENORS.items()
    if series != "SOFR"
} | {
    "rate_short": _input("Index in bp", -200, 300, 25,
                         "Of the index that floating loans follow, such as SOFR, in place of the "
                         "shift of all rates."),
}  # fmt: skip


class WhatIfView(ScenarioFilter):
    """Loans in one scenario or two."""

    rates_2: RateShift | None = None
    rate_5_2: RateShift | None = None
    rate_7_2: RateShift | None = None
    rate_10_2: RateShift | None = None
    rate_short_2: RateShift | None = None
    noi_2: NoiChange | None = None
    cap_2: CapShift | None = None
    #: What the cells of the moves say.
    measure: moves.Figure = "dollars"
    #: The move whose loans are listed, and the scenario that they are listed of.
    move: Change | None = None
    of: Number = "1"

    slicing: ClassVar[frozenset[str]] = ScenarioFilter.slicing | {
        *(f"{name}{SUFFIX['2']}" for name in SHIFTS),
        *_LOOKS,
    }

    def scenario(self, number: Number) -> Scenario | None:
        """One of the two; None where nothing is typed for it."""
        shifts = self.shifts(SUFFIX[number])
        return None if set(shifts.values()) == {None} else Scenario.of(**shifts)

    def frame(self, number: Number) -> str:
        """The line that gives one of the two as a DataFrame."""
        return frame_of("what_if", self.loans(), **self.shifts(SUFFIX[number]))

    @property
    def scenarios(self) -> dict[Number, Scenario]:
        """Those that are typed."""
        found = {number: self.scenario(number) for number in SUFFIX}
        return {number: one for number, one in found.items() if one is not None}

    def moved(self) -> MovedFilter:
        """Those of them that are listed."""
        return self.part(MovedFilter).model_copy(update={"order": None})


def what_if_view() -> WhatIfView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    asked = address.asked(WhatIfView, WHAT_IF, loan_filters.check)
    if asked is None:
        return None
    chosen: dict[str, Any] = loan_filters.bar(asked, asked.numbers)
    typed = _typed(asked)
    looks = {name: st.session_state[name] for name in _LOOKS}
    view = address.held(asked, chosen | typed | looks)
    if view.of not in view.scenarios:
        view = view.model_copy(update={"of": next(iter(view.scenarios), "1")})
    address.settle(view)
    return view


def measure_switch() -> None:
    """Whether cells say dollars or loans."""
    switch("measure", "Figure of the cells", moves.FIGURES)


def of_switch(view: WhatIfView) -> None:
    """Of which scenario loans are listed, where there are two."""
    if len(view.scenarios) > 1:
        options = {str(number): f"Scenario {number}" for number in SUFFIX}
        switch("of", "Loans of", options, _another_scenario)


def _typed(asked: WhatIfView) -> dict[str, Any]:
    """Draws the inputs of both scenarios, side by side."""
    values: dict[str, Any] = {}
    for column, (number, end) in zip(st.columns(2, gap="medium"), SUFFIX.items(), strict=True):
        own = {name: getattr(asked, f"{name}{end}") for name in _TENORS}
        with column, st.container(border=True):
            text.lead(f"Scenario {number}", "" if number == "1" else "to compare it with")
            values |= _row(_MAIN, end, f"Scenario {number}")
            values |= _by_tenor(own, end)
    return values


def _by_tenor(asked: dict[str, Any], end: str) -> dict[str, Any]:
    """Rates of your own for each tenor: drawn where one is asked for or they are opened."""
    set_before = any(
        st.session_state.get(f"{name}{end}", value) is not None for name, value in asked.items()
    )
    found = st.expander(
        "Rates by tenor", expanded=set_before, key=f"tenors{end}", on_change="rerun"
    )
    if not found.open and not set_before:
        return {f"{name}{end}": None for name in asked}
    with found:
        return _row(_TENORS, end, "Rates by tenor")


def _row(inputs: Mapping[str, fields.Number], end: str, label: str) -> dict[str, Any]:
    return field_bar.draw(
        {f"{name}{end}": field for name, field in inputs.items()},
        key=f"inputs of {next(iter(inputs))}{end}",
        label=label,
        on_fill=_another_scenario,
    )


def _another_scenario() -> None:
    """Another scenario has other moves."""
    st.session_state["move"] = None
    address.first_page()
