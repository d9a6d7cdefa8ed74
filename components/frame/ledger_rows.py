"""The rows of a ledger as the browser is sent them: words, where each leads, and what is drawn."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from components.frame import links, loan_names
from components.frame.routes import LOAN, Route
from components.kit import severity, text

if TYPE_CHECKING:
    from components.frame.ledger import Column

R = TypeVar("R")
#: From so many times the second on the fullest of stacked bars is broken off, and how much wider
#: than the second it is then.
_GIANT, _ROOM = 3, 1.25


def rows(
    columns: "Sequence[Column[R]]",
    records: Sequence[R],
    opens: Callable[[R], tuple[Route, str | Mapping[str, str]]],
    named: Callable[[R], str] | None,
) -> list[dict[str, Any]]:
    """One a record, in the order given: `href`, `record` (its name) and `cells` of all; `called`
    (a loan by its property), `under`, `lines`, `grades`, `bars`, `tints` and `stacks` where a
    column has any.
    """
    found = []
    fullest = [
        max((column.bar(one) or 0 for one in records), default=0) if column.bar else 0
        for column in columns
    ]
    bars = [stacks(column, records) for column in columns]
    opened = [opens(record) for record in records]
    written = [[text.line(column.write(record)) for column in columns] for record in records]
    names = loan_names.of(
        at
        for (route, at), cells in zip(opened, written, strict=True)
        if route is LOAN and isinstance(at, str) and cells[0] == text.line(at)
    )
    for place, (record, (route, at), cells) in enumerate(
        zip(records, opened, written, strict=True)
    ):
        name = at if isinstance(at, str) else named(record) if named else ""
        lines = [column.line(record).paths if column.line else None for column in columns]
        row: dict[str, Any] = {"href": links.address(route, at), "record": name, "cells": cells}
        under = [text.line(one.under(record)) if one.under else "" for one in columns]
        if route is LOAN and cells[0] == text.line(name) and name in names:
            row["called"] = names[name]
        tints = [column.tint(record) if column.tint else None for column in columns]
        grades = [severity.GRADES.get(cell) for cell in cells]
        parts = [
            round(max(column.bar(record) or 0, 0) / most, 3) if column.bar and most > 0 else None
            for column, most in zip(columns, fullest, strict=True)
        ]
        drawn: dict[str, list[Any]] = {
            "under": under,
            "lines": lines,
            "grades": grades,
            "bars": parts,
            "tints": tints,
            "stacks": [one and one[place] for one in bars],
        }
        found.append(row | {name: each for name, each in drawn.items() if any(each)})
    return found


def stacks(column: "Column[R]", records: Sequence[R]) -> list[list[Any]] | None:
    """The parts of each record's bar: severity, and its share of the width.

    The fullest bar is as wide as the cell; one that leaves all others under a third of it is broken
    off, so that they can be compared: then the second is nearly as wide.
    """
    if column.stack is None:
        return None
    parts = [[(word, max(part, 0)) for word, part in column.stack(one)] for one in records]
    sums = sorted((sum(part for _, part in one) for one in parts), reverse=True)
    most, second = (*sums, 0, 0)[:2]
    whole = second * _ROOM if 0 < second * _GIANT < most else most or 1
    drawn = []
    for one in parts:
        shown = sum(part for _, part in one)
        scale = max(shown, whole)
        drawn.append([[word or "", round(part / scale, 3)] for word, part in one if part]
                     + [["broken", 0]] * (shown > whole))  # fmt: skip
    return drawn
