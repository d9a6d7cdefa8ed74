"""The Calendar page: quarters, then the month or the list, and files of the dates."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from components.calendar import ics, month, strip, table
from components.calendar.view import CalendarView, sentence
from components.frame import exports, links, session, states
from components.frame.routes import CALENDAR
from components.frame.switch import switch
from components.kit import actions
from components.kit.file_name import stem
from components.kit.formatting import count, day, loan_count, money
from services.contract.loan_dates import DATE_KIND, DateFilter, DateTotals, LoanDates


def page(view: CalendarView, beside: Callable[[], None]) -> None:
    """The whole page; `beside` draws what stands beside the files."""
    query = view.filter()
    totals = session.ask(LoanDates.date_totals, query)
    said = sentence(query)
    of = f"of {loan_count(totals.loans)}, {money(totals.dollars)}"
    with actions.beside(f"{said}: {count(totals.dates)}", of, key="calendar"):
        if totals.dates:
            ics.button(query, said, totals.dates)
            make = partial(table.export, query.at(1), said, totals.dates)
            exports.download(make, totals.dates, stem("calendar", said))
        beside()
    _kinds(view, totals)
    _before(view)
    strip.panel(view)
    switch("look", "Show as", {"list": "List", "month": "Month"})
    if view.look == "month":
        month.panel(view)
        return
    found = session.ask(LoanDates.dates_found, query)
    if states.has_rows(found, CALENDAR, view, unmatched=f"{said}: none."):
        table.listed(found)


def _kinds(view: CalendarView, totals: DateTotals) -> None:
    """How many dates of each kind, each a link to them."""
    with st.container(horizontal=True, gap="small"):
        for one in totals.kinds:
            said = f"{DATE_KIND[one.kind].label} {count(one.dates)}"
            links.link(CALENDAR, said, None, view.but(kind=(one.kind,)))
        if view.kind:
            links.link(CALENDAR, "All kinds", "close", view.but(kind=None))


def _before(view: CalendarView) -> None:
    """What was due before the as-of date, where no days are asked for."""
    if view.date_after or view.date_before:
        return
    today = session.today()
    query = view.part(DateFilter).model_copy(update={"date_before": today, "page": 1})
    past = session.ask(LoanDates.date_totals, query)
    if past.dates:
        said = f"{count(past.dates)} dates lie before {day(today)}"
        links.link(CALENDAR, said, "history", view.but(date_before=today))
