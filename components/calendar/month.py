"""A month as a calendar shows it: a week a row, each day a link to its dates."""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import partial
from typing import Final

import streamlit as st

from components.calendar.strip import COUNTED, none
from components.calendar.view import CalendarView
from components.frame import address, links, session
from components.frame.ledger import Column, ledger
from components.frame.routes import CALENDAR
from components.kit import text, theme
from components.kit.card import card, opening
from components.kit.formatting import day, money
from components.maps import matrix
from services.contract.loan_dates import DaysOfDates, LoanDates
from services.contract.months import between, months_after
from services.contract.rounding import number_of

WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
#: From so many dates on a day has the next colour.
CLASSES: Final = (1, 3, 10, 30, 100)
#: Ground and ink of a day by class, that of no date first, on a light page and on a dark one.
_GROUNDS: Final = {
    False: (
        ("transparent", "inherit"), ("#e3edf7", "#10171f"), ("#c2d8ee", "#10171f"),
        ("#92b8dd", "#10171f"), ("#4f86bd", "#ffffff"), ("#1f5fa8", "#ffffff"),
    ),
    True: (
        ("transparent", "inherit"), ("#1c2b3a", "#e6edf3"), ("#24415c", "#e6edf3"),
        ("#2f5d87", "#ffffff"), ("#5d95c9", "#10171f"), ("#8fc1ff", "#10171f"),
    ),
}  # fmt: skip


def panel(view: CalendarView) -> None:
    """The month in its card, with the ways to the months before and after."""
    first = view.first()
    last = months_after(first, 1) - timedelta(days=1)
    days = between(first, last, "date")
    query = view.filter().model_copy(update={**days, "page": 1})
    found = {one.start: one for one in session.ask(LoanDates.date_counts, query, "day")}
    with card(f"{first:%B %Y}", level=2):
        with st.container(horizontal=True):
            for label, icon, months in (
                ("Month before", "chevron_left", -1),
                ("Month after", "chevron_right", 1),
            ):
                other = months_after(first, months)
                there = view.but(month=f"{other:%Y-%m}", date_after=None, date_before=None)
                links.link(CALENDAR, label, icon, there)
        matrix.draw(
            month(first, last, found),
            _written,
            write=str,
            write_row=lambda start: f"{date.fromisoformat(start):%d %b}".lstrip("0"),
            of_row=lambda start: _params(*_week(date.fromisoformat(str(start)), first, last)),
            of_column=lambda _: None,
            of_cell=lambda one: _params(one.start, one.start) if one.dates else None,
            opens=(CALENDAR, view.but(month=None, look="list", date_after=None, date_before=None)),
            on_choice=_choose,
            grounds=_GROUNDS[theme.dark()],
            key="month of dates",
            caption=f"Dates in {first:%B %Y} by day: day of the month, dates and book value",
        )
        text.caption("Each day: its dates, and the book value of their loans. A day or a week "
                     "leads to its list.")  # fmt: skip
        opening("The same as a table", "days_as_table", partial(_table, list(found.values()), view))


def month(first: date, last: date, found: Mapping[date, DaysOfDates]) -> matrix.Matrix[DaysOfDates]:
    """Weeks from Monday to Sunday; days of other months are left out."""
    cells: dict[tuple[str | None, str | None], DaysOfDates] = {}
    for number in range((last - first).days + 1):
        here = first + timedelta(days=number)
        start = here - timedelta(days=here.weekday())
        cells[start.isoformat(), WEEKDAYS[here.weekday()]] = found.get(here, none(here))
    weeks = tuple(sorted({str(row) for row, _ in cells}))
    return matrix.Matrix(weeks, WEEKDAYS, cells, corner="Week of")


def _written(one: DaysOfDates) -> tuple[str, int]:
    at = sum(one.dates >= least for least in CLASSES)
    if not one.dates:
        return str(one.start.day), 0
    return f"{one.start.day} · {number_of(one.dates, 'date')}, {money(one.dollars)}", at


def _week(start: date, first: date, last: date) -> tuple[date, date]:
    return max(start, first), min(start + timedelta(days=6), last)


def _params(first: date, last: date) -> dict[str, str]:
    return {name: value.isoformat() for name, value in between(first, last, "date").items()}


def _choose(values: Mapping[str, str]) -> None:
    """Lists the dates of a day or a week."""
    for name, value in values.items():
        st.session_state[name] = date.fromisoformat(value)
    st.session_state["look"] = "list"
    address.first_page()


def _table(days: list[DaysOfDates], view: CalendarView) -> None:
    ledger(
        (
            Column("day", "Day", lambda one: day(one.start)),
            *COUNTED,
        ),
        days,
        opens=lambda one: (
            CALENDAR,
            view.but(month=None, look="list", **between(one.start, one.start, "date")),
        ),
        caption="Dates by day",
    )
