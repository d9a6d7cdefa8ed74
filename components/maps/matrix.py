"""Signals by state and a second attribute: a coloured table, its own table twin."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final, cast

import streamlit as st

from components.maps.bins import INKS, Measure, colours
from services.contract.aggregates import MatrixCell

#: Pixels: the column of the state and those of four severities fit into their card at 1440.
_COLUMN: Final = 78
#: A row of it, and the whole at most.
_ROW, _TALLEST = 35, 420


@dataclass(frozen=True, slots=True)
class Matrix:
    """Cells by state and column; `cells[(state, column)]`."""

    states: tuple[str | None, ...]
    columns: tuple[str | None, ...]
    cells: dict[tuple[str | None, str | None], MatrixCell]


def matrix(
    cells: Sequence[MatrixCell], order: Sequence[str], states: Sequence[str | None]
) -> Matrix:
    """States in their order, those without a cell left out; columns in `order`, then others by
    name, nulls last.
    """
    found = {(cell.state, cell.column): cell for cell in cells}
    present = {cell.column for cell in cells}
    others = sorted(word for word in present - set(order) if word is not None)
    columns = [*(word for word in order if word in present), *others]
    there = {cell.state for cell in cells}
    return Matrix(
        tuple(state for state in states if state in there),
        (*columns, *([None] if None in present else [])),
        found,
    )


def draw(
    rows: Sequence[str],
    columns: Sequence[str],
    figures: Sequence[Sequence[float]],
    measure: Measure,
    *,
    key: str,
    on_select: Callable[[], None],
    dark: bool,
    alt: str,
) -> None:
    """Figures of a measure by state and column as a coloured table; `on_select` follows a chosen
    cell.
    """
    import pandas as pd

    # By number: two outside words may read alike, and one may read "State".
    ids = [str(at) for at in range(len(columns))]
    coloured: list[Hashable] = [*ids]
    frame = pd.DataFrame(figures, columns=ids, dtype=float)
    frame.insert(0, "State", list(rows))
    styled = frame.style.map(lambda value: _shade(value, measure, dark=dark), subset=coloured)
    config = {
        at: st.column_config.NumberColumn(name, width=_COLUMN)
        for at, name in zip(ids, columns, strict=True)
    }
    st.dataframe(
        styled.format(
            lambda value: measure.write(cast("float", value)) if value else "", subset=coloured
        ),
        hide_index=True,
        key=key,
        height=min(_TALLEST, _ROW * (len(rows) + 1) + 3),
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


def _shade(value: float, measure: Measure, *, dark: bool) -> str:
    at = measure.bin(value)
    if at is None:
        return ""
    ground = colours(dark=dark)[at]
    return f"background-color: {ground}; color: {INKS[ground]}"
