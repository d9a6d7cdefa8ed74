"""The Calendar page: which dates of which loans, and how they are looked at."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field

from components.frame import address, filters, session
from components.frame.routes import CALENDAR
from components.kit.formatting import window
from components.loans import filters as loan_filters
from services.contract.loan_dates import DATE_KIND, DATE_KINDS, DateFilter
from services.contract.months import between, months_after

#: How far ahead the page looks where the address names no days.
MONTHS_AHEAD: Final = 12
_LOOKS: Final = ("page", "per_page", "look", "month")
KIND: Final = filters.several(
    "kind",
    "Kind of date",
    "Any",
    DATE_KIND,
    lambda word: DATE_KIND[word].label,
    lambda listed: f"of {listed}",
    said=lambda word: DATE_KIND[word].label.lower(),
)
AFTER: Final = filters.of_day("date_after", "After", "after")
BEFORE: Final = filters.of_day("date_before", "Before", "before")
#: In sight; the others can be added.
SHOWN: Final = (
    KIND, AFTER, BEFORE,
    filters.STATES_OF_LOANS, filters.PROPERTY_TYPES_OF_LOANS, filters.WORST_SEVERITY,
)  # fmt: skip


class CalendarView(DateFilter):
    """The dates asked for, as a list or as a month."""

    look: Literal["list", "month"] = "list"
    #: The month that is shown as one: 2027-05.
    month: Annotated[str, Field(pattern=r"^(19|20)\d\d-(0[1-9]|1[0-2])$")] | None = None

    slicing: ClassVar[frozenset[str]] = DateFilter.slicing | {"look", "month"}

    def filter(self) -> DateFilter:
        """What is asked for, however it is looked at; a year from the as-of date on where no days
        are named.
        """
        asked = self.part(DateFilter)
        if self.date_after or self.date_before:
            return asked
        today = session.today()
        return asked.model_copy(update=between(today, months_after(today, MONTHS_AHEAD), "date"))

    def first(self) -> date:
        """The first day of the month that is shown."""
        if self.month:
            return date.fromisoformat(f"{self.month}-01")
        begins = self.date_after + timedelta(days=1) if self.date_after else session.today()
        return begins.replace(day=1)


def calendar_view() -> CalendarView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    asked = address.asked(CalendarView, CALENDAR, _check)
    if asked is None:
        return None
    return address.settled(asked, loan_filters.bar(asked, shown=SHOWN, counted=False), _LOOKS)


def _check(view: CalendarView) -> None:
    filters.check(SHOWN, view)
    loan_filters.check(view)


def sentence(query: DateFilter) -> str:
    """Whose dates, of which kinds and days, in words."""
    whose = loan_filters.sentence(query.of_loans())
    of = "Dates" if query.kind is None else _kinds(query.kind)
    when = window(query.date_after, query.date_before) or "of all days"
    return f"{of} {when}: {whose[0].lower()}{whose[1:]}"


def _kinds(words: tuple[str, ...]) -> str:
    named = " or ".join(one.label.lower() for one in DATE_KINDS if one.word in words)
    return f"{named[0].upper()}{named[1:]}"
