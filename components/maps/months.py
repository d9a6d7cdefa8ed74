"""A map of states month by month, as a browser plays it: classes alone. Pure; no Streamlit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from components.maps.bins import Measure
from components.maps.looks import look, looks
from services.contract.aggregates import StateSignals


@dataclass(frozen=True, slots=True)
class Months:
    """What a map plays: frames by date, each with what it is called."""

    labels: tuple[str, ...]
    #: The states that have loans.
    frames: tuple[Sequence[StateSignals], ...]
    #: Which of them the page shows.
    at: int

    def __len__(self) -> int:
        return len(self.labels)


def sent(months: Months, measure: Measure, codes: Sequence[str], *, dark: bool) -> dict[str, Any]:
    """What the browser is sent beside the map: the looks there are, and for each state one sign a
    month, its place among them.
    """
    known = [{one.state: one for one in frame} for frame in months.frames]
    return {
        "labels": list(months.labels),
        "at": months.at,
        "looks": looks(measure, dark=dark),
        "classes": [
            "".join(_sign(look(one, measure) if (one := frame.get(code)) else 0) for frame in known)
            for code in codes
        ],
    }


def _sign(place: int) -> str:
    """0 to 9, then a, b, c: what JavaScript reads to the base of 36."""
    return f"{place:x}"
