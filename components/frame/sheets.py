"""Records side by side: one row a fact, one column a record, marked where they differ."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from components.frame import exports
from components.kit import text
from components.kit.card import card
from components.kit.formatting import MISSING

#: Facts of a record as they are written, by label.
Facts = Mapping[str, str]


def side_by_side(
    what: str, records: Mapping[str, Facts], *, only_differing: bool, live: bool
) -> None:
    """The facts of some records, by their names, and all of them as a file.

    `what` says what they are, in plural; `live`, whether they are answers of the six reads. Facts
    come in the order of the first record that has them.
    """
    rows = rows_of(records)
    with card("Facts side by side"):
        with st.container(horizontal=True, horizontal_alignment="right"):
            exports.download(
                partial(_export, what, tuple(map(_frozen, rows)), live=live),
                len(rows),
                f"credit-atlas-{what}-compared",
                live=live,
            )
        listed = [row for row in rows if not only_differing or row["Differs"]]
        text.sheet(listed, "comparison", f"Facts of the {what} side by side")


def rows_of(records: Mapping[str, Facts]) -> list[dict[str, str]]:
    """A row a fact that one of them has; "Differs" says where they are not the same."""
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
