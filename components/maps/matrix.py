"""Signals by state and a second attribute: a coloured table, each figure a link."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from components.frame import links
from components.frame.linked import CSS, script
from components.frame.routes import Route
from components.kit import text
from components.kit.asset import asset
from components.maps.bins import INKS, Measure, colours
from services.contract.aggregates import MatrixCell

HTML: Final = asset("matrix.html")
JS: Final = script("matrix")
# In the page's own document, as the tables are.
_draw: Final = st.components.v2.component(
    "atlas_matrix", html=HTML, css=CSS, js=JS, isolate_styles=False
)


#: The filters that find the loans of a state, or of a column, by its word; None where none do.
Leads = Callable[[str | None], Mapping[str, str] | None]


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
    cells: Matrix,
    measure: Measure,
    *,
    write: Callable[[str | None], str],
    of_state: Leads,
    of_column: Leads,
    opens: tuple[Route, Mapping[str, str]],
    on_choice: Callable[[Mapping[str, str]], None],
    key: str,
    caption: str,
    dark: bool,
) -> None:
    """Figures of a measure as a coloured table, each a link.

    The filters of a cell, those of its state and of its column, are added to the parameters of
    `opens` for a tab of its own, and given to `on_choice`, before the page runs again, where it is
    clicked; those of its state alone where the head of a row is.
    """

    def on_chosen() -> None:
        values = chosen(st.session_state[key].get("chosen"), cells, of_state, of_column)
        if values is not None:
            on_choice(values)

    found = sent(cells, measure, write, of_state, of_column, opens, dark=dark)
    _draw(key=key, data={**found, "caption": text.line(caption)}, on_chosen_change=on_chosen)


def sent(
    cells: Matrix,
    measure: Measure,
    write: Callable[[str | None], str],
    of_state: Leads,
    of_column: Leads,
    opens: tuple[Route, Mapping[str, str]],
    *,
    dark: bool,
) -> dict[str, Any]:
    """What the browser is sent: the beginning of every address, the colours of the classes, and
    columns and rows, each with its label and what it adds to an address; of a cell its figure and
    class, None where it has no figure.
    """

    def head(word: str | None, label: str, leads: Leads) -> dict[str, Any]:
        values = leads(word)
        return {
            "label": text.line(label),
            "query": None if values is None else links.query(values),
        }

    def cell(state: str | None, column: str | None) -> tuple[str, int] | None:
        found = cells.cells.get((state, column))
        value = measure.figure(found) if found else None
        at = measure.bin(value)
        return None if value is None or at is None else (measure.write(value), at)

    route, params = opens
    grounds = colours(dark=dark)
    return {
        "address": links.address(route, params) + ("&" if params else ""),
        "classes": [{"ground": ground, "ink": INKS[ground]} for ground in grounds],
        "columns": [head(one, write(one) if one else "none", of_column) for one in cells.columns],
        "rows": [
            {
                **head(state, state or "none", of_state),
                "cells": [cell(state, column) for column in cells.columns],
            }
            for state in cells.states
        ],
    }


def chosen(
    sent: object, cells: Matrix, of_state: Leads, of_column: Leads
) -> Mapping[str, str] | None:
    """The filters of the cell that a browser says was clicked, its row and column; the column is
    -1 for the row's head. None for anything else.
    """
    match sent:
        case [int(row), int(at)] if 0 <= row < len(cells.states) and -1 <= at < len(cells.columns):
            state = of_state(cells.states[row])
            column = {} if at < 0 else of_column(cells.columns[at])
            return None if state is None or column is None else {**state, **column}
    return None
