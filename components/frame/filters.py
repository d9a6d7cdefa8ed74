"""Every filter of the pages, once: its parameter, its widget, how it reads, what it can hold.

A page names the filters that it has; address, widgets and sentence follow from them. A value that
is sound but that no widget can hold is refused rather than dropped: a dropped filter would show
everything.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame import address, session
from components.kit import severity, text
from components.kit.formatting import (
    basis_points,
    count,
    day,
    dollars,
    multiple,
    percent,
    words,
)
from services.contract.errors import InvalidRequest
from services.contract.loan_filter import MOST_MONTHS
from services.contract.queries import LoanQuery, Query
from services.contract.schedule_al import PAYMENT_STATUSES, PROPERTY_TYPES
from services.contract.vocabulary import NO_SIGNAL, SEVERITIES, SIGNAL_TYPES, STATES, TIERS

#: Where a page leaves, before it draws its filters, how many records each value would find: by
#: filter, then by word.
COUNTS: Final = "filter counts"
EARLIEST: Final = date(1900, 1, 1)
LATEST: Final = date(2200, 12, 31)
#: Filters that the reader of this session has added to the bar, and the menu of those left.
_ADDED: Final = "filters added"
_ADD: Final = "add filter"
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
    #: What it is added by where it is not always in sight; the two ends of a range share it.
    added_as: str = ""


def offered(*names: str) -> tuple[Filter, ...]:
    """Some of the filters that can be added to a bar, by name."""
    known = {one.name: one for one in (*FURTHER, replace(LENDER, added_as="Lender"))}
    return tuple(known[name] for name in names)


def drawn(filters: Sequence[Filter], widths: Sequence[float]) -> dict[str, Any]:
    """Draws the filters side by side; what is chosen, by name, null where nothing is.

    Widths beyond the filters leave room at the right.
    """
    return _drawn_in(st.columns(list(widths), gap="small"), filters)


def _drawn_in(columns: Sequence[DeltaGenerator], filters: Sequence[Filter]) -> dict[str, Any]:
    """Draws one filter a column; what is chosen, by name, null where nothing is."""
    values = {}
    for column, one in zip(columns, filters, strict=False):
        with column:
            chosen = one.draw()
            values[one.name] = None if chosen in ("", ()) else chosen
    return values


def chosen_before(filters: Iterable[Filter]) -> dict[str, Any]:
    """What the widgets will say once they are drawn, by name: seeded, or left so by the reader."""
    found = {}
    for one in filters:
        value = st.session_state.get(one.name)
        value = tuple(value) if isinstance(value, list) else value
        if value not in (None, "", ()):
            found[one.name] = value
    return found


def drawn_with_more(
    filters: Sequence[Filter], offered: Sequence[Filter], a_row: int
) -> dict[str, Any]:
    """As `drawn`, `a_row` of them side by side, and after the last the menu of what is offered."""
    values: dict[str, Any] = {}
    for first in range(0, len(filters) + 1, a_row):
        row = filters[first : first + a_row]
        used = min(len(row) + 1, a_row)
        # Each column costs a browser 2 ms: what is left of the last row is one.
        rest = [a_row - used] if used < a_row else []
        columns = st.columns([*[1] * used, *rest], gap="small")
        values |= _drawn_in(columns, row)
        if len(row) < a_row:
            with columns[len(row)]:
                _add(offered)
    return values


def added(filters: Sequence[Filter], query: Query) -> list[Filter]:
    """Of the filters that can be added those in sight: set in the address or by a click on a chart,
    or just added.
    """
    shown: list[str] = st.session_state.setdefault(_ADDED, [])
    chosen = chosen_before(filters)
    for one in filters:
        is_set = getattr(query, one.name) is not None or one.name in chosen
        if is_set and one.added_as not in shown:
            shown.append(one.added_as)
    return sorted(
        (one for one in filters if one.added_as in shown), key=lambda one: shown.index(one.added_as)
    )


def _add(filters: Sequence[Filter]) -> None:
    """The menu of the filters that are not in sight; choosing one brings it there."""
    shown: list[str] = st.session_state.setdefault(_ADDED, [])
    offered = [name for name in dict.fromkeys(one.added_as for one in filters) if name not in shown]

    def bring() -> None:
        if chosen := st.session_state[_ADD]:
            shown.append(chosen)
        st.session_state[_ADD] = None

    known = session.mirrored()
    st.selectbox(
        "Add filter",
        offered,
        index=None,
        placeholder="Add filter" if known else "Needs the mirror",
        disabled=not known,
        key=_ADD,
        on_change=bring,
    )


def check(filters: Iterable[Filter], query: Query) -> None:
    """Raises InvalidRequest for a value that is sound but that no widget of the page can hold."""
    for one in filters:
        value = getattr(query, one.name)
        if value is not None and (fault := one.fault(value)):
            raise InvalidRequest(
                f"Parameter '{one.name}' is '{query.params()[one.name]}' but must {fault}",
                parameter=one.name,
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


def _unanswered(name: str) -> bool:
    """Whether nobody can answer a filter: over an API that lacks it, without its mirror. One that
    is set can be taken away.
    """
    return name not in LoanQuery.model_fields and not (
        session.mirrored() or st.session_state.get(name)
    )


def _several(
    name: str,
    label: str,
    every: str,
    options: Sequence[str],
    write: Callable[[str], str],
    clause: Callable[[str], str],
    *,
    help_text: str | None = None,
    leads: bool = False,
    added_as: str = "",
    exact: bool = True,
) -> Filter:
    """Some of a list of words, each with how many records it would find.

    Capital letters do not count in its words unless it is `exact`.
    """

    def draw() -> tuple[str, ...]:
        counts = st.session_state.get(COUNTS, {}).get(name, {})
        if not exact:
            counts = _folded(counts)
        # Labels change with the counts: what is chosen is put in anew, in their words.
        st.session_state[name] = list(st.session_state.get(name) or ())
        listed = list(options) or sorted({*counts, *st.session_state[name]})

        def labelled(word: str) -> str:
            found = counts.get(word, 0)
            return f"{write(word)} · {count(found)}" if counts else write(word)

        chosen = st.multiselect(
            text.label(label),
            listed,
            disabled=_unanswered(name),
            format_func=lambda word: text.label(labelled(word)),
            placeholder=every,
            key=name,
            help=text.label(help_text),
            on_change=address.first_page,
        )
        return tuple(sorted(chosen))

    def fault(values: tuple[str, ...]) -> str:
        odd = [value for value in values if options and value not in options]
        return f"be one of {', '.join(options)}" if odd else ""

    def said(values: tuple[str, ...]) -> str:
        return clause(" or ".join(write_plain(value) for value in values))

    def write_plain(value: str) -> str:
        if name == "state":
            return STATES.get(value, value)
        return value if exact else write(value)

    return Filter(name, draw, said, fault, leads, added_as)


def _folded(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts by word without capital letters."""
    folded: dict[str, int] = {}
    for word, number in counts.items():
        folded[word.casefold()] = folded.get(word.casefold(), 0) + number
    return folded


def _yes_no(name: str, label: str, yes: str, no: str, help_text: str) -> Filter:
    """Whether something is so of the loan."""

    def draw() -> bool | None:
        counts = st.session_state.get(COUNTS, {}).get(name, {})

        def labelled(value: bool) -> str:
            word = "yes" if value else "no"
            return f"{words(word)} · {count(counts.get(word, 0))}" if counts else words(word)

        chosen: bool | None = st.selectbox(
            text.label(label),
            [True, False],
            index=None,
            format_func=labelled,
            placeholder="Any",
            key=name,
            help=text.label(help_text),
            on_change=address.first_page,
        )
        return chosen

    return Filter(name, draw, lambda value: yes if value else no, added_as=label)


def _range(
    name: str,
    label: str,
    write: Callable[[float], str],
    noun: str,
    *,
    low: float,
    high: float,
    step: float,
    unit: str,
) -> tuple[Filter, Filter]:
    """The two ends of a figure."""
    return (
        _figure(f"min_{name}", f"{label} from", label, write, f"{noun} of at least",
                low=low, high=high, step=step, unit=unit),
        _figure(f"max_{name}", f"{label} to", label, write, f"{noun} of at most",
                low=low, high=high, step=step, unit=unit),
    )  # fmt: skip


def _figure(
    name: str,
    label: str,
    added_as: str,
    write: Callable[[float], str],
    clause: str,
    *,
    low: float,
    high: float,
    step: float,
    unit: str,
) -> Filter:
    """One end of a figure, as a reader types it."""

    def draw() -> float | None:
        return st.number_input(
            text.label(label),
            value=None,
            min_value=float(low),
            max_value=float(high),
            step=step,
            format="%g",
            placeholder=unit,
            key=name,
            on_change=address.first_page,
        )

    def fault(value: float) -> str:
        return "" if low <= value <= high else f"lie from {low:g} to {high:g}"

    return Filter(name, draw, lambda value: f"{clause} {write(value)}", fault, added_as=added_as)


def _dollars(name: str, label: str, clause: str, added_as: str = "") -> Filter:
    """An amount in whole dollars."""

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

    return Filter(name, draw, lambda value: f"{clause} {dollars(value)}", fault, added_as=added_as)


def _months(name: str, label: str, clause: str, help_text: str) -> Filter:
    """A number of months."""

    def draw() -> int | None:
        return st.number_input(
            text.label(label),
            value=None,
            min_value=1,
            max_value=MOST_MONTHS,
            step=6,
            placeholder="months",
            key=name,
            help=text.label(help_text),
            on_change=address.first_page,
        )

    def said(value: int) -> str:
        return f"{clause} {'a month' if value == 1 else f'{value} months'} of the as-of date"

    return Filter(name, draw, said, added_as=label)


def _date(name: str, label: str, clause: str, added_as: str = "") -> Filter:
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

    return Filter(name, draw, lambda value: f"{clause} {day(value)}", fault, added_as=added_as)


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
    added_as: str = "",
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

    return Filter(name, draw, lambda value: f"{clause} “{value}”", added_as=added_as)


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


STATES_OF_LOANS: Final = _several(
    "state",
    "State",
    "All states",
    tuple(STATES),
    lambda code: f"{code} {STATES[code]}",
    lambda listed: f"in {listed}",
)
PROPERTY_TYPES_OF_LOANS: Final = _several(
    "property_type",
    "Property type",
    "All types",
    tuple(PROPERTY_TYPES.values()),
    words,
    str,
    help_text="Of the loan's most valuable property.",
    leads=True,
)


def _at_worst(values: tuple[str, ...]) -> str:
    """With a critical or severe signal at worst or without a signal."""
    named = " or ".join(word for word in values if word != NO_SIGNAL)
    with_one = [f"with a {named} signal at worst"] if named else []
    return " or ".join([*with_one, *(["without a signal"] if NO_SIGNAL in values else [])])


WORST_SEVERITY: Final = replace(
    _several(
        "severity",
        "Worst signal",
        "Any or none",
        (*SEVERITIES[1:], NO_SIGNAL),
        severity.label,
        str,
    ),
    clause=_at_worst,
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
MATURES_WITHIN: Final = _months(
    "matures_within",
    "Matures within",
    "maturing within",
    "Months from the as-of date on. A saved search moves with the data; a date stays.",
)
MATURITY_BEFORE: Final = _date("maturity_before", "Matures before", "maturing before")
#: What can be added to the bar of the Loans page.
FURTHER: Final = (
    MATURES_WITHIN,
    _several("rate_pressure", "Rate pressure", "Any", SEVERITIES, severity.label,
             lambda listed: f"under {listed} rate pressure", added_as="Rate pressure",
             help_text="How far today's refinancing rate is above the coupon, less urgent far "
             "from maturity."),
    _several("rule", "Rule that fired", "Any", (), str, lambda listed: f"on which {listed} fired",
             added_as="Rule that fired", help_text="Rules are listed on the Sources page."),
    _dollars("min_short", "Short at refinance from", "short at refinance by at least",
             added_as="Dollars short"),
    *_range("gap", "Gap to the refi rate", basis_points, "a gap to the refi rate",
            low=-10_000, high=10_000, step=25.0, unit="bp"),
    *_range("dscr", "DSCR", multiple, "a DSCR", low=-1_000, high=1_000, step=0.05, unit="x"),
    *_range("ltv", "LTV", percent, "an LTV", low=0, high=10_000, step=5.0, unit="%"),
    *_range("debt_yield", "Debt yield", percent, "a debt yield",
            low=-1_000, high=1_000, step=0.5, unit="%"),
    *_range("coupon", "Coupon", percent, "a coupon", low=0, high=100, step=0.25, unit="%"),
    *_range("occupancy", "Occupancy", percent, "an occupancy", low=0, high=100, step=5.0, unit="%"),
    _several("city", "City", "All cities", (), str.title,
             lambda listed: f"in the city of {listed}", added_as="City", exact=False),
    _several("payment_status", "Payment status", "Any", tuple(PAYMENT_STATUSES),
             lambda code: f"{code}: {PAYMENT_STATUSES[code]}",
             lambda listed: f"with payment status {listed}", added_as="Payment status"),
    _yes_no("special_servicing", "Special servicing", "in special servicing",
            "not known to be in special servicing", "Transferred and not returned."),
    _yes_no("defeased", "Defeased", "defeased in full", "not known to be defeased in full",
            "Treasuries pay a defeased loan."),
    _several("confidence_tier", "Ownership chain", "Any", TIERS, words,
             lambda listed: f"on a {listed} ownership chain", added_as="Ownership chain"),
    _text("party", "Borrower or sponsor", "Words of a name", "of a borrower or sponsor named",
          "Every word has to occur in the name; accents and case do not count.",
          added_as="Borrower or sponsor"),
    _text("sponsor", "Sponsor", "Its exact name", "of the sponsor", "The sponsor or owner with the "
          "largest book behind the loan, by its exact name.", added_as="Sponsor"),
    _text("family", "Family", "Its head's exact name", "in the family of", "All loans under this "
          "sponsor or owner, over links of 0.70 or better.", added_as="Family"),
    _text("lender_of_loan", "Lender of the loan", "Its exact name", "lent by",
          "The loan's own lender by its exact name; not of its other debt layers.",
          added_as="Lender of the loan"),
    _text("find", "Loan or property", "Part of a number or name", "with a number or name like",
          "A part of the loan number or of the property's name.", added_as="Loan or property"),
    _date("originated_after", "Originated after", "originated after", "Origination"),
    _date("originated_before", "Originated before", "originated before", "Origination"),
)  # fmt: skip
SIGNAL_TYPES_OF_SIGNALS: Final = _several(
    "signal_type",
    "Signal type",
    "All types",
    SIGNAL_TYPES,
    words,
    lambda listed: listed.replace("_", " "),
    leads=True,
)
#: Signals start at moderate (D24).
SEVERITIES_OF_SIGNALS: Final = _several(
    "severity",
    "Severity",
    "All severities",
    SEVERITIES[1:],
    severity.label,
    str,
    leads=True,
)
ON_PROPERTY_TYPES: Final = replace(
    PROPERTY_TYPES_OF_LOANS,
    clause=lambda listed: f"on {' or '.join(listed)} loans",
    leads=False,
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
