"""Signals by state and a second attribute: a coloured table, its own table twin."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Final

import streamlit as st

from components.maps.bins import RAMP
from services.contract.aggregates import MatrixCell

#: Fixed bins of counts in a matrix, and the first class whose ground is dark.
HEAT_ENDS: Final = (5, 25, 100, 500)
DARK_FROM: Final = 3
#: Pixels: the column of the state and those of four severities fit into their card at 1440.
_COLUMN: Final = 78


@dataclass(frozen=True, slots=True)
class Matrix:
    """Cells by state and column; `figures[(state, column)]`."""

    states: tuple[str | None, ...]
    columns: tuple[str | None, ...]
    cells: dict[tuple[str | None, str | None], MatrixCell]


def matrix(cells: Sequence[MatrixCell], order: Sequence[str]) -> Matrix:
    """States by signals, most first; columns in `order`, then others by name, nulls last."""
    found = {(cell.state, cell.column): cell for cell in cells}
    totals: dict[str | None, int] = {}
    for cell in cells:
        totals[cell.state] = totals.get(cell.state, 0) + cell.signals
    present = {cell.column for cell in cells}
    others = sorted(word for word in present - set(order) if word is not None)
    columns = [*(word for word in order if word in present), *others]
    states = sorted(totals, key=lambda state: (-totals[state], state or "~"))
    return Matrix(tuple(states), (*columns, *([None] if None in present else [])), found)


def draw(
    rows: Sequence[str],
    columns: Sequence[str],
    figures: Sequence[Sequence[int]],
    *,
    key: str,
    on_select: Callable[[], None],
    dark: bool,
    alt: str,
) -> None:
    """Counts by state and column as a coloured table; `on_select` follows a chosen cell."""
    import pandas as pd

    # By number: two outside words may read alike, and one may read "State".
    ids = [str(at) for at in range(len(columns))]
    coloured: list[Hashable] = [*ids]
    frame = pd.DataFrame(figures, columns=ids)
    frame.insert(0, "State", list(rows))
    styled = frame.style.map(lambda value: _shade(value, dark=dark), subset=coloured)
    config = {
        at: st.column_config.NumberColumn(name, width=_COLUMN)
        for at, name in zip(ids, columns, strict=True)
    }
    st.dataframe(
        styled.format(subset=coloured, thousands=","),
        hide_index=True,
        key=key,
        height=420,
        column_config={"State": st.column_config.TextColumn("State", width=60), **config},
        on_select=on_select,
        selection_mode="single-cell",
        alt=alt,
    )


def chosen(key: str) -> tuple[int, int | None] | None:
    """The cell chosen in the table of that key: its row, and its column, None in that of states."""
    cells = st.session_state[key]["selection"]["cells"]
    if not cells:
        return None
    row, name = cells[0]
    return row, int(name) if name.isdecimal() else None


def _shade(value: object, *, dark: bool) -> str:
    if not isinstance(value, Integral) or value == 0:
        return ""
    at = sum(int(value) >= end for end in HEAT_ENDS)
    ramp = RAMP[::-1] if dark else RAMP
    light = at < DARK_FROM if not dark else at > len(RAMP) - 1 - DARK_FROM
    return f"background-color: {ramp[at]}; color: {'#18232f' if light else '#ffffff'}"
