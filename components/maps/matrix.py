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


@dataclass(frozen=True, slots=True)
class Column:
    """A column, by its word; null for what has none."""

    word: str | None


#: The filters that find the loans of a state in a column, or in all; None where there are none.
Leads = Callable[[str | None, Column | None], Mapping[str, str] | None]


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
    leads: Leads,
    opens: tuple[Route, Mapping[str, str]],
    on_choice: Callable[[Mapping[str, str]], None],
    key: str,
    caption: str,
    dark: bool,
) -> None:
    """Figures of a measure as a coloured table, each a link.

    `leads` gives the filters that find the loans of a cell, by state and column; of a row where
    there is no column. They are added to the parameters of `opens` for a tab of its own, and given
    to `on_choice`, before the page runs again, where it is clicked.
    """

    def on_chosen() -> None:
        values = chosen(st.session_state[key].get("chosen"), cells, leads)
        if values is not None:
            on_choice(values)

    found = sent(cells, measure, write, leads, opens, dark=dark)
    _draw(key=key, data={**found, "caption": text.line(caption)}, on_chosen_change=on_chosen)


def sent(
    cells: Matrix,
    measure: Measure,
    write: Callable[[str | None], str],
    leads: Leads,
    opens: tuple[Route, Mapping[str, str]],
    *,
    dark: bool,
) -> dict[str, Any]:
    """What the browser is sent: labels of the columns, and by row its label and cells, null where
    a cell has no figure.
    """

    def address(state: str | None, column: Column | None) -> str | None:
        values = leads(state, column)
        return None if values is None else links.address(opens[0], {**opens[1], **values})

    def cell(state: str | None, column: str | None) -> dict[str, Any] | None:
        found = cells.cells.get((state, column))
        value = measure.figure(found) if found else None
        at = measure.bin(value)
        if value is None or at is None:
            return None
        ground = colours(dark=dark)[at]
        href = address(state, Column(column))
        return {"text": measure.write(value), "ground": ground, "ink": INKS[ground], "href": href}

    return {
        "columns": [text.line(write(one) if one else "none") for one in cells.columns],
        "rows": [
            {
                "label": text.line(state or "none"),
                "href": address(state, None),
                "cells": [cell(state, column) for column in cells.columns],
            }
            for state in cells.states
        ],
    }


def chosen(sent: object, cells: Matrix, leads: Leads) -> Mapping[str, str] | None:
    """The filters of the cell that a browser says was clicked, its row and column; the column is
    -1 for the row's head. None for anything else.
    """
    match sent:
        case [int(row), int(at)] if 0 <= row < len(cells.states) and -1 <= at < len(cells.columns):
            return leads(cells.states[row], None if at < 0 else Column(cells.columns[at]))
    return None
