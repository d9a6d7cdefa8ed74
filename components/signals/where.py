"""Where the signals are: maps, their table, matrices. Each mark filters the page."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from components.frame import address, columns, session
from components.frame.ledger import Column, ledger
from components.frame.routes import SIGNALS
from components.kit import severity, text, theme
from components.kit.card import card
from components.kit.formatting import MISSING, count, loan_count, money, percent, words
from components.kit.sparkline import Sparkline
from components.maps import bins, matrix, states
from components.maps.bins import MEASURES, Measure
from components.signals import filters, over_time
from components.signals.filters import SignalView
from components.signals.over_time import Past
from services.contract.aggregates import MatrixCell, StateSignals
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.source import Maps
from services.contract.vocabulary import SEVERITIES, STATES


def everywhere(view: SignalView) -> None:
    """Map, table and matrices over all states, as the other conditions say."""
    query = view.filter().without("order").at(1)
    what = filters.sentence(query, place=False)
    measure = MEASURES[view.measure]
    today = session.ask(Maps.signal_states, query)
    past = over_time.past(view)
    then = past.found(view.month) if past else None
    found = _worst_first(then or today, measure)
    # A container even while it is empty: if the elements above the map shifted, Streamlit would
    # build the map again and lose a step of its slider.
    with st.container():
        when = over_time.said(view, past)
    # A line over time needs room beside the figures.
    left, right = st.columns([1.5 if past else 1.75, 1], gap="small")
    with left:
        _map(found, measure, view, what, past, today)
    with right, card(f"{what}, by state{when}", level=2):
        _table(found, view, past.lines(measure, today) if past else {}, measure)
    _matrices(
        [state.state for state in _worst_first(today, measure)],
        session.ask(Maps.signal_matrix, query, "severity"),
        session.ask(Maps.signal_matrix, query.without("property_type"), "property_type"),
        measure,
        view,
    )


def _map(
    found: Sequence[StateSignals],
    measure: Measure,
    view: SignalView,
    what: str,
    past: Past | None,
    today: Sequence[StateSignals],
) -> None:
    """The map; a click on a state filters everything by it, a second one by none. A slider plays
    its months.
    """
    with card(f"{what}, by state: {measure.title}", level=2):
        states.draw(
            found,
            measure,
            view.state or (),
            opens=(SIGNALS, view.without("state", "city").at(1).params()),
            on_choice=lambda code: _filter_by(state=[code] if code else [], city=[]),
            key="state_map",
            caption=f"Map of {what.lower()} by state, coloured by {measure.title}; the same "
            "figures stand in the table beside it",
            dark=theme.dark(),
            months=past.playing(view.month, today) if past else None,
            on_month=past.choose if past else None,
        )
        outside = [state for state in found if state.state not in states.DRAWN and state.loans]
        if outside:
            codes = ", ".join(state.state or "no state" for state in outside)
            loans = sum(state.loans for state in outside)
            text.caption(f"+{loan_count(loans)} outside the map ({codes}).")


def _filter_by(**values: list[str]) -> None:
    """Puts values into filters of the page, as if their widgets had been used."""
    for name, chosen in values.items():
        st.session_state[name] = chosen
    address.first_page()


def _worst_first(found: Sequence[StateSignals], measure: Measure) -> list[StateSignals]:
    """States by their figure; those of few loans, whose share may be anything, after the others."""

    def key(state: StateSignals) -> tuple[bool, float, str]:
        few = measure.name == "share" and state.of_loans < bins.FEW
        return few, -(measure.figure(state) or 0), state.state or "~"

    return sorted(found, key=key)


def _table(
    found: Sequence[StateSignals],
    view: SignalView,
    lines: Mapping[str | None, Sparkline],
    measure: Measure,
) -> None:
    """The map's figures, each state's with its line over time where there is one; a state's code
    filters everything by it.
    """
    here = view.at(1).params()
    rows = [state for state in found if state.loans]
    if not rows:
        text.caption("No state has any.")
        return
    ledger(
        (
            Column("state", "State", lambda one: one.state or MISSING),
            Column(
                "share",
                "Of the book",
                lambda one: percent(bins.part(one), 1),
                figure=True,
                short=True,
                help="Share of the book value in this state that meets the same conditions on "
                "loans.",
            ),
            *([over_time.column(lines, measure)] if lines else []),
            columns.book_value(),
            Column("short", "Dollars short", lambda one: money(one.dollars_short), figure=True),
            Column(
                "loans",
                "Loans",
                lambda one: f"{count(one.loans)} of {count(one.of_loans)}",
                figure=True,
            ),
        ),
        rows,
        opens=lambda one: (SIGNALS, {**here, "state": one.state} if one.state in STATES else here),
        caption="Signals by state",
        height=430,
    )


def _matrices(
    in_order: Sequence[str | None],
    by_severity: Sequence[MatrixCell],
    by_type: Sequence[MatrixCell],
    measure: Measure,
    view: SignalView,
) -> None:
    """State by severity and state by property type; a chosen cell filters everything by it.

    The second holds all types whatever type is chosen, so that another can be.
    """
    if not any(cell.loans for cell in (*by_severity, *by_type)):
        return
    left, right = st.columns([1, 2.1], gap="small")
    with left, card(f"By state and severity: {measure.title}", level=2):
        cells = matrix.matrix(by_severity, SEVERITIES, in_order)
        _matrix(cells, measure, "severity", severity.label, view)
    with right, card(f"By state and property type: {measure.title}", level=2):
        cells = matrix.matrix(by_type, tuple(PROPERTY_TYPES.values()), in_order)
        _matrix(cells, measure, "property_type", words, view)


def _matrix(
    cells: matrix.Matrix[MatrixCell],
    measure: Measure,
    parameter: str,
    write: Callable[[str | None], str],
    view: SignalView,
) -> None:
    def of_state(word: str | None) -> dict[str, str] | None:
        # A word that no filter can hold, as an unknown state, would filter by nothing.
        return {"state": word} if word in STATES else None

    def of_column(word: str | None) -> dict[str, str] | None:
        return {parameter: word} if word and filters.can_hold(parameter, word) else None

    matrix.draw(
        cells,
        matrix.of_measure(measure),
        write=write,
        of_row=of_state,
        of_column=of_column,
        opens=(SIGNALS, view.without("state", "city", parameter).at(1).params()),
        on_choice=lambda values: _filter_by(
            city=[], **{name: [value] for name, value in values.items()}
        ),
        grounds=matrix.classes(),
        key=f"matrix_{parameter}",
        caption=f"Signals by state and {parameter.replace('_', ' ')}: {measure.title}",
    )
