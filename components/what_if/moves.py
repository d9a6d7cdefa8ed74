"""The moves of a scenario: from worst signal to worst signal, and as a table whose rows add up to
all loans and to all dollars short.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from components.frame import columns, links
from components.frame.ledger import Column, ledger
from components.frame.routes import WHAT_IF
from components.kit import tables, text
from components.kit.formatting import MISSING, count, money
from components.kit.severity import label
from components.maps import matrix, moves
from components.what_if.view import Number, WhatIfView
from services.contract.scenario import HorizonMoves, Move, WhatIf
from services.contract.vocabulary import GRADED, UNGRADED

#: Loans whose worst signal stays, and all of them.
STAY: Final = "Same worst signal"
ALL: Final = "All loans"
#: Worst first.
_ORDER: Final = tuple(reversed((*UNGRADED, *GRADED)))


@dataclass(frozen=True, slots=True)
class Row:
    """A move, the loans that stay, or all."""

    name: str
    loans: int
    book_value: int
    short_before: int
    short_after: int
    #: None where no address finds them.
    move: Move | None = None


def rows_of(every: Sequence[Move]) -> list[Row]:
    """The moves, worst in the scenario first; then who stays, whose dollars short change too; then
    all, which is the sum of those before it.
    """
    moved = [one for one in every if one.before != one.after]
    moved.sort(key=lambda one: (_ORDER.index(one.after), -_ORDER.index(one.before)))
    stay = [one for one in every if one.before == one.after]
    each = [_sum(f"{label(one.before)} → {label(one.after)}", [one], one) for one in moved]
    return [*each, _sum(STAY, stay), _sum(ALL, every)]


def _sum(name: str, of: Sequence[Move], only: Move | None = None) -> Row:
    return Row(
        name,
        sum(one.loans for one in of),
        sum(one.book_value for one in of),
        sum(one.short_before for one in of),
        sum(one.short_after for one in of),
        only,
    )


def crossed(found: WhatIf, view: WhatIfView, number: Number) -> None:
    """From worst signal now to that in the scenario; each cell leads to its loans."""
    if not found.loans:
        return
    params = _loans_of(view, number)
    matrix.draw(
        moves.table(found.moves, _ORDER, "Now"),
        lambda one: moves.written(
            one, one.loans if view.measure == "loans" else one.book_value, view.measure
        ),
        write=lambda word: label(word or ""),
        write_row=label,
        of_row=lambda _: None,
        of_column=lambda _: None,
        of_cell=lambda one: {"move": f"{one.before},{one.after}"},
        opens=(WHAT_IF, params),
        on_choice=lambda values: links.open_page(WHAT_IF, params | dict(values)),
        grounds=moves.grounds(),
        key=f"moves-{number}",
        caption=f"Loans from worst signal now to worst signal in scenario {number}, by "
        f"{view.measure}",
    )
    text.caption(f"Rows: worst signal now. Columns: in the scenario. {moves.COLOURS}.")


def _loans_of(view: WhatIfView, number: Number, move: Move | None = None) -> dict[str, str]:
    """The address that lists the loans that move in a scenario; with `move`, those of one move."""
    return view.but(of=number, move=(move.before, move.after) if move else None)


def table(found: WhatIf, view: WhatIfView, number: Number) -> None:
    """The table; each move leads to its loans."""
    ledger(
        _COLUMNS,
        rows_of(found.moves),
        opens=lambda row: (WHAT_IF, _loans_of(view, number, row.move)),
        caption=f"Moves in scenario {number}",
        height=420,
    )


def horizons(found: Sequence[HorizonMoves], number: Number) -> None:
    """Dollars short by when they must be refinanced, now and in the scenario."""
    rows = [
        {
            "To be refinanced": one.word,
            "Loans": count(one.loans),
            "Short now": money(one.short_before),
            "Short then": money(one.short_after),
            "Change": _change(one.short_before, one.short_after),
        }
        for one in found
    ]
    tables.sheet(rows, f"Dollars short by horizon in scenario {number}")


def _change(before: int, after: int) -> str:
    more = after - before
    return f"+{money(more)}" if more > 0 else money(more) if more else MISSING


_COLUMNS: Final[tuple[Column[Row], ...]] = (
    Column("move", "Worst signal", lambda row: row.name),
    columns.loans(),
    columns.book_value(short=True),
    Column(
        "short",
        "Change in dollars short",
        lambda row: _change(row.short_before, row.short_after),
        figure=True,
        help="Of what new proceeds lack at maturity, in the scenario against now. Loans that stay "
        "at their worst signal get shorter too.",
    ),
)
