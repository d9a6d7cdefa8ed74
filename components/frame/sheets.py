"""Records side by side: one row a fact, one column a record, marked where they differ."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import streamlit as st

from components.frame import address, back, exports, links, loan_names, states
from components.frame.routes import LOAN, Route
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import MISSING
from services.contract.errors import NotFound
from services.contract.queries import Query, YesNo

R = TypeVar("R")
#: Facts of a record as they are written, by label.
Facts = Mapping[str, str]


class Sheet(Query):
    """What the address of a comparison says beside the names."""

    #: Whether only facts that differ are shown.
    differing: YesNo = False


@dataclass(frozen=True, slots=True)
class Kind(Generic[R]):
    """The records that are compared."""

    #: What they are called: "loans", "loan".
    plural: str
    singular: str
    #: Gives a record by its name. Raises NotFound.
    read: Callable[[str], R]
    facts: Callable[[R], Facts]
    #: Its own page, and the list that it is ticked in.
    route: Route
    list: Route
    #: Whether what is read are answers of the six reads.
    live: bool


def page(kind: Kind[R], asked: Sheet, names: Sequence[str]) -> tuple[str, ...]:
    """The page: the facts of the records named, one row a fact, and all of them as a file. Gives
    the names of those that there are.
    """
    back.link(kind.list, f"Search {kind.plural}")
    found = {name: kind.facts(record) for name in names if (record := _record(kind, name))}
    if not found:
        address.settle(asked)
        states.nothing(f"Tick up to five {kind.plural} in a list, and compare them here.")
        links.link(kind.list, f"To the {kind.plural}", "arrow_forward")
        return ()
    only = st.toggle("Only what differs", **address.widget("differing"))
    address.settle(asked.model_copy(update={"differing": only}))
    known = loan_names.of(found) if kind.route is LOAN else {}
    called = {name: loan_names.beside(name, known) for name in found}
    rows = rows_of({called[name]: facts for name, facts in found.items()})
    with card("Facts side by side", level=2):
        with st.container(horizontal=True, horizontal_alignment="right"):
            exports.download(
                partial(_export, kind.plural, tuple(map(_frozen, rows)), live=kind.live),
                len(rows),
                f"credit-atlas-{kind.plural}-compared",
                live=kind.live,
            )
        listed = [row for row in rows if not only or row["Differs"]]
        tables.sheet(listed, f"Facts of the {kind.plural} side by side")
    with st.container(horizontal=True):
        for name in found:
            links.link(kind.route, called[name], "open_in_new", {str(kind.route.record): name})
    return tuple(found)


def _record(kind: Kind[R], name: str) -> R | None:
    try:
        return kind.read(name)
    except NotFound:
        said = f"There is no {kind.singular} '{name}'; it is left out."
        text.notice("warning", said, "search_off")
        return None


def rows_of(records: Mapping[str, Facts]) -> list[dict[str, str]]:
    """A row a fact that one of them has; "Differs" says where they are not the same.

    Facts come in the order of the first record that has them.
    """
    labels = dict.fromkeys(label for facts in records.values() for label in facts)
    rows = []
    for label in labels:
        cells = {name: facts.get(label, MISSING) for name, facts in records.items()}
        differs = "≠" if len(set(cells.values())) > 1 else ""
        rows.append({"Fact": label, **cells, "Differs": differs})
    return rows


def _frozen(row: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """A row as a button can compare it with what it was asked for before."""
    return tuple(row.items())


def _export(
    what: str, rows: tuple[tuple[tuple[str, str], ...], ...], *, live: bool
) -> exports.Export:
    """The rows as a table of text, as they are written on screen."""
    import pyarrow as pa

    table = pa.Table.from_pylist([dict(row) for row in rows])
    shown = f"{what.capitalize()} side by side"
    return exports.of_table(what, shown, exports.origin(live=live), table)
