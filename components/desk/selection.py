"""The loans that are selected in a list, and what can be done with them, at the window's foot."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.desk import writing
from components.frame import exports, links, session, visitor
from components.frame.routes import EXPLORE, MAP
from components.kit import text
from components.kit.formatting import count, money
from components.loans import bulk, columns, comparison, table
from components.memo import pack
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens

Numbers = tuple[str, ...]


def bar(selected: Sequence[str] | None) -> None:
    """How many loans are selected, their book value, and the actions; nothing where none is."""
    numbers = tuple(selected or ())
    if not numbers:
        return
    with (
        st.bottom,
        st.container(horizontal=True, vertical_alignment="center", gap="small", key="selection"),
    ):
        text.lead(f"{count(len(numbers))} selected")
        if session.mirrored():
            totals = session.ask(Screens.loan_totals, LoanFilter(numbers=numbers))
            text.caption(money(totals.book_value), width="content")
        for action in ACTIONS if session.mirrored() else (comparison.link,):
            action(numbers)
        st.button("Clear", icon=":material/close:", key="clear selection", on_click=_clear)


def _watch(numbers: Numbers) -> None:
    denied, key = visitor.who().denied("watch"), "watch selection"
    watch = partial(writing.watch, numbers)
    writing.button("Watch", watch, icon="visibility", key=key, help_text=denied, off=bool(denied))


def _plot(numbers: Numbers) -> None:
    links.link(EXPLORE, "Plot", "scatter_plot", {"set": bulk.keep(numbers)})


def _map(numbers: Numbers) -> None:
    links.link(MAP, "Map", "map", {"numbers": ",".join(numbers)})


def _export(numbers: Numbers) -> None:
    taken = partial(table.export, LoanFilter(numbers=numbers), columns.begun(columns.MAIN))
    exports.download(taken, len(numbers), "credit-atlas-selected-loans")


def _pack(numbers: Numbers) -> None:
    pack.button(
        LoanFilter(numbers=numbers), f"{count(len(numbers))} selected loans", "pack selection"
    )


def _clear() -> None:
    st.session_state["compare"] = None


#: What can be done with selected loans, in the order in which it stands in the bar.
ACTIONS: Final[tuple[Callable[[Numbers], None], ...]] = (
    comparison.link,
    _watch,
    _plot,
    _map,
    _export,
    _pack,
)
