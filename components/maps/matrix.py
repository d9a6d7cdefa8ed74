"""A coloured table of figures by two attributes, each figure a link: signals by state and another,
loans by severity before and after.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import streamlit as st

from components.frame import links
from components.frame.linked_drawings import drawing
from components.frame.routes import Route
from components.kit import text
from components.maps.bins import INKS, RAMP, Measure
from services.contract.aggregates import MatrixCell

_draw: Final = drawing("matrix", html="matrix.html")

C = TypeVar("C")
#: The filters that find the loans of a row, or of a column, by its word; None where none do.
Leads = Callable[[str | None], Mapping[str, str] | None]
#: The filters that find what a cell counts, where they are not those of its row and its column.
CellLeads = Callable[[C], Mapping[str, str] | None]


@dataclass(frozen=True, slots=True)
class Matrix(Generic[C]):
    """Cells by row and column; `cells[(row, column)]`."""

    rows: tuple[str | None, ...]
    columns: tuple[str | None, ...]
    cells: dict[tuple[str | None, str | None], C]
    #: What the rows are, over their heads.
    corner: str = "State"


#: A figure of a cell as it is written, and the place of its colour in `grounds`; None for none.
Written = Callable[[C], tuple[str, int] | None]


def matrix(
    cells: Sequence[MatrixCell], order: Sequence[str], states: Sequence[str | None]
) -> Matrix[MatrixCell]:
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


def of_measure(measure: Measure) -> Written[MatrixCell]:
    """The figure of a measure, in the colour of its class."""

    def written(cell: MatrixCell) -> tuple[str, int] | None:
        value = measure.figure(cell)
        at = measure.bin(value)
        return None if value is None or at is None else (measure.write(value), at)

    return written


def classes() -> tuple[tuple[str, str], ...]:
    """The colours of classes, mildest first: ground and ink."""
    return tuple((ground, INKS[ground]) for ground in RAMP)


def draw(
    cells: Matrix[C],
    written: Written[C],
    *,
    write: Callable[[str | None], str],
    write_row: Callable[[str], str] = str,
    of_row: Leads,
    of_column: Leads,
    opens: tuple[Route, Mapping[str, str]],
    on_choice: Callable[[Mapping[str, str]], None],
    grounds: Sequence[tuple[str, str]],
    key: str,
    caption: str,
    of_cell: CellLeads[C] | None = None,
) -> None:
    """Figures as a coloured table, each a link.

    The filters of a cell, those of its row and of its column, are added to the parameters of
    `opens` for a tab of its own, and given to `on_choice`, before the page runs again, where it is
    clicked; those of its row alone where the head of a row is. `grounds` are the colours of
    classes, each with that of the words on it. Where cells do not go by row and column, `of_cell`
    has the filters of each.
    """

    def on_chosen() -> None:
        values = chosen(st.session_state[key].get("chosen"), cells, of_row, of_column, of_cell)
        if values is not None:
            on_choice(values)

    found = sent(cells, written, write, of_row, of_column, opens, grounds, write_row, of_cell)
    _draw(key=key, data={**found, "caption": text.line(caption)}, on_chosen_change=on_chosen)


def sent(
    cells: Matrix[C],
    written: Written[C],
    write: Callable[[str | None], str],
    of_row: Leads,
    of_column: Leads,
    opens: tuple[Route, Mapping[str, str]],
    grounds: Sequence[tuple[str, str]],
    write_row: Callable[[str], str] = str,
    of_cell: CellLeads[C] | None = None,
) -> dict[str, Any]:
    """What the browser is sent: the beginning of every address, the colours of the classes, and
    columns and rows, each with its label and what it adds to an address; of a cell its figure and
    class, None where it has no figure, and what it adds where `of_cell` says that.
    """

    def query(values: Mapping[str, str] | None) -> str | None:
        return None if values is None else links.query(values)

    def head(word: str | None, label: str, leads: Leads) -> dict[str, Any]:
        return {"label": text.line(label), "query": query(leads(word))}

    def cell(row: str | None, column: str | None) -> tuple[object, ...] | None:
        found = cells.cells.get((row, column))
        figure = None if found is None else written(found)
        if found is None or figure is None or of_cell is None:
            return figure
        return (*figure, query(of_cell(found)))

    route, params = opens
    return {
        "address": whole if (whole := links.address(route, params)).endswith("?") else f"{whole}&",
        "corner": cells.corner,
        "classes": [{"ground": ground, "ink": ink} for ground, ink in grounds],
        "columns": [head(one, write(one) if one else "none", of_column) for one in cells.columns],
        "rows": [
            {
                **head(row, write_row(row) if row else "none", of_row),
                "cells": [cell(row, column) for column in cells.columns],
            }
            for row in cells.rows
        ],
    }


def chosen(
    sent: object,
    cells: Matrix[C],
    of_row: Leads,
    of_column: Leads,
    of_cell: CellLeads[C] | None = None,
) -> Mapping[str, str] | None:
    """The filters of the cell that a browser says was clicked, its row and column; the column is
    -1 for the row's head. None for anything else.
    """
    match sent:
        case [int(row), int(at)] if 0 <= row < len(cells.rows) and -1 <= at < len(cells.columns):
            if of_cell and at >= 0:
                found = cells.cells.get((cells.rows[row], cells.columns[at]))
                return None if found is None else of_cell(found)
            values = of_row(cells.rows[row])
            column = {} if at < 0 else of_column(cells.columns[at])
            return None if values is None or column is None else {**values, **column}
    return None
