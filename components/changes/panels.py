"""What changed as figures: headline, kinds of events, and the matrix of worst severities."""

from collections.abc import Mapping
from typing import Final, Literal

import streamlit as st

from components.changes.view import SIDES, ChangesView, side
from components.frame import address, columns, states
from components.frame.ledger import Column, ledger
from components.frame.routes import CHANGES
from components.frame.switch import switch
from components.kit import text, theme
from components.kit.card import card
from components.kit.figure import Figure, row
from components.kit.formatting import MISSING, count, day, held, money
from components.maps import matrix
from components.maps.bins import INKS, MEASURES
from services.contract.changes_wording import counted, remarks, span
from services.contract.events import KIND
from services.contract.happened import ChangeCount
from services.contract.history import Changes, Move
from services.contract.vocabulary import NO_SIGNAL, SEVERITIES

#: Grounds of cells that got better, and of those that stayed, came or left, with their ink.
_CALM: Final = {
    False: (("#cfe3f3", "#10171f"), ("#e7ebef", "#10171f")),
    True: (("#27485f", "#e6edf3"), ("#2f3a45", "#e6edf3")),
}
_NOTES: Final = (
    "A loan that is filed with its notes counts once, and so does each dollar. In the matrix it is"
    " in the cell of each of its notes."
)
_LADDER: Final = (NO_SIGNAL, *SEVERITIES)


def headline(found: Changes) -> None:
    """Loans compared, worse and better, and the dollars that moved."""
    row(
        [
            Figure("Compared", held(found.compared), span(found), _NOTES),
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
    return Figure(label, held(one.loans), money(one.dollars), said)


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


def moves(found: Changes, view: ChangesView) -> None:
    """From worst severity to worst severity: every loan that was compared, in one cell."""
    with card(f"From worst signal to worst signal, {span(found)}", level=2):
        switch("measure", "Figure of the cells", {"loans": "Loans", "dollars": "Dollars"})
        matrix.draw(
            table(found),
            lambda one: _written(one, view.measure),
            write=lambda word: side(str(word)),
            write_row=side,
            of_row=lambda word: {"severity_before": str(word)},
            of_column=lambda word: {"severity_after": str(word)},
            opens=(CHANGES, view.but(kind=None, severity_before=None, severity_after=None)),
            on_choice=_filter_by,
            grounds=(*matrix.classes(), *_CALM[theme.dark()]),
            key="moves",
            caption=f"Loans from worst signal to worst signal, {span(found)}, by {view.measure}",
        )
        text.caption(
            f"Rows: worst signal as of {day(found.since)}. Columns: as of {day(found.until)}. Cells"
            " left of the diagonal got worse, yellow to brown by size; those right of it got"
            " better, blue; grey ones stayed, came or left."
        )


def table(found: Changes) -> matrix.Matrix[Move]:
    """The moves by worst severity before and after, worst first; what no loan has is left out."""
    there = {word for one in found.moves for word in (one.before, one.after)}
    words = tuple(word for word in SIDES if word in there)
    cells: dict[tuple[str | None, str | None], Move] = {
        (one.before, one.after): one for one in found.moves
    }
    before = tuple(word for word in words if any(at[0] == word for at in cells))
    after = tuple(word for word in words if any(at[1] == word for at in cells))
    return matrix.Matrix(before, after, cells, corner="Before")


def _written(move: Move, measure: Literal["loans", "dollars"]) -> tuple[str, int]:
    """The figure of a cell and its colour: by size where it got worse, else one of two."""
    figure = move.loans if measure == "loans" else move.dollars
    written = count(figure) if measure == "loans" else money(figure)
    calm = len(INKS)
    if not {move.before, move.after} <= set(_LADDER) or move.before == move.after:
        return written, calm + 1
    if _LADDER.index(move.after) < _LADDER.index(move.before):
        return written, calm
    return written, MEASURES[measure].bin(figure) or 0


def _filter_by(values: Mapping[str, str]) -> None:
    """Lists the loans of a cell or a row, whatever happened to them."""
    for name in ("severity_before", "severity_after"):
        st.session_state[name] = [values[name]] if name in values else None
    st.session_state["kind"] = None
    address.first_page()
