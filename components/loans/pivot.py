"""A result in groups: by one attribute as a list, by two as a coloured table whose cells lead to
their loans.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal

import streamlit as st

from components.frame import exports, links, session
from components.frame.routes import LOANS
from components.frame.switch import switch
from components.kit import text
from components.kit.formatting import MISSING, count, money, percent, share
from components.loans import ranking
from components.loans.ranking import GROUPS
from components.maps import matrix
from components.maps.bins import MEASURES
from services.contract.aggregates import Grouped, Line, Pivot
from services.contract.columns import COLUMN
from services.contract.loan_filter import LoanFilter
from services.contract.rounding import number_of
from services.contract.source import GroupBy, RankedBy, Screens
from services.contract.vocabulary import SEVERE_OR_WORSE

#: What cells say.
Figure = Literal["book_value", "share", "loans", "severe", "dollars_short"]
FIGURES: Final[dict[Figure, str]] = {
    "book_value": COLUMN["book_value"].label,
    "share": "Of the result",
    "loans": "Loans",
    "severe": "Severe or critical",
    "dollars_short": COLUMN["dollars_short"].label,
}
#: Rows and columns on screen, and in a file.
_SHOWN: Final = (25, 10)
_IN_FILE: Final = (1_000, 1_000)
#: Key of the row and of the column that sum up all others.
_ALL: Final = "all"
#: Figures, and the book value that those of severe and critical loans are a part of.
Cell = tuple[Grouped, int]


def groups(
    query: LoanFilter,
    by: RankedBy,
    across: GroupBy | None,
    figure: Figure,
    sentence: str,
    of_set: str | None,
) -> None:
    """The result by one attribute, or by two where they go by different filters."""
    if across and by != "trigger" and not ranking.alike(by, across):
        _panel(query, (by, across), figure, sentence, of_set)
    else:
        ranking.ranking(query, by, sentence, of_set)


def _panel(
    query: LoanFilter,
    by: tuple[GroupBy, GroupBy],
    figure: Figure,
    sentence: str,
    of_set: str | None,
) -> None:
    """The table with its totals, and all of it as a file; arguments as of `ranking.ranking`. Cells
    are coloured by how much is severe or critical: of their own book value, or where one attribute
    is the severity, of the line of the other.
    """
    query = query.without("order").at(1)
    found = session.ask(Screens.loan_pivot, query, by, _SHOWN)
    named = tuple(GROUPS[one] for one in by)
    said = f"{named[0]} and {named[1].lower()}"
    with st.container(horizontal=True, vertical_alignment="center"):
        switch("figure", "Figure of the cells", FIGURES)
        stem = f"credit-atlas-loans-by-{by[0]}-and-{by[1]}".replace("_", "-")
        make = partial(export, query, by, f"{sentence}, by {said.lower()}")
        exports.download(make, len(found.cells), stem)
    rows, columns = _keyed(found.rows), _keyed(found.columns)
    params = ranking.params_of(query, of_set)
    matrix.draw(
        table(found, by),
        lambda one: (_written(one, figure, found.whole.book_value), _place(one)),
        write=lambda key: _label(columns, key, by[1]),
        write_row=lambda key: _label(rows, key, by[0]),
        of_row=lambda key: _leads(rows, key, by[0]),
        of_column=lambda key: _leads(columns, key, by[1]),
        opens=(LOANS, params),
        on_choice=lambda values: links.open_page(LOANS, params | dict(values)),
        grounds=(("transparent", "inherit"), *matrix.classes()),
        key=f"pivot {by[0]} {by[1]}".replace("_", "-"),
        caption=f"{said}: {FIGURES[figure].lower()}",
    )
    other = [name for name, one in zip(named, by, strict=True) if one != "severity"]
    base = "the cell's" if len(other) == len(by) else f"that of the {other[0].lower()}"
    *steps, last = (percent(end, 0) for end in MEASURES["share"].ends)
    text.caption(
        f"Colour: book value on severe or critical loans as a part of {base}; darker from "
        f"{', '.join(steps)} and {last} on. Each cell leads to its loans."
    )


def _keyed(lines: Sequence[Line]) -> dict[str, Line]:
    """Lines by their keys in the table, which are their places."""
    return {str(at): line for at, line in enumerate(lines)}


def table(found: Pivot, by: tuple[GroupBy, GroupBy]) -> matrix.Matrix[Cell]:
    """The cells, with a row and a column of totals, by the keys of their lines."""
    rows: dict[str, Grouped] = {**_keyed(found.rows), _ALL: found.whole}
    columns: dict[str, Grouped] = {**_keyed(found.columns), _ALL: found.whole}
    figures: dict[tuple[str | None, str | None], Grouped] = {
        **{(str(one.row), str(one.column)): one for one in found.cells},
        **{(key, _ALL): line for key, line in rows.items()},
        **{(_ALL, key): line for key, line in columns.items()},
    }

    def base(row: str | None, column: str | None) -> Grouped:
        if by[1] == "severity":
            return rows[row or ""]
        return columns[column or ""] if by[0] == "severity" else figures[row, column]

    cells = {at: (one, base(*at).book_value) for at, one in figures.items()}
    return matrix.Matrix(tuple(rows), tuple(columns), cells, corner=GROUPS[by[0]])


def _severe(one: Grouped) -> int:
    return sum(dollars for word, dollars in one.by_worst if word in SEVERE_OR_WORSE)


def _place(cell: Cell) -> int:
    """The class of its colour, 0 for none."""
    one, base = cell
    at = MEASURES["share"].bin(100 * _severe(one) / base) if base else None
    return 0 if at is None else 1 + at


def _written(cell: Cell, figure: Figure, whole: int) -> str:
    one, base = cell
    if figure == "loans":
        return count(one.loans)
    if figure == "share":
        return share(one.book_value, whole)
    if figure == "severe":
        return share(_severe(one), base)
    amount = one.book_value if figure == "book_value" else one.dollars_short
    return money(amount) if amount else MISSING


def _label(lines: Mapping[str, Line], key: str | None, by: GroupBy) -> str:
    line = lines.get(key or "")
    if line is None:
        return "All"
    return number_of(line.rest, "other") if line.rest else ranking.written(line, by)


def _leads(lines: Mapping[str, Line], key: str | None, by: GroupBy) -> dict[str, str] | None:
    line = lines.get(key or "")
    if line is None:
        return {}
    return None if line.rest else ranking.leads(by, line)


def export(query: LoanFilter, by: tuple[GroupBy, GroupBy], sentence: str) -> exports.Export:
    """A row a cell, groups that are not on screen too."""
    found = session.ask(Screens.loan_pivot, query, by, _IN_FILE)

    def said(line: Line) -> str | None:
        return f"{line.rest} others" if line.rest else line.word

    rows: list[dict[str, Any]] = [
        {
            **one.model_dump(exclude={"row", "column", "worst", "by_worst"}),
            by[0]: said(found.rows[one.row]),
            by[1]: said(found.columns[one.column]),
            "severe_or_critical": _severe(one),
            "worst_severity": one.worst,
        }
        for one in found.cells
    ]
    kinds = {by[0]: str, by[1]: str, "loans": int, "book_value": int, "severe_or_critical": int,
             "worst_severity": str, "dollars_short": int}  # fmt: skip
    return exports.of_rows("groups of loans", sentence, rows, kinds, ranking.FACTS)
