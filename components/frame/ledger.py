"""The table of a result: one row a record, its first cell a link to the record's page.

A real HTML table, so that Ctrl+F finds its words, a screen reader reads it, a keyboard walks it and
a printer prints it whole. components/assets/ledger.js draws what is sent from here, as text only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar

import streamlit as st

from components.frame import ledger_rows, links
from components.frame.routes import Route
from components.kit import text
from components.kit.component import component
from components.kit.sparkline import Sparkline

R_contra = TypeVar("R_contra", contravariant=True)

_draw: Final = component("ledger", ["ledger.css"], ["sized.js", "ledger.js"])


@dataclass(frozen=True)
class Column(Generic[R_contra]):
    """One column: what it is called, and how a record's value is written in it."""

    #: The field of the record; also the word for it in `order`.
    name: str
    #: Its head, with the unit where the cells have none.
    label: str
    #: The cell of a record, as analysts write it; plain text.
    write: Callable[[R_contra], str]
    #: Set to the right, with digits of one width; first ordered from the largest down.
    figure: bool = False
    #: Whether its head orders the whole result.
    order: bool = False
    #: What its head says when it is pointed at.
    help: str | None = None
    #: Whether it moves up beside the first column in a narrow window.
    short: bool = False
    #: Drawn in the cell in place of its words, which then say the same to who does not see it.
    line: Callable[[R_contra], Sparkline] | None = None
    #: What is written under the cell, small; plain text.
    under: Callable[[R_contra], str] | None = None
    #: An amount drawn as a bar behind the words; the largest of all rows fills the cell.
    bar: Callable[[R_contra], float | None] | None = None
    #: Whether a figure is drawn as "weak" or "bad", None as any other: the cell says which it is.
    tint: Callable[[R_contra], Literal["weak", "bad"] | None] | None = None
    #: Amounts by severity, None for those without one, drawn as parts of one bar beside the words.
    stack: Callable[[R_contra], Sequence[tuple[str | None, float]]] | None = None


@dataclass(frozen=True, slots=True)
class Ticks:
    """Check boxes before the rows, at most `most` of them ticked over all pages of a result.

    `on_tick` is called, before the page runs again, with the names of all records now ticked.
    """

    ticked: Sequence[str]
    on_tick: Callable[[tuple[str, ...]], None]
    most: int = 5
    #: What ticking is for; the box of CA-000123 is labelled "Compare CA-000123".
    label: str = "Compare"


@dataclass(frozen=True, slots=True)
class Act:
    """A button after each row: "Watch" of CA-000123 is named "Watch CA-000123".

    `on_act` is called with the name of the record, before the page runs again. `off` says why
    nothing can be done now; empty where it can.
    """

    label: str
    on_act: Callable[[str], None]
    off: str = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """What is shown of one record beside the list: by a click on its row, or the space bar.

    `on_shown` is called, before the page runs again, with the name of the record, None to close it.
    """

    shown: str | None
    on_shown: Callable[[str | None], None]


def ledger(
    columns: Sequence[Column[R_contra]],
    records: Sequence[R_contra],
    *,
    opens: Callable[[R_contra], tuple[Route, str | Mapping[str, str]]],
    named: Callable[[R_contra], str] | None = None,
    caption: str,
    key: str | None = None,
    order: str | None = None,
    on_order: Callable[[str | None], None] | None = None,
    own_order: str | None = None,
    ticks: Ticks | None = None,
    beside: Beside | None = None,
    act: Act | None = None,
    height: int | None = None,
) -> None:
    """Draws records in the order given, one row each; the cell of the first column is a link.

    A loan goes by the name of its property: where the first cell is the number of the loan that it
    opens, the name stands there with the number under it.

    `opens` gives the page and the name of a record, or the parameters of a page; `named` what ticks
    call a record whose page goes by parameters. `order` is the order that the records are in,
    "-book_value" from the largest down, None their own, which `own_order` names where it is that of
    a column; a press on a head calls `on_order` with the next one, before the page runs again.
    `key` is for a table whose caption changes with what it shows, or stands twice on a page.
    `height` in pixels is where the table begins to scroll; else it is as high as its rows.
    """
    # Streamlit takes no two underscores in a row, and names stand in keys.
    key = (key or caption).replace("_", "_-")
    ordered = {column.name: column for column in columns if column.order and on_order}
    rows = ledger_rows.rows(columns, records, opens, named)
    records_sent = {str(row["record"]) for row in rows}
    data = {
        "caption": text.line(caption),
        "columns": [
            {
                "name": column.name,
                "label": column.label,
                "right": column.figure,
                "order": column.name in ordered,
                "help": column.help and text.line(column.help),
                "short": column.short,
            }
            for column in columns
        ],
        "order": order,
        "rows": rows,
        "ticks": ticks and {"label": ticks.label, "most": ticks.most, "ticked": list(ticks.ticked)},
        "height": height,
        "beside": beside and {"shown": beside.shown},
        "act": act and {"label": text.line(act.label), "off": text.line(act.off)},
    }

    def on_ordered() -> None:
        sent = _sent(key, "ordered")
        if on_order and isinstance(sent, str) and sent in ordered:
            on_order(next_order(ordered[sent], order, own_order))

    def on_ticked() -> None:
        sent = _sent(key, "ticked")
        known = records_sent.union(ticks.ticked if ticks else ())
        if ticks and isinstance(sent, list):
            chosen = dict.fromkeys(one for one in sent if isinstance(one, str) and one in known)
            ticks.on_tick(tuple(chosen)[: ticks.most])

    def on_shown() -> None:
        sent = _sent(key, "shown")
        if beside and isinstance(sent, str) and (not sent or sent in records_sent):
            beside.on_shown(sent or None)

    def on_acted() -> None:
        sent = _sent(key, "acted")
        if act and not act.off and isinstance(sent, str) and sent in records_sent:
            act.on_act(sent)

    _draw(
        key=key,
        data=data,
        on_opened_change=links.following(key, {str(row["href"]) for row in rows}),
        on_ordered_change=on_ordered,
        on_ticked_change=on_ticked,
        on_shown_change=on_shown,
        on_acted_change=on_acted,
    )


def next_order(column: Column[Any], order: str | None, own: str | None = None) -> str | None:
    """The order after a press on a head: its first one, the other way round, the result's own.

    Figures and days begin with the largest, words with A. Where the result's own order is one of
    this column, it is None and comes once.
    """
    up, down = column.name, f"-{column.name}"
    first, second = (down, up) if column.figure else (up, down)
    turns = [*(one for one in (first, second) if one != own), None]
    now = None if order == own else order
    return turns[(turns.index(now) + 1) % len(turns)] if now in turns else turns[0]


def _sent(key: str, event: str) -> object:
    """What the browser has sent, whatever it is."""
    return st.session_state[key].get(event)
