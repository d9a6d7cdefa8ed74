"""The history of a record: whether it is shown, and of which dates; on Loan, Family, Compare.

A part of a page's address (`Window`), and what changes it: a switch, two fields, and a drag across
a chart.
"""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any, Final, Self

import streamlit as st
from pydantic import model_validator

from components.frame import address, charts, field_bar
from components.frame.fields import Day
from components.kit import text
from components.kit.chart import Chart
from services.contract.queries import Day as AskedDay
from services.contract.queries import Query, YesNo

_FIELDS: Final = {
    "since": Day(label="From", empty="the first date"),
    "until": Day(label="To", empty="the last date"),
}
#: The parameters of a window.
NAMES: Final = ("history", *_FIELDS)


class Window(Query):
    """What an address says of a record's history. Both dates are included."""

    history: YesNo = False
    since: AskedDay | None = None
    until: AskedDay | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.since and self.until and self.since > self.until:
            raise ValueError("'since' must not be after 'until'")
        return self

    def has(self, day: date) -> bool:
        """Whether a date lies in it."""
        return (self.since is None or day >= self.since) and (
            self.until is None or day <= self.until
        )


def held() -> dict[str, Any]:
    """What the session holds of the window, as fields of a page's query."""
    return {name: st.session_state[name] for name in NAMES}


def opened() -> bool:
    """Draws the switch: nothing of a history is asked for, or loaded, before it is on."""
    return st.toggle("Show the history", **address.widget("history"))


def fields(key: str) -> None:
    """Draws the two dates, and the way back to all of them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        known = field_bar.draw(
            _FIELDS, key=key, label="Dates of the history", width=420, on_fill=_in_order
        )
        if any(known.values()):
            st.button("All dates", icon=":material/zoom_out_map:", on_click=_all, key=f"{key}-all")
        text.caption("Or drag across the chart.", width="content")


def chart(figure: Chart, *, key: str, shown: str, alt: str) -> None:
    """Draws a chart whose axis is time: what is dragged over becomes the window. `shown` is whose
    history it is.
    """
    charts.show(
        figure,
        key=key,
        what="History",
        shown=shown,
        alt=alt,
        selects=("box",),
        on_select=partial(brushed, key),
    )


def brushed(key: str) -> None:
    """What was dragged over in the chart of that key becomes the window."""
    selected: Mapping[str, Any] = st.session_state[key]["selection"]
    if not (boxes := selected.get("box")):
        return
    try:
        days = sorted(date.fromisoformat(str(one)[:10]) for one in boxes[0]["x"])
    except (KeyError, TypeError, ValueError):
        return  # a browser is trusted with nothing but two days
    if days and all(_FIELDS["since"].fault(day) == "" for day in days):
        st.session_state["since"], st.session_state["until"] = days[0], days[-1]


def _in_order() -> None:
    """A date that was filled in takes the other one away where that no longer fits."""
    since, until = st.session_state["since"], st.session_state["until"]
    if since and until and since > until:
        st.session_state["until"] = None


def _all() -> None:
    for name in _FIELDS:
        st.session_state[name] = None
