"""The History panel of the Loan page: closed, it asks for nothing."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.frame import api_call, exports, history_window, session, states
from components.frame.history_window import Window
from components.history import drawing, figures, line, table, wording
from components.kit import actions, file_name, text, theme
from components.kit.card import opening
from components.kit.formatting import count, day
from components.kit.gaps import gaps
from services.contract import endpoints
from services.contract.errors import NoHistory, NotFound
from services.contract.events import KIND
from services.contract.frame_call import frame_call
from services.contract.history import Histories, HistoryQuery, HistoryRow, LoanHistory
from services.contract.rounding import number_of

#: What a snapshot without periods says, and how it gets them.
HOW: Final = (
    "No earlier filing is kept. A history comes to be by importing the files of more months: each "
    "adds a date, in any order."
)
_DAYS: Final = 6
_READ: Final = (
    "DSCR and NOI: in grey what each filing says, in blue over the months of that income, thinner "
    "where they are a part of a year. Dotted lines are milestones: special servicing, a "
    "modification, a maturity that passed or moved."
)


def panel(number: str, view: Window) -> None:
    """The card of one loan. `view` is what the address asks for."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            text.heading("History", part="history")
            opened = history_window.opened()
        if not opened:
            return
        with states.panel(endpoints.LOANS):
            try:
                found = session.ask(Histories.history, number, HistoryQuery())
            except (NoHistory, NotFound):
                states.nothing(HOW)
                return
            _opened(found, view)
            api_call.frames(frame_call("history", number, since=view.since, until=view.until))


def _opened(found: LoanHistory, view: Window) -> None:
    if len(found.rows) < 2:  # noqa: PLR2004 - a line has two ends
        states.nothing(f"One filing is kept, as of {day(found.rows[0].as_of)}. {_MORE}")
        table.rows(found.rows)
        return
    rows = [one for one in found.rows if view.has(one.as_of)]
    events = [one for one in found.events if view.has(one.as_of)]
    history_window.fields("history-dates")
    if not rows:
        first, last = day(found.rows[0].as_of), day(found.rows[-1].as_of)
        states.nothing(f"No filing is of these dates; they go from {first} to {last}.")
        return
    span = f"from {day(rows[0].as_of)} to {day(rows[-1].as_of)}"
    worse = sum(KIND[one.kind].direction == "worse" for one in events)
    ways = f"{count(len(events))} events, {count(worse)} of them worse" if events else "no event"
    text.lead(number_of(len(rows), "filing"), f"{span}: {ways}.")
    number = found.loan_number
    key = file_name.stem("history", number, str(view.since), str(view.until))
    history_window.chart(
        drawing.drawn(rows, events, dark=theme.dark()),
        key=key,
        shown=f"loan {number}",
        alt=f"Balance, DSCR, NOI, occupancy, loan to value, payment status and worst signal of the "
        f"loan {number} on one axis of time; the same stands in the tables below",
    )
    for said in (_READ, *remarks(found, rows)):
        text.caption(said)
    stem = file_name.stem("history of loan", number)
    if events:
        said = f"{count(len(events))} events"
        with actions.beside(said, "in words, the newest first", key="events"):
            make = partial(table.export_events, found, view)
            exports.download(make, len(events), f"{stem}-events")
        table.events(events)
    with actions.beside(number_of(len(rows), "filing"), "as they were filed", key="filings"):
        exports.download(partial(table.export_rows, (found,), view), len(rows), stem)
    opening("The filings as a table", "history_as_table", partial(table.rows, rows))


_MORE: Final = "A history takes at least two: import the files of more months."


def remarks(found: LoanHistory, rows: Sequence[HistoryRow]) -> list[str]:
    """What the drawing leaves open: how the loan ended, what is missing, by which rules."""
    said = []
    if end := line.ended(rows):
        said.append(f"On {day(end.as_of)} the loan had ended: {wording.end(end)}.")
    missing = gaps([one.as_of for one in rows])
    if missing:
        listed = "; ".join(f"{day(before)} to {day(after)}" for before, after in missing[:_DAYS])
        more = f" and {len(missing) - _DAYS} more" if len(missing) > _DAYS else ""
        said.append(f"No filing is kept between these dates, so the lines break: {listed}{more}.")
    lacking = [one for one in found.missing if rows[0].as_of <= one]
    if lacking:
        listed = ", ".join(day(one) for one in lacking[:_DAYS])
        more = f" and {len(lacking) - _DAYS} more" if len(lacking) > _DAYS else ""
        said.append(f"Filings of its deal without this loan: {listed}{more}.")
    lacks = [
        figures.label(name)
        for name in figures.FIGURES
        if all(getattr(one, name) is None for one in rows)
    ]
    if lacks:
        said.append(f"Not stated on any of these dates: {', '.join(lacks)}.")
    changed = line.rules_changed(rows)
    versions = [rows[0].rules_version, *(one.rules_version for one in changed)]
    if not changed:
        said.append(f"All signals were scored by {versions[0]}.")
    else:
        later = "; ".join(f"from {day(one.as_of)} by {one.rules_version}" for one in changed)
        said.append(f"Signals were scored by {versions[0]}; {later}.")
    return said
