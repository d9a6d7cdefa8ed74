"""What changed as figures: headline, kinds of events, and the matrix of worst severities."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from components.changes.view import SIDES, ChangesView, side
from components.frame import address, columns, states
from components.frame.ledger import Column, ledger
from components.frame.routes import CHANGES
from components.frame.switch import switch
from components.kit import text
from components.kit.card import card
from components.kit.figure import Figure, row
from components.kit.formatting import MISSING, day, loan_count, money
from components.maps import matrix, moves
from services.contract.changes_wording import counted, remarks, span
from services.contract.events import KIND
from services.contract.happened import ChangeCount
from services.contract.history import Changes

_NOTES: Final = (
    "A loan that is filed with its notes counts once, and so does each dollar. In the matrix it is"
    " in the cell of each of its notes."
)


def headline(found: Changes) -> None:
    """Loans compared, worse and better, and the dollars that moved."""
    row(
        [
            Figure("Compared", loan_count(found.compared), span(found), _NOTES),
            _of(found.worse, "Worse", "Loans with an event that is worse for the lender."),
            _of(found.better, "Better", "Loans with an event that is better for the lender. One may"
                " be worse by one event and better by another."),
            *(_of(one, KIND[kind].label)
              for kind in ("special_in", "liquidated", "paid_off")
              if (one := counted(found, kind)).loans),
        ]
    )  # fmt: skip
    for said in remarks(found):
        text.caption(said)


def _of(one: ChangeCount, label: str, said: str | None = None) -> Figure:
    return Figure(label, loan_count(one.loans), money(one.dollars), said)


def kinds(found: Changes, view: ChangesView) -> None:
    """Loans and dollars of each kind of event, most important first; each leads to its loans."""
    with card(f"What happened {span(found)}", level=2):
        if not found.counts:
            states.nothing("No loan had an event between these dates.")
            return
        ledger(
            _KINDS,
            found.counts,
            opens=lambda one: (
                CHANGES,
                view.but(kind=(one.kind,), severity_before=None, severity_after=None),
            ),
            named=lambda one: one.kind,
            caption="Loans by kind of event",
            height=330,
        )


def _direction(one: ChangeCount) -> str:
    direction = KIND[one.kind].direction
    return MISSING if direction == "other" else direction


_KINDS: Final[tuple[Column[ChangeCount], ...]] = (
    Column("kind", "Event", lambda one: KIND[one.kind].label),
    Column("direction", "For the lender", _direction),
    columns.loans(short=True),
    Column("dollars", "Dollars", lambda one: money(one.dollars), figure=True,
           help="Balance; what it was where nothing is owed any more."),
)  # fmt: skip


def crossed(found: Changes, view: ChangesView) -> None:
    """From worst severity to worst severity: every loan that was compared, in one cell."""
    with card(f"From worst signal to worst signal, {span(found)}", level=2):
        switch("measure", "Figure of the cells", moves.FIGURES)
        matrix.draw(
            moves.table(found.moves, SIDES, "Before"),
            lambda one: moves.written(one, getattr(one, view.measure), view.measure),
            write=lambda word: side(str(word)),
            write_row=side,
            of_row=lambda word: {"severity_before": str(word)},
            of_column=lambda word: {"severity_after": str(word)},
            opens=(CHANGES, view.but(kind=None, severity_before=None, severity_after=None)),
            on_choice=_filter_by,
            grounds=moves.grounds(),
            key="moves",
            caption=f"Loans from worst signal to worst signal, {span(found)}, by {view.measure}",
        )
        text.caption(
            f"Rows: worst signal as of {day(found.since)}. Columns: as of {day(found.until)}. "
            f"{moves.COLOURS}, came or left."
        )


def _filter_by(values: Mapping[str, str]) -> None:
    """Lists the loans of a cell or a row, whatever happened to them."""
    for name in ("severity_before", "severity_after"):
        st.session_state[name] = [values[name]] if name in values else None
    st.session_state["kind"] = None
    address.first_page()
