"""The panels of the Signals page: map with its table, matrices, the signals behind a mark."""

from collections.abc import Callable, Sequence
from datetime import date

import streamlit as st

from components.frame import address, exports, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN
from components.kit import severity, tables, text
from components.kit.card import card
from components.kit.formatting import MISSING, count, day, distance, money, place, words
from components.maps import bins, cities, matrix, states
from components.signals import filters
from components.signals.filters import SignalView
from services.contract.aggregates import MatrixCell, StateSignals
from services.contract.facts import FACT
from services.contract.queries import SignalFilter
from services.contract.records import Page, Signal
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.source import CreditSource, Maps, Screens
from services.contract.vocabulary import SEVERITIES, STATES


def everywhere(view: SignalView) -> None:
    """Map, table and matrices over all states, as far as type, severity and measure say."""
    query = view.filter()
    every_type = query.model_copy(update={"property_type": None})
    what = filters.sentence(view, place=False)
    found = session.ask(Maps.signal_states, query)
    left, right = st.columns([1.75, 1], gap="small")
    with left:
        if view.map == "states":
            by_state(found, view, what)
        else:
            by_city = session.ask(Maps.signal_cities, query)
            cities.cities(by_city, filters.sentence(view))
    with right:
        state_table(found, "The same as a table" if view.map == "states" else f"{what} by state")
    matrices(
        session.ask(Maps.signal_matrix, query, "severity"),
        session.ask(Maps.signal_matrix, every_type, "property_type"),
    )


def found(view: SignalView) -> Page[Signal]:
    """The signals to list; by property type only a snapshot can tell them (D33)."""
    query = view.filter()
    if (specified := query.within_specification) is not None:
        return session.ask(CreditSource.signals, specified)
    return session.ask(Screens.signals_found, query)


def by_state(found: Sequence[StateSignals], view: SignalView, what: str) -> None:
    """The map; a click on a state filters everything by it, a double click by none."""
    measure = bins.MEASURES[view.measure]
    with card(f"{what} by state: {measure.title}", level=2):
        st.plotly_chart(
            states.figure(found, measure, view.state, dark=dark()),
            key="state_map",
            config=states.OFFLINE,
            on_select=_state_chosen,
            selection_mode="points",
            alt=f"Map of {what.lower()} by state, coloured by {measure.title}; the same figures "
            "stand in the table beside it",
        )
        outside = [state for state in found if state.state not in states.DRAWN]
        if marks := sum(state.signals for state in outside):
            codes = ", ".join(state.state or "no state" for state in outside if state.signals)
            text.caption(f"+{count(marks)} outside the map ({codes}).")


def dark() -> bool:
    """Whether the browser shows the dark theme."""
    return st.context.theme.type == "dark"


def _state_chosen() -> None:
    points = st.session_state["state_map"]["selection"]["points"]
    codes = [point["location"] for point in points if "location" in point]
    st.session_state["state"] = codes[0] if codes else None
    address.first_page()


def state_table(states: Sequence[StateSignals], heading: str) -> None:
    """The state map's figures, largest first."""
    with card(heading, level=2):
        rows = bins.state_rows(states)
        tables.plain(
            rows,
            "state_table",
            "Signals by state",
            figures=list(rows[0])[1:] if rows else (),
            height=445,
        )


def matrices(by_severity: Sequence[MatrixCell], by_type: Sequence[MatrixCell]) -> None:
    """State by severity and state by property type; a chosen cell filters everything by it.

    The second holds all types whatever type is chosen, so that another can be.
    """
    left, right = st.columns([1, 2.1], gap="small")
    with left, card("Signals by state and severity", level=2):
        _matrix(matrix.matrix(by_severity, SEVERITIES), "severity", severity.label)
    with right, card("Signals by state and property type", level=2):
        _matrix(matrix.matrix(by_type, tuple(PROPERTY_TYPES.values())), "property_type", words)


def _matrix(cells: matrix.Matrix, parameter: str, write: Callable[[str | None], str]) -> None:
    names = [write(column) if column else "none" for column in cells.columns]
    figures = [
        [
            cell.signals if (cell := cells.cells.get((state, column))) else 0
            for column in cells.columns
        ]
        for state in cells.states
    ]

    def chosen() -> None:
        cell = matrix.chosen(f"matrix_{parameter}")
        if cell is None:
            return
        row, at = cell
        column = None if at is None else cells.columns[at]
        # A word that no filter can hold, as an unknown state, would filter by nothing.
        if cells.states[row] not in STATES:
            return
        if column is not None and not filters.can_hold(parameter, column):
            return
        st.session_state["state"] = cells.states[row]
        if column is not None:
            st.session_state[parameter] = column
        address.first_page()

    matrix.draw(
        [state or "none" for state in cells.states],
        names,
        figures,
        key=f"matrix_{parameter}",
        on_select=chosen,
        dark=dark(),
        alt=f"Number of signals by state and {parameter.replace('_', ' ')}",
    )


def listed(items: Sequence[Signal], today: date, key: str) -> None:
    """Signals, each with its rule; the number opens the loan."""
    ledger(
        _columns(today),
        items,
        opens=lambda signal: (LOAN, signal.loan_number),
        key=key,
        caption="Signals",
    )


def _columns(today: date) -> tuple[Column[Signal], ...]:
    return (
        Column("loan_number", "Loan", lambda one: one.loan_number),
        Column("severity", "Severity", lambda one: severity.label(one.severity), short=True),
        Column("signal_type", "Signal", lambda one: words(one.signal_type)),
        Column(
            "rule", "Rule", lambda one: ", ".join(part.rule for part in one.components) or MISSING
        ),
        Column("property_type", "Property", lambda one: words(one.property_type)),
        Column("property_city", "City", lambda one: place(one.property_city, one.property_state)),
        Column(
            "book_value", "Book value", lambda one: money(one.book_value), figure=True, short=True
        ),
        Column("maturity_date", "Matures", lambda one: day(one.maturity_date), figure=True),
        Column("due", "Due", lambda one: distance(one.maturity_date, today), figure=True),
        Column("description", "Because", lambda one: one.description or MISSING),
    )


def export(query: SignalFilter) -> exports.Export:
    """Every signal that matches, all pages, with the rules that fired."""
    table = session.analytics().signal_table(query)
    return exports.of_table("signals", filters.sentence(query), exports.origin(), table, FACT)
