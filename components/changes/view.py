"""The Changes page: which two dates, which loans, and what it shows in words."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, ClassVar, Final

import streamlit as st

from components.frame import address, filter_bar, filters, licence, paging, scope, session
from components.frame.fields import One
from components.frame.filters import Filter
from components.frame.periods import dates
from components.frame.routes import CHANGES
from components.kit import severity
from components.kit.formatting import day
from components.maps.moves import Figure
from services.contract import history
from services.contract.changes_wording import span
from services.contract.compared import date_before
from services.contract.endpoints import ENTITIES
from services.contract.events import KIND
from services.contract.history import NOT_IN_FILE, ChangeQuery, Changes, Period
from services.contract.months import months_after
from services.contract.queries import YesNo

#: Words of a side of the matrix, worst first.
SIDES: Final = tuple(reversed(history.SIDES))
_LOOKS: Final = ("page", "per_page", "order", "measure")
#: Bounds that can be added: of what is at stake, and of the legal maturity.
_BOUNDS: Final = (
    filters.MIN_BALANCE, filters.MAX_BALANCE, filters.MATURITY_AFTER, filters.MATURITY_BEFORE,
)  # fmt: skip
#: Spans of months that are one click away.
_SPANS: Final = {3: "Three months", 12: "One year"}


class ChangesView(ChangeQuery):
    """The changes asked for, and how they are looked at."""

    #: Only loans that the reader watches.
    watched: YesNo | None = None
    #: What the cells of the matrix say.
    measure: Figure = "loans"

    slicing: ClassVar[frozenset[str]] = ChangeQuery.slicing | {"measure"}

    def query(self, watched: Sequence[str] = ()) -> ChangeQuery:
        """What is asked for, within the scope; `watched` are the loans that the reader watches."""
        beside: dict[str, Any] = {"sponsors": True if licence.opens(ENTITIES) else None}
        if self.watched:
            beside["numbers"] = tuple(sorted(watched))
        asked = self.part(ChangeQuery).model_copy(update=beside)
        return asked.within(scope.chosen(), session.analytics().snapshot())


def side(word: str) -> str:
    """A word of the matrix as it is shown."""
    return word if word == NOT_IN_FILE else severity.label(word)


def changes_view(kept: Sequence[Period]) -> ChangesView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    titles = {one.source: one.title for one in kept if one.counts}
    asked = address.asked(ChangesView, CHANGES, lambda query: _check(query, titles))
    if asked is None:
        return None
    every = _every(titles)
    offered = [one for one in every if one.added_as]
    several = len(titles) > 1 or asked.deal is not None
    shown = [
        *_of_dates(dates(kept), asked),
        *(one for one in every if not one.added_as and (several or one.name != "deal")),
        *filter_bar.added(offered, asked),
    ]
    chosen: dict[str, Any] = dict.fromkeys(one.name for one in every)
    chosen |= filter_bar.bar(shown, ChangeQuery, offered=offered)
    return address.settled(asked, chosen | {"numbers": asked.numbers}, _LOOKS)


def _check(view: ChangesView, titles: dict[str, str]) -> None:
    filters.check(_every(titles), view)
    paging.check(view)


def _of_dates(days: Sequence[date], asked: ChangesView) -> list[Filter]:
    """The two dates: of those that are there, and those that the address names."""
    since = st.session_state.get("since", asked.since)
    until = st.session_state.get("until", asked.until)
    last = until or days[-1]
    before = date_before(days, last)
    return [
        _date("since", "Since", f"{day(before)} (previous)",
              {one for one in days if one < last} | ({since} if since else set())),
        _date("until", "Until", f"{day(days[-1])} (newest)",
              {one for one in days if one > (since or days[0])} | ({until} if until else set())),
    ]  # fmt: skip


def _date(name: str, label: str, empty: str, days: set[date]) -> Filter:
    words = {one.isoformat(): one for one in sorted(days, reverse=True)}
    field: One[date] = One(
        label=label,
        empty=empty,
        words=words,
        write=lambda word: day(words[word]),
        help="The book as of a date is the newest filing of each source that is not after it.",
    )
    return Filter(name, field, day)


def _every(titles: dict[str, str]) -> list[Filter]:
    """The filters of the page but for its dates, in the order in which the sentence names them."""
    lender = next(one for one in filters.FURTHER if one.name == "lender_of_loan")
    watched: One[bool] = One(
        label="Watched", empty="All loans", words={"yes": True}, write=lambda _: "Watched by me"
    )

    def happened(kind: str) -> str:
        return KIND[kind].label

    def deal(key: str) -> str:
        return titles.get(key, key)

    return [
        filters.several("kind", "What happened", "Any", KIND, happened,
                        lambda listed: f"with the event {listed}", said=happened),
        filters.STATES_OF_LOANS,
        filters.PROPERTY_TYPES_OF_LOANS,
        filters.several("deal", "Deal", "Any", sorted(titles), deal, lambda listed: f"of {listed}",
                        said=deal),
        Filter("watched", watched, lambda _: "that you watch"),
        filters.several("severity_before", "Worst signal before", "Any", SIDES, side,
                        lambda listed: f"with {listed} before", said=side,
                        added_as="Worst signal before"),
        filters.several("severity_after", "Worst signal after", "Any", SIDES, side,
                        lambda listed: f"with {listed} after", said=side,
                        added_as="Worst signal after"),
        Filter("lender", lender.field, lender.clause, added_as=lender.added_as),
        *(replace(one, added_as=one.field.label) for one in _BOUNDS),
    ]  # fmt: skip


def sentence(view: ChangesView, found: Changes, periods: Sequence[Period]) -> str:
    """What is listed, in words: Office loans that changed from 31 Aug to 30 Sep 2026, in Texas."""
    whole = view.kind is None and (view.severity_before or view.severity_after)
    noun = f"loans {'compared' if whole else 'that changed'} {span(found)}"
    titles = {one.source: one.title for one in periods}
    said = filters.sentence(noun, _every(titles), view, between=", ")
    within = scope.chosen()
    return f"{said}, within {within.name}" if within else said


def spans(days: Sequence[date], found: Changes) -> dict[str, date]:
    """Earlier dates to compare with, by what a link to each says."""
    listed = {
        said: max((one for one in days if one <= months_after(found.until, -months)), default=None)
        for months, said in _SPANS.items()
    }
    listed["All dates"] = days[0]
    once = {when: said for said, when in listed.items() if when and when != found.since}
    return {said: when for when, said in once.items()}
