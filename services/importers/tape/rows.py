"""Which rows of a tape are loans, which are properties, and which are rejected, each with why."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.contract.queries import shortened
from services.importers.tape import units
from services.importers.tape.plan import Column, Plan

#: A loan whose balance, rate or maturity does not read would be a wrong loan; any other value that
#: does not read is kept as text.
STRICT: Final = frozenset(
    ("number", "book_value", "original_amount", "interest_rate", "maturity_date")
)
_TOTAL: Final = re.compile(
    r"(grand |sub)?-?totals?\b.*|average\b.*|wtd\.? avg.*|weighted average.*", re.IGNORECASE
)
#: Columns by which a row is known to be of a loan, beside its number.
_TELLING: Final = (
    "book_value",
    "original_amount",
    "interest_rate",
    "borrower",
    "property_name",
    "maturity_date",
)
#: Numbers made of more columns are too long to be read: a hash stands for them.
_JOINED: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of a tape, by place from 0."""

    #: Place of each loan's row, and its number.
    loans: NDArray[np.int64]
    numbers: list[str]
    #: Place of each row of a property, and the loan that it is of, by place in `loans`.
    properties: NDArray[np.int64]
    property_of: NDArray[np.int64]
    #: Place -> one sentence.
    rejected: Mapping[int, str]


def sorted_out(plan: Plan) -> Rows:
    """What becomes of each row: a loan, a property of the loan above it, or rejected."""
    count = len(plan.sheet.rows)
    rejected = dict(plan.sheet.ragged)
    kinds = _kinds(plan, rejected)
    numbers = _numbers(plan)
    _reject_unread(plan, rejected)
    telling = _telling(plan, count)
    loans: list[int] = []
    kept: list[str] = []
    properties: list[int] = []
    property_of: list[int] = []
    first: dict[str, int] = {}
    above: int | None = None
    lost = False
    for at in range(count):
        if kinds[at] == "property":
            if at in rejected:
                continue
            if above is not None:
                properties.append(at)
                property_of.append(above)
            else:
                rejected[at] = (
                    "It is a property of a loan that was rejected"
                    if lost
                    else "It is a property, and no loan stands above it"
                )
            continue
        number = numbers[at]
        if at not in rejected:
            if why := _no_loan(plan, at, number, telling[at]):
                rejected[at] = why
            elif number in first:
                rejected[at] = (
                    f"The number {shortened(number)} was there before, in row"
                    f" {plan.sheet.rows[first[number]]:,}"
                )
        if at in rejected:
            above, lost = None, True
            continue
        first[number] = at
        above, lost = len(loans), False
        loans.append(at)
        kept.append(number)
    return Rows(
        np.array(loans, int), kept, np.array(properties, int), np.array(property_of, int), rejected
    )


def _kinds(plan: Plan, rejected: dict[int, str]) -> list[str]:
    """Of each row whether it is of a loan or of a property."""
    column = next(iter(plan.of("row_kind")), None)
    if column is None:
        return ["loan"] * len(plan.sheet.rows)
    said = {word.casefold(): kind for word, kind in plan.profile.rows.items()}
    words = [said.get(text.casefold()) for text in column.cells.texts]
    unknown = {at for at in column.cells.unread if words[at] is None}
    found = [
        word or str(value or "loan") for word, value in zip(words, column.cells.values, strict=True)
    ]
    if unknown:
        for row, at in enumerate(column.cells.at.tolist()):
            if at in unknown:
                text = shortened(column.cells.texts[at])
                rejected.setdefault(
                    row,
                    f"{column.name} '{text}' says neither loan nor property; say it under [rows] in"
                    f' the profile: "{text}" = "loan"',
                )
    return [found[at] for at in column.cells.at.tolist()]


def _numbers(plan: Plan) -> list[str]:
    """Of each row the loan's number, "" without one."""
    by_at = {one.at: one for one in plan.columns}
    parts = [_texts(by_at[at], plan) if at in by_at else _raw(plan, at) for at in plan.number]
    if not parts:
        return [""] * len(plan.sheet.rows)
    if len(parts) == 1:
        return parts[0]
    joined = ["" if not any(row) else "-".join(row) for row in zip(*parts, strict=True)]
    if len(parts) <= _JOINED:
        return joined
    return [
        hashlib.sha256(one.casefold().encode()).hexdigest()[:12] if one else "" for one in joined
    ]


def _texts(column: Column, plan: Plan) -> list[str]:
    if column.unit != "number":
        return _raw(plan, column.at)
    return [str(value or "") for value in column.cells.of_rows()]


def _raw(plan: Plan, at: int) -> list[str]:
    coded = plan.sheet.columns[at].combine_chunks().dictionary_encode()
    blank = units.empty(coded.dictionary)
    values, _ = units.read_all("number", "", "dollars", coded.dictionary.to_pylist())
    words = ["" if none else str(value or "") for value, none in zip(values, blank, strict=True)]
    return [words[one] for one in coded.indices.to_pylist()]


def _reject_unread(plan: Plan, rejected: dict[int, str]) -> None:
    for name in STRICT:
        for column in plan.of(name):
            if not column.cells.unread:
                continue
            bad = np.isin(column.cells.at, list(column.cells.unread))
            for row in np.flatnonzero(bad).tolist():
                at = int(column.cells.at[row])
                text = shortened(column.cells.texts[at])
                rejected.setdefault(
                    row, f"{shortened(column.name)} '{text}' {column.cells.unread[at]}"
                )
    for column in plan.of("book_value"):
        below = [
            at
            for at, value in enumerate(column.cells.values)
            if isinstance(value, int) and value < 0
        ]
        for row in np.flatnonzero(np.isin(column.cells.at, below)).tolist():
            text = shortened(column.cells.texts[int(column.cells.at[row])])
            rejected.setdefault(row, f"{shortened(column.name)} '{text}' is below zero")


def _telling(plan: Plan, count: int) -> NDArray[np.bool_]:
    """Rows that say anything that a loan has."""
    found = np.zeros(count, bool)
    for name in _TELLING:
        for column in plan.of(name):
            said = np.array([value is not None for value in column.cells.values], bool)
            found |= said[column.cells.at]
    return found


def _no_loan(plan: Plan, at: int, number: str, telling: bool) -> str:
    """Why a row is no loan; "" where it may be one."""
    if number and telling and not _TOTAL.fullmatch(number):
        return ""
    cells = [text for one in plan.sheet.columns if (text := one[at].as_py())]
    if any(_TOTAL.fullmatch(text) for text in cells[:2]):
        return "It is a row of totals"
    if len(cells) == 1:
        return f"It holds nothing but '{shortened(cells[0])}'"
    if not number:
        named = " and ".join(f"'{shortened(plan.sheet.names[one])}'" for one in plan.number)
        return f"It has no number of a loan, in {named}"
    return "It says nothing that a loan has: no balance, rate, maturity, borrower or property"


def sentences(rows: Rows, plan: Plan) -> list[tuple[str, str]]:
    """What became rejected, in order: "row 17" and its reason."""
    listed: Sequence[int] = sorted(rows.rejected)
    return [(f"row {plan.sheet.rows[at]:,}", f"{rows.rejected[at]}.") for at in listed]
