"""Joins portfolios into one set of tables: rows shifted, parties of one name made one."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.errors import ImportRefused
from services.contract.portfolio import TABLES, Portfolio
from services.signals import engine
from services.signals.assumptions import Assumptions
from services.signals.rule import Rule
from services.store.book import Book


def joined_book(
    portfolios: list[Portfolio], assumptions: Assumptions, rules: Sequence[Rule] | None
) -> tuple[Book, date]:
    """All portfolios in one set of tables, scored as of the newest source."""
    entities, entity_of = _entities(portfolios)
    tables: dict[str, list[pa.Table]] = {name: [] for name in TABLES}
    loans_before = 0
    for portfolio, ids in zip(portfolios, entity_of, strict=True):
        for name in ("layers", "properties", "leases"):
            tables[name].append(_shifted(getattr(portfolio, name), "loan", loans_before))
        edges = _shifted(portfolio.edges, "from_loan", loans_before)
        for column in ("from_entity", "to_entity"):
            at = edges.schema.get_field_index(column)
            edges = edges.set_column(at, column, ids.take(edges[column].combine_chunks()))
        tables["edges"].append(edges)
        tables["loans"].append(portfolio.loans)
        tables["rejects"].append(portfolio.rejects)
        loans_before += portfolio.loans.num_rows
    together = {name: pa.concat_tables(tables[name]) for name in tables if tables[name]}
    together["entities"] = entities
    _check_numbers(together["loans"]["loan_number"])
    as_of = max(portfolio.info.as_of for portfolio in portfolios)
    marks = [np.int16(at) for at in range(len(portfolios))]
    book = Book(
        infos=tuple(portfolio.info for portfolio in portfolios),
        tables=together,
        source_of_loan=np.repeat(marks, [one.loans.num_rows for one in portfolios]),
        source_of_reject=np.repeat(marks, [one.rejects.num_rows for one in portfolios]),
        scored=engine.evaluate(together, as_of, assumptions, rules),
    )
    return book, as_of


def _entities(portfolios: list[Portfolio]) -> tuple[pa.Table, list[pa.Array]]:
    """One row a name over all sources (D30), and the new row of each source's rows.

    A party that several sources know keeps the kind of the first and the best confidence.
    """
    if len(portfolios) == 1:
        count = portfolios[0].entities.num_rows
        return portfolios[0].entities, [pa.array(np.arange(count, dtype=np.int32))]
    listed: dict[str, dict[str, Any]] = {}
    for portfolio in portfolios:
        for row in portfolio.entities.to_pylist():
            first = listed.setdefault(row["entity_name"], row)
            first["confidence"] = max(first["confidence"], row["confidence"])
    names = {name: at for at, name in enumerate(listed)}
    rows = [
        pa.array([names[name] for name in one.entities["entity_name"].to_pylist()], pa.int32())
        for one in portfolios
    ]
    return pa.Table.from_pylist(list(listed.values()), schema=TABLES["entities"]), rows


def _shifted(table: pa.Table, column: str, by: int) -> pa.Table:
    if not by:
        return table
    at = table.schema.get_field_index(column)
    moved = pc.add(table[column], pa.scalar(by, pa.int32()))
    return table.set_column(at, table.schema.field(at), moved)


def check_sources(portfolios: list[Portfolio]) -> None:
    """Raises ImportRefused for no source at all, or made-up beside reported ones (D27)."""
    made_up = {one.info.provenance == "synthetic" for one in portfolios}
    if not made_up:
        raise ImportRefused("There is no source to load; name at least one")
    if len(made_up) > 1:  # D27
        raise ImportRefused("Made-up and reported sources do not mix; load one or the other")


def _check_numbers(numbers: pa.ChunkedArray) -> None:
    if not len(numbers):
        raise ImportRefused("There is no loan in what was to be loaded; nothing was changed")
    if pc.count_distinct(numbers).as_py() == len(numbers):
        return
    counts = Counter(numbers.to_pylist())
    double = next(number for number, count in counts.items() if count > 1)
    raise ImportRefused(
        f"Loan number '{double}' occurs in two sources; load one of them under another --deal name"
    )
