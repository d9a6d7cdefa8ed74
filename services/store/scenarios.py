"""What a scenario would make of the loans that match: `Scenarios` of the contract."""

import math
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract.aggregates import Share
from services.contract.loan_filter import LoanFilter
from services.contract.records import Page
from services.contract.rescoring import FloatersStage, Ranks, Rescored, Rescorer
from services.contract.scenario import (
    MOVED_EXPORT,
    THIN_COVERAGE,
    FloatingLoans,
    FloatingStage,
    HorizonMoves,
    Move,
    MovedFilter,
    MovedLoan,
    Scenario,
    Short,
    TypeMoves,
    WhatIf,
)
from services.contract.vocabulary import GRADED, NO_SIGNAL, SEVERITIES, UNGRADED

from . import columns, due, notes
from .database import Ids
from .filters import loan_ids
from .reader import Reader
from .scenario_tables import scenario_inputs

#: Words of a loan before and after. A rank of 0 is that of a loan without a signal, for `low` never
#: signals.
_WORDS: Final = (*UNGRADED, *GRADED)
_SIZE: Final = len(_WORDS)
_NO_SIGNAL: Final = UNGRADED.index(NO_SIGNAL)
#: Moves to a worse severity and to a milder one, by place before and after.
_UP: Final = np.triu(np.ones((_SIZE, _SIZE), bool), 1)
_DOWN: Final = _UP.T
_BATCH: Final = 20_000
#: Columns of the loan itself.
_OF_LOAN: Final = ("property_type", "property_city", "property_state", "book_value")


def what_if(reader: Reader, rescorer: Rescorer, query: LoanFilter, scenario: Scenario) -> WhatIf:
    """Who moves, by loans and dollars, and what is short at refinance, before and after."""
    found = rescored(reader, rescorer, scenario)
    ids = loan_ids(reader, query)
    book = notes.dollars(reader, "book_value")[ids]
    then, now = (short[ids] for short in _shorts(reader, found))
    adds = ~notes.is_sum(reader)[ids]
    then, now = (np.where(adds, np.nan_to_num(short), 0.0) for short in (then, now))
    kinds = columns.words(reader, "property_type")
    sums = _Sums(
        kinds.code[ids],
        len(kinds.words),
        _graded(reader, ranks(reader), ids),
        _graded(reader, found.severity, ids),
        book,
        then,
        now,
        lambda cell, size: notes.count(reader, ids, cell, size),
    )
    missed = ((why, ids[rows[ids]]) for why, rows in found.out_of_reach.items())
    return WhatIf(
        loans=notes.loans(reader, ids),
        book_value=int(sums.book.sum()),
        moves=_moves(sums),
        worse=sums.share(_UP),
        better=sums.share(_DOWN),
        short_before=_short(reader, ids, then),
        short_after=_short(reader, ids, now),
        by_type=_by_type(sums, (*kinds.words, None)),
        by_horizon=_by_horizon(reader, ids, then, now),
        floating=_floating(reader, ids, found),
        out_of_reach=tuple((why, _share(reader, these)) for why, these in missed if these.size),
    )


def _share(reader: Reader, ids: Ids) -> Share:
    book = notes.dollars(reader, "book_value")[ids]
    return Share(loans=notes.loans(reader, ids), book_value=int(book.sum()))


def _short(reader: Reader, ids: Ids, dollars: columns.Figures) -> Short:
    return Short(loans=notes.loans(reader, ids[dollars > 0]), dollars=int(dollars.sum()))


def rescored(reader: Reader, rescorer: Rescorer, scenario: Scenario) -> Rescored:
    """Every loan of the snapshot in a scenario: siblings beyond a filter count too."""
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


def _graded(reader: Reader, ranks: Ranks, ids: Ids) -> Ranks:
    """Places in _WORDS of some loans by their ranks: what is defeased or owes nothing stays so."""
    grade, rank = columns.words(reader, columns.GRADE), ranks[ids]
    known = [UNGRADED.index(one) if one in UNGRADED else _NO_SIGNAL for one in grade.words]
    without = np.array(known, np.int8)[grade.code[ids]]
    places: Ranks = np.where(rank > 0, rank + _NO_SIGNAL, without)
    return places


def moved_loans(
    reader: Reader, rescorer: Rescorer, query: MovedFilter, scenario: Scenario
) -> Page[MovedLoan]:
    """Page of the loans that move, or that make the move asked for."""
    found = rescored(reader, rescorer, scenario)
    ids = _moved(reader, found, query)
    part = ids[query.offset : query.offset + query.per_page]
    rows = _rows(reader, found, part).to_pylist()
    items = tuple(MovedLoan(**row) for row in rows)
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def moved_batches(
    reader: Reader, rescorer: Rescorer, query: MovedFilter, scenario: Scenario
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
    before, after = (_graded(reader, of, ids) for of in (ranks(reader), found.severity))
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
        "severity_before": words.take(pa.array(_graded(reader, ranks(reader), ids))),
        "severity_after": words.take(pa.array(_graded(reader, found.severity, ids))),
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


class _Sums:
    """Loans and dollars by property type (the last: none), worst severity before and after."""

    def __init__(
        self,
        kind: Ids,
        kinds: int,
        before: Ranks,
        after: Ranks,
        book: columns.Figures,
        then: columns.Figures,
        now: columns.Figures,
        count: Callable[[Ids, int], npt.NDArray[np.int64]],
    ) -> None:
        shape = (kinds + 1, _SIZE, _SIZE)
        kind = np.where(kind < 0, kinds, kind)
        cell = (kind * _SIZE + before) * _SIZE + after

        def summed(amounts: columns.Figures) -> npt.NDArray[np.int64]:
            # 64 bits of a float hold 9 quadrillion dollars.
            found = np.bincount(cell, amounts, minlength=math.prod(shape))
            return found.astype(np.int64).reshape(shape)

        self.loans = count(cell, math.prod(shape)).reshape(shape)
        self.book, self.short_before, self.short_after = map(summed, (book, then, now))

    def share(self, which: npt.NDArray[np.bool_], kind: int | None = None) -> Share:
        """The loans of some moves, of one property type or of all."""
        at = slice(None) if kind is None else slice(kind, kind + 1)
        return Share(
            loans=int(self.loans[at, which].sum()), book_value=int(self.book[at, which].sum())
        )


def _moves(sums: _Sums) -> tuple[Move, ...]:
    loans, book, then, now = (
        each.sum(axis=0) for each in (sums.loans, sums.book, sums.short_before, sums.short_after)
    )
    return tuple(
        Move(
            before=_WORDS[before],
            after=_WORDS[after],
            loans=int(loans[before, after]),
            book_value=int(book[before, after]),
            short_before=int(then[before, after]),
            short_after=int(now[before, after]),
        )
        for before, after in np.argwhere(loans).tolist()
    )


def _by_horizon(
    reader: Reader, ids: Ids, then: columns.Figures, now: columns.Figures
) -> tuple[HorizonMoves, ...]:
    place = due.horizon(reader)[ids]
    return tuple(
        HorizonMoves(
            word=word,
            loans=notes.loans(reader, ids[here := place == at]),
            short_before=int(then[here].sum()),
            short_after=int(now[here].sum()),
        )
        for at, word in due.listed(reader, ids)
    )


def _floating(reader: Reader, ids: Ids, found: Rescored) -> FloatingLoans | None:
    """Those of some loans that float, as they are and in the scenario."""
    of = found.floaters
    chosen = np.isin(of.loans, ids)
    if not chosen.any():
        return None
    whole = _share(reader, of.loans[chosen])
    book = notes.dollars(reader, "book_value")[of.loans]

    def share(which: npt.NDArray[np.bool_]) -> Share:
        return _share(reader, of.loans[chosen & which])

    def stage(at: FloatersStage) -> FloatingStage:
        paid = chosen & ~np.isnan(at.coupon) & (book > 0)
        mean = np.average(at.coupon[paid], weights=book[paid]) if paid.any() else None
        return FloatingStage(
            coupon=None if mean is None else float(mean),
            at_floor=share(at.at_floor),
            at_cap=share(at.at_cap),
            thin=share(at.dscr < THIN_COVERAGE),
            uncovered=share(at.dscr < 1),
        )

    return FloatingLoans(
        loans=whole.loans,
        book_value=whole.book_value,
        now=stage(of.now),
        then=stage(of.then),
        uncapped=stage(of.uncapped),
    )


def _by_type(sums: _Sums, words: tuple[str | None, ...]) -> tuple[TypeMoves, ...]:
    found = [
        TypeMoves(
            property_type=word,
            loans=int(sums.loans[at].sum()),
            book_value=int(sums.book[at].sum()),
            worse=sums.share(_UP, at),
            better=sums.share(_DOWN, at),
            short_before=int(sums.short_before[at].sum()),
            short_after=int(sums.short_after[at].sum()),
        )
        for at, word in enumerate(words)
        if sums.loans[at].any()
    ]
    return tuple(
        sorted(
            found,
            key=lambda one: (-one.book_value, one.property_type is None, one.property_type or ""),
        )
    )
