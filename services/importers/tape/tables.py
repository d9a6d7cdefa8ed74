"""Tables of one tape: its loans with their layers, properties, tenants, parties and ties."""

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from services.contract.facts import FACT
from services.contract.portfolio import LAYERS, LEASES, LOANS, PROPERTIES, REJECTS, shaped
from services.importers.tape import parties
from services.importers.tape.names import plain
from services.importers.tape.plan import Column, Plan
from services.importers.tape.rows import Rows, sentences
from services.importers.tape.units import plain as as_json
from services.names.lenders import lender_kind

#: Fields of a tape that are columns of the properties alone, or are read elsewhere.
_PLACES: Final = {"zip": "zip", "county": "county", "year_built": "year_built"}
_ELSEWHERE: Final = frozenset({
    "number", "row_kind", "borrower", "sponsor", "guarantor", "owner", "owner_share", "lender",
    "originator", "servicer", "first_lien_lender", "first_lien_amount", "tenant", "units", *_PLACES,
})  # fmt: skip
_LONGEST_KEY: Final = 80


def tables(plan: Plan, rows: Rows, book: str) -> dict[str, pa.Table]:
    """The tables of a Portfolio by name; loans in the file's order, numbered "book:number"."""
    ties, named = parties.parties_of(plan, rows)
    lenders = [one[0] if one else None for one in named["lender"]]
    originators = [one[0] if one else None for one in named["originator"]]
    loans: dict[str, object] = {
        "loan_number": [f"{book}:{number}" for number in rows.numbers],
        "lender_normalized": [
            one or other for one, other in zip(lenders, originators, strict=True)
        ],
        "further": _further(plan, rows.loans),
    }
    for name in LOANS.names:
        if name not in loans and (columns := plan.of(name)):
            loans[name] = _taken(columns[0], LOANS.field(name).type, rows.loans)
    table = shaped(LOANS, loans)
    return {
        "loans": table,
        "layers": _layers(plan, rows, table, lenders, named),
        "properties": _properties(plan, rows),
        "leases": _leases(plan, rows),
        **ties.tables(),
        "rejects": shaped(
            REJECTS,
            {
                name: [one[at] for one in sentences(rows, plan)]
                for at, name in enumerate(("record", "reason"))
            },
        ),
    }


def _taken(column: Column, kind: pa.DataType, rows: np.ndarray[Any, Any]) -> pa.Array:
    return column.cells.array(kind).take(pa.array(rows))


def _layers(
    plan: Plan,
    rows: Rows,
    loans: pa.Table,
    lenders: Sequence[str | None],
    named: dict[str, parties.Names],
) -> pa.Table:
    """What the tape's lender holds, behind a first lien where the tape names one."""
    firsts = named["first_lien_lender"]
    amounts = plan.of("first_lien_amount")
    held = (
        _taken(amounts[0], pa.int64(), rows.loans).to_pylist() if amounts else [None] * len(firsts)
    )
    owed, rates = loans["book_value"].to_pylist(), loans["interest_rate"].to_pylist()
    servicers = named["servicer"]
    kinds: dict[str | None, str] = {
        one: (lender_kind(one) if one else None) or "other"
        for one in {*lenders, *(who for of in firsts for who in of)}
    }
    found: list[tuple[object, ...]] = []
    for loan, lender in enumerate(lenders):
        first = firsts[loan][0] if firsts[loan] else None
        rank, position = 1, "senior"
        if first or held[loan]:
            kind = kinds[first] if first else "other"
            found.append((loan, 1, "senior", kind, first, None, held[loan], None))
            rank, position = 2, "junior note"
        servicer = servicers[loan][0] if servicers[loan] else None
        found.append(
            (loan, rank, position, kinds[lender], lender, servicer, owed[loan], rates[loan])
        )
    columns = zip(*found, strict=True) if found else ()
    return shaped(LAYERS, dict(zip(LAYERS.names, map(list, columns), strict=False)))


def _properties(plan: Plan, rows: Rows) -> pa.Table:
    """One row a property: those of rows of their own, else that of the loan's row."""
    alone = np.setdiff1d(np.arange(len(rows.loans)), rows.property_of)
    loan = np.concatenate([alone, rows.property_of])
    at = np.concatenate([rows.loans[alone], rows.properties])
    order = np.lexsort((at, loan))
    loan, at = loan[order], at[order]
    columns: dict[str, object] = {"loan": pa.array(loan, pa.int32())}
    same = {name: name for name in PROPERTIES.names if name in FACT}
    fields = {**same, **_PLACES, "property_city": "city", "property_state": "state"}
    for field, to in fields.items():
        if found := plan.of(field):
            columns[to] = _taken(found[0], PROPERTIES.field(to).type, at)
    area, units = plan.of("rentable_area"), plan.of("units")
    if area or units:
        nothing = pa.nulls(len(at), pa.float64())
        feet = _taken(area[0], pa.float64(), at) if area else nothing
        counted = _taken(units[0], pa.float64(), at) if units else nothing
        by_feet = feet.is_valid().to_numpy(zero_copy_only=False)
        by_units = counted.is_valid().to_numpy(zero_copy_only=False)
        words = np.where(by_feet, "square feet", np.where(by_units, "units", ""))
        columns["size"] = feet.fill_null(0).to_numpy() + np.where(
            by_feet, 0, counted.fill_null(0).to_numpy()
        )
        columns["size"] = pa.array(columns["size"], mask=~(by_feet | by_units))
        columns["size_unit"] = pa.array([word or None for word in words.tolist()], pa.string())
    if len(rows.properties):
        further = np.full(len(at), None, object)
        own = ~np.isin(at, rows.loans)
        further[own] = _further(plan, at[own])
        columns["further"] = pa.array(further, pa.string())
    return shaped(PROPERTIES, columns)


def _leases(plan: Plan, rows: Rows) -> pa.Table:
    loans, tenants = [], []
    for column in plan.of("tenant"):
        values = column.cells.of_rows()
        for loan, at in enumerate(rows.loans.tolist()):
            if values[at] is not None:
                loans.append(loan)
                tenants.append(values[at])
    return shaped(
        LEASES, {"loan": pa.array(loans, pa.int32()), "tenant": pa.array(tenants, pa.string())}
    )


def _further(plan: Plan, rows: np.ndarray[Any, Any]) -> list[str | None]:
    """What has no column of its own, as JSON objects: kept columns, values that do not read."""
    parts: list[list[str]] = []
    keys: dict[str, int] = {}
    for column in plan.columns:
        own = column.field in FACT or column.field in _ELSEWHERE
        kept = not own or not column.taken or column.ask
        head = f"{json.dumps(_key(column, keys))}:"
        said = []
        for at, value in enumerate(column.cells.values):
            shown = value if kept else None
            if at in column.cells.unread:
                shown = column.cells.texts[at][:2_000]
            said.append("" if shown is None else f"{head}{_json(shown)}")
        if any(said):
            parts.append([said[at] for at in column.cells.at[rows].tolist()])
    if not parts:
        return [None] * len(rows)
    return ["{" + ",".join(filter(None, one)) + "}" for one in zip(*parts, strict=True)]


def _json(value: object) -> str:
    if (
        type(value) is str
        and value.isascii()
        and value.isprintable()
        and '"' not in value
        and "\\" not in value
    ):
        return f'"{value}"'  # most are: the library takes ten times as long
    return json.dumps(as_json(value))


def _key(column: Column, keys: dict[str, int]) -> str:
    """Its field, or its name in words with low lines, once each."""
    words = "".join(letter if letter.isalnum() else " " for letter in column.name.lower()).split()
    key = ("_".join(words) or plain(column.name) or "column")[:_LONGEST_KEY]
    keys[key] = keys.get(key, 0) + 1
    return key if keys[key] == 1 else f"{key}_{keys[key]}"
