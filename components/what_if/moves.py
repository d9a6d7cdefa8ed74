"""The moves of a scenario as a table whose rows add up to all loans and to all dollars short."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from components.frame import columns
from components.frame.ledger import Column, ledger
from components.frame.routes import WHAT_IF
from components.kit import tables
from components.kit.formatting import MISSING, count, money
from components.kit.severity import label
from components.what_if.flows import loans_of, place_of
from components.what_if.view import Number, WhatIfView
from services.contract.scenario import HorizonMoves, Move, WhatIf

#: Loans whose worst signal stays, and all of them.
STAY: Final = "Same worst signal"
ALL: Final = "All loans"


@dataclass(frozen=True, slots=True)
class Row:
    """A move, the loans that stay, or all."""

    name: str
    loans: int
    contagion: int
    book_value: int
    short_before: int
    short_after: int
    #: None where no address finds them.
    move: Move | None = None


def rows_of(moves: Sequence[Move]) -> list[Row]:
    """The moves, worst in the scenario first; then who stays, whose dollars short change too; then
    all, which is the sum of those before it.
    """
    moved = [one for one in moves if one.before != one.after]
    moved.sort(key=lambda one: (place_of(one.after), -place_of(one.before)))
    stay = [one for one in moves if one.before == one.after]
    each = [_sum(f"{label(one.before)} → {label(one.after)}", [one], one) for one in moved]
    return [*each, _sum(STAY, stay), _sum(ALL, moves)]


def _sum(name: str, moves: Sequence[Move], only: Move | None = None) -> Row:
    return Row(
        name,
        sum(one.loans for one in moves),
        sum(one.contagion_loans for one in moves),
        sum(one.book_value for one in moves),
        sum(one.short_before for one in moves),
        sum(one.short_after for one in moves),
        only,
    )


def table(found: WhatIf, view: WhatIfView, number: Number) -> None:
    """The table; each move leads to its loans."""
    ledger(
        _COLUMNS,
        rows_of(found.moves),
        opens=lambda row: (
            WHAT_IF,
            loans_of(view, number, row.move) if row.move else view.at(1).params(),
        ),
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
    Column(
        "contagion",
        "By contagion alone",
        lambda row: count(row.contagion) if row.contagion else MISSING,
        figure=True,
        help="Loans whose own signals stay as they are: siblings under one owner got worse or "
        "better.",
    ),
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
