"""The Signals page: what it is asked for, its filters, and what it shows in words."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

import streamlit as st
from pydantic import AfterValidator

from components.frame import address, filter_bar, filters, links, paging, session
from components.frame.fields import Counts
from components.frame.routes import MAP, SIGNALS
from components.frame.switch import switch
from components.kit.severity import rank
from components.maps.bins import MEASURES
from services.contract.loan_filter import LoanFilter
from services.contract.queries import Lower, Retired, Several, SignalQuery, Word
from services.contract.signal_filter import SIGNALS_COUNTED, SignalFilter, SignalOrder
from services.contract.source import Screens
from services.contract.vocabulary import GRADED, SEVERE_OR_WORSE, SEVERITIES

#: The order of an address that names none.
WORST_FIRST: Final = "-severity"
#: In the order in which the sentence names them.
FILTERS: Final = (
    filters.SEVERITIES_OF_SIGNALS,
    filters.SIGNAL_TYPES_OF_SIGNALS,
    filters.ON_PROPERTY_TYPES,
    filters.STATES_OF_LOANS,
    filters.MATURITY_AFTER,
    filters.MATURITY_BEFORE,
)
#: What can be added to them.
OFFERED: Final = filters.offered("rule", "city", "lender", "sponsor", "confidence_tier")
_EVERY: Final = (*FILTERS, *OFFERED)
#: Where no severity is asked for: an address without one asks for the worst two.
ANY: Final = "any"
_WORST: Final = tuple(reversed(SEVERE_OR_WORSE))
_LOOKS: Final = ("page", "per_page", "order", "measure", "month", "columns")
_MONTH: Final = re.compile(r"\d{4}-(0[1-9]|1[0-2])", re.ASCII)


def _month(value: str) -> str:
    if not _MONTH.fullmatch(value) or value.startswith("0000"):
        raise ValueError("must be a month written as YYYY-MM")
    return value


class SignalView(SignalFilter):
    """The signals asked for, worst first, and which figure the map shows, of when."""

    severity: Several[Lower] | None = _WORST
    order: SignalOrder | None = WORST_FIRST
    measure: Literal["share", "dollars", "short", "loans"] = "share"
    map: Retired = None
    #: The month whose map is shown; None for today's.
    month: Annotated[str, AfterValidator(_month)] | None = None
    #: A set of columns, or their names with commas between.
    columns: Word = "signal"

    slicing: ClassVar[frozenset[str]] = SignalFilter.slicing | {"measure", "month", "columns"}

    def filter(self) -> SignalFilter:
        """What is asked for, however it is looked at."""
        asked = self.part(SignalFilter)
        return asked.without("severity") if self.severity == (ANY,) else asked


def signal_view() -> SignalView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    asked = address.asked(SignalView, SIGNALS, _check)
    if asked is None:
        return None
    # The API takes one severity: over an API without its mirror the list begins with all.
    plain = not session.mirrored() and "severity" not in st.query_params
    chosen_severities = () if plain else st.session_state["severity"] or ()
    st.session_state["severity"] = [word for word in chosen_severities if word != ANY]
    chosen: dict[str, Any] = dict.fromkeys(one.name for one in _EVERY)
    shown = [*FILTERS, *filter_bar.added(OFFERED, asked)]
    now = address.held(asked.filter().part(SignalFilter, sliced=False), filter_bar.chosen(_EVERY))
    chosen |= filter_bar.bar(shown, SignalQuery, _counts(now, shown), OFFERED)
    chosen["severity"] = chosen["severity"] or (ANY,)
    return address.settled(asked, chosen, _LOOKS)


def _counts(query: SignalFilter, shown: list[filters.Filter]) -> Mapping[str, Counts]:
    """How many signals each value of the filters in sight would find; none without a snapshot."""
    if not session.mirrored():
        return {}
    names = [one.name for one in shown if one.name in SIGNALS_COUNTED]
    return {name: session.ask(Screens.signal_counts, query, name) for name in names}


def look(query: SignalFilter) -> None:
    """What map and matrices show, and the way to the properties of these loans on the Map page."""
    with st.container(horizontal=True, vertical_alignment="center"):
        switch("measure", "Colour by", {name: one.label for name, one in MEASURES.items()})
        loans = on_loans(query)
        if loans and session.mirrored():
            links.link(MAP, "Properties on the map", "map", loans.params())


def on_loans(query: SignalFilter) -> LoanFilter | None:
    """The filters that find the loans behind these signals; None where none do. The worst signal of
    a loan has one of the severities only where they are the worst ones.
    """
    worst = set(query.severity or ())
    if query.signal_type or (worst and query.rule):
        return None
    better = set(SEVERITIES) - worst
    if worst and max(map(rank, better), default=-1) > min(map(rank, worst)):
        return None
    severity = query.severity or (None if query.rule else tuple(sorted(GRADED)))
    return query.of_loans().model_copy(update={"severity": severity, "rule": query.rule})


def can_hold(name: str, word: str) -> bool:
    """Whether the filter of that name has such a value: other words cannot be filtered by."""
    return not next(one for one in FILTERS if one.name == name).field.fault((word,))


def _check(view: SignalView) -> None:
    filters.check(_EVERY, view.filter())
    paging.check(view)


def sentence(query: SignalFilter, *, place: bool = True) -> str:
    """What is shown, in words: Severe or critical signals on office loans, in Texas."""
    named = [one for one in _EVERY if place or one.name not in {"state", "city"}]
    return filters.sentence("signals", named, query, between=", ")
