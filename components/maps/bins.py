"""What the map of states shows, and in which fixed classes. Pure; no Streamlit.

The bins are fixed: the same colour means the same figure in every view and on every day.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from components.kit.formatting import count, money, percent
from services.contract.aggregates import StateSignals

#: ColorBrewer YlOrBr-5: darker is worse; the other way round on a dark page.
RAMP: Final = ("#ffffd4", "#fed98e", "#fe9929", "#d95f0e", "#993404")


@dataclass(frozen=True, slots=True)
class Measure:
    """One way to look at the map: a figure of a state, its fixed bins, how it is written."""

    name: str
    label: str
    title: str
    figure: Callable[[StateSignals], float | None]
    #: Upper ends of all classes but the last.
    ends: tuple[float, ...]
    write: Callable[[float], str]

    def bin(self, value: float | None) -> int | None:
        """Class of a figure, 0 to 4; None where there is nothing to show."""
        if not value:
            return None
        return sum(value >= end for end in self.ends)

    def labels(self) -> list[str]:
        """The classes in words, mildest first."""
        ends = [self.write(end) for end in self.ends]
        inner = [f"{low} to {high}" for low, high in pairwise(ends)]
        return [f"under {ends[0]}", *inner, f"{ends[-1]} or more"]


def part(state: StateSignals) -> float | None:
    """Share of the state's book value behind the signals, a percent figure."""
    return 100 * state.book_value / state.state_book_value if state.state_book_value else None


MEASURES: Final = {
    measure.name: measure
    for measure in (
        Measure(
            "dollars",
            "Book value",
            "book value of the loans",
            lambda state: state.book_value,
            (1e7, 1e8, 5e8, 2e9),
            money,
        ),
        Measure(
            "share",
            "Share of book",
            "share of the state's book",
            part,
            (10, 20, 30, 50),
            lambda v: percent(v, 0),
        ),
        Measure(
            "count",
            "Signals",
            "number of signals",
            lambda state: state.signals,
            (10, 50, 250, 1000),
            lambda v: count(int(v)),
        ),
    )
}


def state_rows(states: Sequence[StateSignals]) -> list[dict[str, str]]:
    """The map as a table, largest book value behind signals first."""
    ordered = sorted(states, key=lambda state: (-state.book_value, state.state or "~"))
    return [
        {
            "State": state.state or "—",
            "Signals": count(state.signals),
            "Loans": count(state.loans),
            "Book value": money(state.book_value),
            "Of the state's book": percent(part(state), 1),
            "State's book": money(state.state_book_value),
        }
        for state in ordered
    ]
