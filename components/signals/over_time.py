"""Where the signals were: states month by month, as the periods of the snapshot say it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import streamlit as st

from components.frame import periods, session
from components.frame.ledger import Column
from components.kit import text
from components.kit.formatting import MISSING, day, words
from components.kit.sparkline import Sparkline
from components.maps.bins import FEW, Measure
from components.maps.months import Months
from components.signals.filters import SignalView
from services.contract.aggregates import StateSignals
from services.contract.history import HeatQuery, Histories
from services.contract.signal_filter import SignalFilter
from services.contract.vocabulary import GRADED

#: What the sums of a period can be narrowed by, and what a map shows all of.
_SUMMED: Final = ("severity", "property_type", "state", "city", "order", "scope")
_NARROW: Final = (
    "With these filters the map cannot be played: earlier dates are known by property type, of "
    "signals of a severity or worse."
)


@dataclass(frozen=True, slots=True)
class Past:
    """The states of every month that is kept."""

    frames: Mapping[str, Sequence[StateSignals]]

    def found(self, month: str | None) -> Sequence[StateSignals] | None:
        """States of a month; None of one that is not kept, and of today."""
        return self.frames.get(month or "")

    def playing(self, month: str | None, today: Sequence[StateSignals]) -> Months:
        """What the map plays: the months, then today's book."""
        names: list[str | None] = [*self.frames]
        return Months(
            labels=(*map(_label, self.frames), f"Now: {day(session.today())}"),
            frames=(*self.frames.values(), today),
            at=names.index(month) if month in names else len(names),
        )

    def choose(self, at: int) -> None:
        """Shows what the slider rests on, by its place; the last is today's book."""
        st.session_state["month"] = [*self.frames, None][at]

    def lines(self, measure: Measure, today: Sequence[StateSignals]) -> dict[str | None, Sparkline]:
        """A line for each state from the first month to today, all on one scale."""
        frames = [*self.frames.values(), today]
        known = [{one.state: one for one in frame if one.of_loans} for frame in frames]
        sure = [measure.figure(one) for frame in frames for one in frame if one.of_loans >= FEW]
        top = max((value or 0 for value in sure), default=0)
        return {
            state: Sparkline(
                [(measure.figure(at[state]) or 0) if state in at else None for at in known],
                [state in at and at[state].of_loans < FEW for at in known],
                top,
            )
            for state in {state for frame in known for state in frame}
        }


def _label(month: str) -> str:
    """Mar 2021."""
    return f"{date.fromisoformat(f'{month}-01'):%b %Y}"


def asked(query: SignalFilter) -> HeatQuery | None:
    """The same question of every month; None where no period has sums for it."""
    words = set(query.severity or GRADED)
    least = next((word for word in GRADED if words == set(GRADED[GRADED.index(word) :])), None)
    further = query.without(*_SUMMED).filters()
    if least is None or further:
        return None
    return HeatQuery.model_validate(
        {"at_least": least, "property_type": query.property_type, "scope": query.scope}
    )


def past(view: SignalView) -> Past | None:
    """The months of the map; None where fewer than two are kept, or the filters ask for more."""
    if not periods.over_time():
        return None
    query = asked(view.filter())
    if query is None:
        text.caption(_NARROW)
        return None
    found = session.ask(Histories.heat_over_time, query)
    frames: dict[str, list[StateSignals]] = {f"{month:%Y-%m}": [] for month in found.months}
    for one in found.points:
        frames[f"{one.month:%Y-%m}"].append(one)
    return Past(frames)


def said(view: SignalView, past: Past | None) -> str:
    """What the heading of the table adds for a month that is past, after a line that says so."""
    if not view.month:
        return ""
    month = _label(view.month)
    if past is None or past.found(view.month) is None:
        text.caption(f"There is no map of {month} to show; this is today's.")
        return ""
    text.caption(
        f"The map and its table are of {month}, scored at the rates of that date; all else on "
        "this page is of today."
    )
    return f", {month}"


def column(lines: Mapping[str | None, Sparkline], measure: Measure) -> Column[StateSignals]:
    """The line of each state over all months."""
    blank = Sparkline((), (), 0)
    return Column(
        "line",
        "Over time",
        lambda one: _ends(lines.get(one.state, blank), measure),
        line=lambda one: lines.get(one.state, blank),
        help=f"{words(measure.title)} from the first month that is kept to now, all states on one "
        f"scale; dashed where there are under {FEW} loans.",
    )


def _ends(line: Sparkline, measure: Measure) -> str:
    """The first and the last figure: 2.1% to 12.4%."""
    known = [value for value in line.points if value is not None]
    return f"{measure.write(known[0])} to {measure.write(known[-1])}" if known else MISSING
