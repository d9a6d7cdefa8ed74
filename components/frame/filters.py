"""Every filter of the pages, once: its parameter, its widget, how it reads, what it can hold.

A page names the filters that it has; address, widgets and sentence follow from them. A value that
is sound but that no widget can hold is refused rather than dropped: a dropped filter would show
everything.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal

import streamlit as st

from components.frame import address
from components.kit import severity, text
from components.kit.formatting import day, dollars, words
from services.contract.errors import InvalidRequest
from services.contract.queries import Query
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES, STATES

EARLIEST: Final = date(1900, 1, 1)
LATEST: Final = date(2200, 12, 31)
MOST_DOLLARS: Final = 10**12


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter of a page."""

    #: Field of the query, parameter of the address and key of the widget.
    name: str
    #: Draws the widget and gives what was chosen; null or empty for nothing.
    draw: Callable[[], Any]
    #: How a value reads in the sentence over the result.
    clause: Callable[[Any], str]
    #: What is wrong with a value that the widget cannot hold; empty for nothing.
    fault: Callable[[Any], str] = lambda _: ""
    #: Whether the clause stands before the noun: "critical signals".
    leads: bool = False


def drawn(filters: Sequence[Filter], widths: Sequence[float]) -> dict[str, Any]:
    """Draws the filters side by side; what is chosen, by name, null where nothing is.

    Widths beyond the filters leave room at the right.
    """
    columns = st.columns(list(widths), gap="small")
    values = {}
    for column, one in zip(columns, filters, strict=False):
        with column:
            chosen = one.draw()
            values[one.name] = None if chosen in ("", ()) else chosen
    return values


def check(filters: Iterable[Filter], query: Query) -> None:
    """Raises InvalidRequest for a value that is sound but that no widget of the page can hold."""
    for one in filters:
        value = getattr(query, one.name)
        if value is not None and (fault := one.fault(value)):
            raise InvalidRequest(
                f"Parameter '{one.name}' is '{value}' but must {fault}", parameter=one.name
            )


def sentence(noun: str, filters: Iterable[Filter], query: Query, *, between: str = " ") -> str:
    """What is shown, in words: Critical signals in Texas. Without any filter, "All" of the noun."""
    active = [(one, value) for one in filters if (value := getattr(query, one.name)) is not None]
    if not active:
        return f"All {noun}"
    before = [one.clause(value) for one, value in active if one.leads]
    after = between.join(one.clause(value) for one, value in active if not one.leads)
    said = " ".join(part for part in (*before, noun, after) if part)
    return said[0].upper() + said[1:]


def _choice(
    name: str,
    label: str,
    every: str,
    options: Sequence[str],
    write: Callable[[str], str],
    clause: Callable[[str], str],
    *,
    help_text: str | None = None,
    leads: bool = False,
) -> Filter:
    """One of a fixed list of words."""

    def draw() -> str | None:
        return st.selectbox(
            text.label(label),
            list(options),
            index=None,
            format_func=write,
            placeholder=every,
            key=name,
            help=text.label(help_text),
            on_change=address.first_page,
        )

    def fault(value: str) -> str:
        return "" if value in options else f"be one of {', '.join(options)}"

    return Filter(name, draw, clause, fault, leads)


def _dollars(name: str, label: str, clause: str) -> Filter:
    """A book value in whole dollars."""

    def draw() -> int | None:
        return st.number_input(
            text.label(label),
            value=None,
            min_value=0,
            max_value=MOST_DOLLARS,
            step=1_000_000,
            placeholder="USD",
            key=name,
            on_change=address.first_page,
        )

    def fault(value: int) -> str:
        return "" if 0 <= value <= MOST_DOLLARS else f"lie from 0 to {MOST_DOLLARS:,}"

    return Filter(name, draw, lambda value: f"{clause} {dollars(value)}", fault)


def _date(name: str, label: str, clause: str) -> Filter:
    """A day."""

    def draw() -> date | None:
        chosen: date | None = st.date_input(
            text.label(label),
            value=None,
            min_value=EARLIEST,
            max_value=LATEST,
            format="YYYY-MM-DD",
            key=name,
            on_change=address.first_page,
        )
        return chosen

    def fault(value: date) -> str:
        return "" if EARLIEST <= value <= LATEST else f"lie from {EARLIEST} to {LATEST}"

    return Filter(name, draw, lambda value: f"{clause} {day(value)}", fault)


def _score(name: str, label: str, clause: str, help_text: str) -> Filter:
    """A confidence, 0 to 1. Zero is a value: it leaves out what has no confidence."""

    def draw() -> float | None:
        return st.number_input(
            text.label(label),
            value=None,
            min_value=0.0,
            max_value=1.0,
            step=0.05,
            format="%g",
            placeholder="Any, 0 to 1",
            key=name,
            help=text.label(help_text),
            on_change=address.first_page,
        )

    return Filter(name, draw, lambda value: f"{clause} of at least {value:g}")


def _text(
    name: str,
    label: str,
    empty: str,
    clause: str,
    help_text: str,
    kind: Literal["default", "search"] = "default",
) -> Filter:
    """A name as the reader knows it."""

    def draw() -> str | None:
        typed: str | None = st.text_input(
            text.label(label),
            value=None,
            type=kind,
            placeholder=empty,
            max_chars=200,
            key=name,
            help=text.label(help_text),
            on_change=address.first_page,
        )
        return typed.strip() if typed else None

    return Filter(name, draw, lambda value: f"{clause} “{value}”")


def relation(options: Sequence[str], help_text: str) -> Filter:
    """Relations of the capital graph; `options` are those that were loaded."""

    def draw() -> tuple[str, ...]:
        chosen = st.pills(
            "Relations",
            list(options),
            selection_mode="multi",
            format_func=lambda word: text.label(words(word)),
            key="relation",
            help=text.label(help_text),
            on_change=address.first_page,
        )
        return tuple(sorted(chosen))

    return Filter("relation", draw, relations_in_words)


def relations_in_words(relations: Iterable[str]) -> str:
    """Relation borrower or owned by."""
    return "relation " + " or ".join(one.replace("_", " ") for one in relations)


STATE: Final = _choice(
    "state",
    "State",
    "All states",
    tuple(STATES),
    lambda code: f"{code} {STATES[code]}",
    lambda code: f"in {STATES.get(code, code)}",
)
PROPERTY_TYPE: Final = _choice(
    "property_type",
    "Property type",
    "All types",
    tuple(PROPERTY_TYPES.values()),
    words,
    str,
    help_text="Of the loan's most valuable property. The API has no such filter: over an API its "
    "mirror answers.",
    leads=True,
)
LENDER: Final = _text(
    "lender",
    "Lender",
    "Any debt layer",
    "lent by or serviced by",
    "Lender or servicer of any debt layer; accents, case and LLC do not count.",
)
MIN_BALANCE: Final = _dollars("min_balance", "Book value from", "of at least")
MAX_BALANCE: Final = _dollars("max_balance", "Book value to", "of at most")
MATURITY_AFTER: Final = _date("maturity_after", "Matures after", "maturing after")
MATURITY_BEFORE: Final = _date("maturity_before", "Matures before", "maturing before")
RATE_PRESSURE: Final = _choice(
    "rate_pressure",
    "Rate pressure",
    "Any",
    SEVERITIES,
    severity.label,
    lambda word: f"under {word} rate pressure",
    help_text="How far today's refinancing rate is above the coupon, less urgent far from "
    "maturity.",
)
SIGNAL_TYPE: Final = _choice(
    "signal_type",
    "Signal type",
    "All types",
    SIGNAL_TYPES,
    words,
    lambda word: words(word).lower(),
    leads=True,
)
#: Signals start at moderate (D24).
SEVERITY: Final = _choice(
    "severity",
    "Severity",
    "All severities",
    SEVERITIES[1:],
    severity.label,
    str,
    leads=True,
)
NAME: Final = _text(
    "name",
    "Name",
    "Any name; empty lists all",
    "named like",
    "Typing errors, word order, accents, case and LLC do not count. A search weighs the few "
    "hundred likeliest names; a longer name finds more precisely.",
    "search",
)
RESOLUTION_CONFIDENCE: Final = _score(
    "confidence_min",
    "Resolution confidence from",
    "with a resolution confidence",
    "How sure the source is that the records are of one party.",
)


def edge_confidence(help_text: str) -> Filter:
    """Confidence of each edge of the capital graph."""
    return _score("confidence_min", "Confidence from", "confidence", help_text)
