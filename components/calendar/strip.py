"""Three years by quarter: dollars to be repaid in each, or with a date of the kinds chosen."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

from components.calendar.view import CalendarView
from components.frame import bars, columns, session
from components.frame.ledger import Column, ledger
from components.frame.routes import CALENDAR
from components.kit import theme
from components.kit.card import card, opening
from components.kit.formatting import count, loan_count, money, quarter
from services.contract.loan_dates import DaysOfDates, LoanDates
from services.contract.months import between, quarter_of

QUARTERS: Final = 12
#: Columns of a quarter, or of a day: its dates, and the dollars of their loans.
COUNTED: Final[tuple[Column[DaysOfDates], ...]] = (
    Column("dates", "Dates", lambda one: count(one.dates), figure=True),
    columns.loans(),
    Column("dollars", "Book value", lambda one: money(one.dollars), figure=True),
    Column("repaid", "To be repaid", lambda one: money(one.repaid_dollars), figure=True),
)


def panel(view: CalendarView) -> None:
    """The quarters in their card; each bar leads to the dates of its quarter."""
    today = session.today()
    first = today.year * 4 + (today.month - 1) // 3
    days = between(quarter_of(first)[0], quarter_of(first + QUARTERS - 1)[1], "date")
    query = view.filter().model_copy(update={**days, "page": 1})
    found = {one.start: one for one in session.ask(LoanDates.date_counts, query, "quarter")}
    quarters = [
        found.get(start, none(start))
        for start in (quarter_of(first + more)[0] for more in range(QUARTERS))
    ]
    what = "with these dates" if view.kind else "to be repaid"
    with card(f"Book value of loans {what}, by quarter", level=2):
        bars.bars(
            [_bar(one, view) for one in quarters],
            {"loans": bars.Look(theme.ACCENT[theme.dark()])},
            key="quarters of dates",
            caption=f"Book value of loans {what} in each quarter; the same figures are in the "
            "table below",
            height=200,
        )
        opening("The same as a table", "quarters_as_table", partial(_table, quarters, view))


def none(start: date) -> DaysOfDates:
    """Days without a date, from this one on."""
    return DaysOfDates.model_construct(
        start=start, dates=0, loans=0, dollars=0, repaid_loans=0, repaid_dollars=0
    )


def _name(one: DaysOfDates) -> str:
    return quarter(one.start)


def _leads(one: DaysOfDates, view: CalendarView) -> dict[str, str]:
    number = one.start.year * 4 + (one.start.month - 1) // 3
    return view.but(**between(*quarter_of(number), "date"), month=None, look="list")


def _bar(one: DaysOfDates, view: CalendarView) -> bars.Bar:
    return bars.Bar(
        _name(one),
        {"loans": one.dollars if view.kind else one.repaid_dollars},
        [
            f"{count(one.dates)} dates of {loan_count(one.loans)}, {money(one.dollars)}",
            f"to be repaid: {loan_count(one.repaid_loans)}, {money(one.repaid_dollars)}",
        ],
        (CALENDAR, _leads(one, view)),
    )


def _table(quarters: Sequence[DaysOfDates], view: CalendarView) -> None:
    ledger(
        (
            Column("quarter", "Quarter", _name),
            *COUNTED,
        ),
        quarters,
        opens=lambda one: (CALENDAR, _leads(one, view)),
        caption="Dates by quarter",
    )
