"""What a scenario would make of the loans that match: `Scenarios` of the contract."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract.aggregates import Share
from services.contract.errors import NotRescored
from services.contract.loan_filter import LoanFilter
from services.contract.records import Page
from services.contract.rescoring import Ranks, Rescored, Rescorer
from services.contract.scenario import (
    MOVED_EXPORT,
    NONE,
    Move,
    MovedFilter,
    MovedLoan,
    Scenario,
    Short,
    TypeMoves,
    WhatIf,
)
from services.contract.vocabulary import SEVERITIES

from . import columns
from .database import Ids
from .filters import loan_ids
from .reader import Reader
from .scenario_tables import scenario_inputs

#: Worst severities as ranks: a loan without a signal has that of `low`, which never signals.
_WORDS: Final = (NONE, *SEVERITIES[1:])
_SIZE: Final = len(_WORDS)
_BATCH: Final = 20_000
#: Columns of the loan itself.
_OF_LOAN: Final = ("property_type", "property_city", "property_state", "book_value")


def what_if(
    reader: Reader, rescorer: Rescorer | None, query: LoanFilter, scenario: Scenario
) -> WhatIf:
    """Who moves, by loans and dollars, and what is short at refinance, before and after."""
    found = rescored(reader, rescorer, scenario)
    ids = loan_ids(reader, query)
    book = np.nan_to_num(columns.figures(reader, "book_value")[ids])
    before, after = ranks(reader)[ids], found.severity[ids]
    short = _shorts(reader, found)
    then, now = short[0][ids], short[1][ids]
    sums = {"book": book, "then": np.nan_to_num(then), "now": np.nan_to_num(now)}
    return WhatIf(
        loans=len(ids),
        book_value=_dollars(book),
        moves=_moves(before, after, sums),
        worse=_share(after > before, book),
        better=_share(after < before, book),
        short_before=Short(loans=int((then > 0).sum()), dollars=_dollars(sums["then"])),
        short_after=Short(loans=int((now > 0).sum()), dollars=_dollars(sums["now"])),
        by_type=_by_type(reader, ids, before, after, sums),
        out_of_reach=tuple(
            (why, share)
            for why, rows in found.out_of_reach.items()
            if (share := _share(rows[ids], book)).loans
        ),
    )


def rescored(reader: Reader, rescorer: Rescorer | None, scenario: Scenario) -> Rescored:
    """Every loan of the snapshot in a scenario: siblings beyond a filter count too."""
    if rescorer is None:
        raise NotRescored("No rules are at hand to ask what if")
    # A snapshot that other rules have scored is refused before anything is read of it.
    moving = rescorer.moving(reader.snapshot)

    def make() -> Rescored:
        inputs = scenario_inputs(reader, moving)
        return rescorer.rescore(inputs, reader.snapshot, reader.tables, scenario)

    return reader.remembered(("rescored", scenario), make)


def ranks(reader: Reader) -> Ranks:
    """Worst severity of each loan as it is, by loan_id, as a rank in SEVERITIES; 0 is none."""

    def make() -> Ranks:
        worst = columns.words(reader, "worst_severity")
        known = [SEVERITIES.index(word) for word in worst.words]
        return np.array([*known, 0], np.int8)[worst.code]

    return reader.column("worst ranks", make)


def moved_loans(
    reader: Reader, rescorer: Rescorer | None, query: MovedFilter, scenario: Scenario
) -> Page[MovedLoan]:
    """Page of the loans that move, or that make the move asked for."""
    found = rescored(reader, rescorer, scenario)
    ids = _moved(reader, found, query)
    part = ids[query.offset : query.offset + query.per_page]
    rows = _rows(reader, found, part).to_pylist()
    items = tuple(MovedLoan(**row) for row in rows)
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def moved_batches(
    reader: Reader, rescorer: Rescorer | None, query: MovedFilter, scenario: Scenario
) -> Iterator[pa.RecordBatch]:
    """All of them, some thousands at a time; without any, one batch without rows."""
    found = rescored(reader, rescorer, scenario)
    ids = _moved(reader, found, query)
    for start in range(0, max(len(ids), 1), _BATCH):
        table = _rows(reader, found, ids[start : start + _BATCH]).combine_chunks()
        (batch,) = table.to_batches() or [pa.RecordBatch.from_pylist([], table.schema)]
        yield batch


def _moved(reader: Reader, found: Rescored, query: MovedFilter) -> Ids:
    """Worst in the scenario first, then those that moved furthest, then the largest."""
    ids = loan_ids(reader, query.loans())
    before, after = ranks(reader)[ids], found.severity[ids]
    chosen = after != before
    if query.move:
        was, becomes = (_WORDS.index(word) if word in _WORDS else -1 for word in query.move)
        chosen = (before == was) & (after == becomes)
    ids, before, after = ids[chosen], before[chosen], after[chosen]
    book = np.nan_to_num(columns.figures(reader, "book_value")[ids], nan=-1)
    ordered: Ids = ids[np.lexsort((ids, -book, before - after, -after))]
    return ordered


def _rows(reader: Reader, found: Rescored, ids: Ids) -> pa.Table:
    words = pa.array(_WORDS)
    short = _shorts(reader, found)
    drawn = {
        "loan_number": pa.array(reader.graph.names(ids.tolist()), pa.string()),
        **{name: columns.arrow(reader, name, ids) for name in _OF_LOAN},
        "severity_before": words.take(pa.array(ranks(reader)[ids])),
        "severity_after": words.take(pa.array(found.severity[ids])),
        "dollars_short_before": _whole(short[0][ids]),
        "dollars_short_after": _whole(short[1][ids]),
    }
    drawn["book_value"] = drawn["book_value"].cast(pa.int64())
    return pa.table({name: drawn[name] for name in MOVED_EXPORT})


def _shorts(reader: Reader, found: Rescored) -> tuple[columns.Figures, columns.Figures]:
    """Dollars short by loan_id, as they are and in the scenario."""
    before = columns.figures(reader, "dollars_short")
    return before, np.where(found.stays, before, found.dollars_short)


def _whole(amounts: columns.Figures) -> pa.Array:
    unknown = np.isnan(amounts)
    return pa.array(np.nan_to_num(amounts).astype(np.int64), mask=unknown)


# Sums


def _moves(before: Ranks, after: Ranks, sums: dict[str, columns.Figures]) -> tuple[Move, ...]:
    cell = before.astype(np.int64) * _SIZE + after
    loans = np.bincount(cell, minlength=_SIZE**2)
    totals = {
        name: np.bincount(cell, weights=amounts, minlength=_SIZE**2)
        for name, amounts in sums.items()
    }
    return tuple(
        Move(
            before=_WORDS[at // _SIZE],
            after=_WORDS[at % _SIZE],
            loans=int(loans[at]),
            book_value=int(totals["book"][at]),
            short_before=int(totals["then"][at]),
            short_after=int(totals["now"][at]),
        )
        for at in np.flatnonzero(loans).tolist()
    )


def _by_type(
    reader: Reader, ids: Ids, before: Ranks, after: Ranks, sums: dict[str, columns.Figures]
) -> tuple[TypeMoves, ...]:
    kinds = columns.words(reader, "property_type")
    size = len(kinds.words) + 1
    code = kinds.code[ids]
    code = np.where(code < 0, size - 1, code)

    def summed(amounts: npt.NDArray[Any] | None = None) -> list[int]:
        return [int(one) for one in np.bincount(code, weights=amounts, minlength=size)]

    worse, better = after > before, after < before
    loans, worth = summed(), summed(sums["book"])
    before_usd, after_usd = summed(sums["then"]), summed(sums["now"])
    worse_loans, worse_usd = summed(worse), summed(worse * sums["book"])
    better_loans, better_usd = summed(better), summed(better * sums["book"])
    found = [
        TypeMoves(
            property_type=kinds.words[at] if at < size - 1 else None,
            loans=loans[at],
            book_value=worth[at],
            worse=Share(loans=worse_loans[at], book_value=worse_usd[at]),
            better=Share(loans=better_loans[at], book_value=better_usd[at]),
            short_before=before_usd[at],
            short_after=after_usd[at],
        )
        for at in range(size)
        if loans[at]
    ]
    return tuple(sorted(found, key=lambda one: (-one.book_value, one.property_type or "~")))


def _share(rows: npt.NDArray[np.bool_], book: columns.Figures) -> Share:
    return Share(loans=int(rows.sum()), book_value=_dollars(book[rows]))


def _dollars(amounts: columns.Figures) -> int:
    """Their sum, to the dollar: 64 bits of a float hold 9 quadrillion of them."""
    return int(amounts.astype(np.int64).sum())
