"""Results of loans: in any order, with any columns, their totals, counts and classes.

Everything here is arithmetic over the ids that a filter set resolves to (filters.py) and the
columns of all loans (columns.py).
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa

from services.contract.aggregates import (
    FigureClass,
    FoundLoan,
    FoundTotals,
    Slice,
    Weighted,
    class_bounds,
)
from services.contract.columns import LOAN_EXPORT
from services.contract.facts import FACT
from services.contract.loan_filter import CONDITIONS, LoanFilter
from services.contract.records import Page

from . import columns, dispositions, due, notes
from .database import Ids, among
from .filters import each_word, fired, flags, loan_ids
from .loan_columns import FROM, read
from .ordering import MANY, Key, first, ordered
from .reader import Reader

#: Loans of one batch of a whole result.
_BATCH: Final = 20_000
#: The loans of a list of ids, in its order.
_IN_PLACE: Final = (
    "JOIN (SELECT unnest($ids::INTEGER[]) AS loan_id,"
    " generate_subscripts($ids::INTEGER[], 1) AS place) w USING (loan_id) ORDER BY w.place"
)


def loans_found(reader: Reader, query: LoanFilter, names: tuple[str, ...]) -> Page[FoundLoan]:
    """Page of the loans that match, in the order asked for, with the columns named."""
    ids = loan_ids(reader, query)
    part = _page(reader, ids, query)
    items = tuple(
        FoundLoan.model_construct(loan_number=row["loan_number"], values=row)
        for row in rows(reader, part, names)
    )
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def ordered_ids(reader: Reader, query: LoanFilter) -> Ids:
    """Ids of the loans that match, in the order asked for; nulls last, ties by
    loan_number first.
    """
    ids = loan_ids(reader, query)
    if query.order is None or not len(ids):
        return ids
    asked = ("ordered", query.order, *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: ids[ordered(*key_of(reader, ids, query.order or ""))])


def _page(reader: Reader, ids: Ids, query: LoanFilter) -> Ids:
    """The slice of the ordered result that a query asks for."""
    end = query.offset + query.per_page
    if query.order and len(ids) > MANY and end <= MANY // 4:
        found = first(*key_of(reader, ids, query.order or ""), end)
        return ids[found][query.offset :]
    return ordered_ids(reader, query)[query.offset : end]


def key_of(reader: Reader, ids: Ids, order: str) -> tuple[Key, columns.Flags]:
    """What these loans are put in order by, the first smallest, and where it is not known."""
    whole, unknown = columns.order_key(reader, order.removeprefix("-"))
    key, missing = whole[ids], unknown[ids]
    return (-key if order.startswith("-") else key), missing


def rows(reader: Reader, ids: Ids, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Some loans with these columns and their number, in the order of `ids`."""
    if not len(ids):
        return []
    facts = [FACT[name] for name in dict.fromkeys(("loan_number", *names)) if name in FACT]
    known = read(facts, columns.there(reader, "loans"))
    sql = f"SELECT l.loan_id AS id, {known} {FROM} WHERE {among('l.loan_id')}"
    found = {row.pop("id"): row for row in reader.records(sql, [ids.tolist()])}
    listed = [dict(found[one]) for one in ids.tolist()]
    for name in names:
        if name not in FACT:
            for row, value in zip(listed, columns.values(reader, name, ids), strict=True):
                row[name] = value
    return listed


def loan_batches(
    reader: Reader, query: LoanFilter, names: tuple[str, ...]
) -> Iterator[pa.RecordBatch]:
    """Every loan that matches, in the order asked for, some thousands at a time: the columns
    named, then the others of LOAN_EXPORT.

    Each batch is a question of its own, so that memory holds no more than one of them. Without a
    match there is one, without rows.
    """
    ids = ordered_ids(reader, query)
    asked = tuple(dict.fromkeys((*names, *LOAN_EXPORT)))
    for start in range(0, max(len(ids), 1), _BATCH):
        yield whole(table_of(reader, ids[start : start + _BATCH], asked))


def table_of(reader: Reader, ids: Ids, names: tuple[str, ...]) -> pa.Table:
    """These columns of some loans, in the order of `ids`; a loan may come more than once."""
    facts = [FACT[name] for name in names if name in FACT]
    known = read(facts, columns.there(reader, "loans")) or "l.loan_id"
    table = reader.arrow(f"SELECT {known} {FROM} {_IN_PLACE}", {"ids": ids})
    for name in names:
        if name not in FACT:
            table = table.append_column(name, columns.arrow(reader, name, ids))
    return table.select(names)


def whole(table: pa.Table) -> pa.RecordBatch:
    """A table as one batch, which may be empty."""
    (batch,) = table.combine_chunks().to_batches() or [pa.RecordBatch.from_pylist([], table.schema)]
    return batch


# Totals


def loan_totals(reader: Reader, query: LoanFilter) -> FoundTotals:
    """Totals of the loans that match."""
    asked = ("totals", *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: totals_of(reader, loan_ids(reader, query)))


def totals_of(reader: Reader, ids: Ids) -> FoundTotals:
    """Totals of some loans."""
    book = notes.dollars(reader, "book_value")[ids]
    short = notes.dollars(reader, "dollars_short")[ids]

    def weighted(name: str) -> Weighted:
        column = columns.figures(reader, name)[ids]
        known = ~np.isnan(column)
        weight, whole = float(book[known].sum()), float(book.sum())
        # A dot product's last digits go by where its arrays lie in memory; a sum's do not.
        mean = float((book[known] * column[known]).sum()) / weight if weight else None
        return Weighted(mean=mean, coverage=weight / whole if whole else None)

    return FoundTotals(
        records=len(ids),
        loans=notes.loans(reader, ids),
        notes=notes.notes(reader, ids),
        book_value=columns.total(book),
        coupon=weighted("interest_rate"),
        dscr=weighted("dscr"),
        ltv=weighted("ltv"),
        debt_yield=weighted("debt_yield"),
        dollars_short=columns.total(short),
        short_loans=notes.loans(reader, ids[short > 0]),
        matures_12_months=due.share(reader, ids, 12),
        matures_24_months=due.share(reader, ids, 24),
        dispositions=dispositions.of_loans(reader, ids),
        by_horizon=due.by_horizon(reader, ids),
        left_out=due.left_out(reader, ids),
    )


# Counts of a filter's values


def loan_counts(reader: Reader, query: LoanFilter, name: str) -> list[Slice]:
    """How many loans each value of one filter would find."""
    rest = query.without(name)
    filters = sorted(rest.filters().items())
    # Those of all loans stand over every page; they are held as columns are.
    held = reader.remembered if filters else reader.column
    return held(("counts", name, *filters), lambda: _counts(reader, loan_ids(reader, rest), name))


def _counts(reader: Reader, ids: Ids, name: str) -> list[Slice]:
    if name == "rule":
        loan, code, words = fired(reader)
        among = np.zeros(reader.snapshot.loans, bool)
        among[ids] = True
        chosen = among[loan]
        return _slices(reader, loan[chosen], code[chosen], words)
    if name in CONDITIONS:
        ids, code, words = each_word(reader, ids, name)
        known = code >= 0
        if not known.all():
            ids, code = ids[known], code[known]
        return _slices(reader, ids, code, words)
    return _slices(reader, ids, flags(reader, name)[ids].astype(np.int32), ("no", "yes"))


def _slices(reader: Reader, ids: Ids, code: Ids, words: tuple[str, ...]) -> list[Slice]:
    book = notes.dollars(reader, "book_value")[ids]
    loans = notes.count(reader, ids, code, len(words)).tolist()
    worth = np.bincount(code, weights=book, minlength=len(words)).tolist()
    listed = [
        Slice(word=word, loans=loans[at], book_value=int(worth[at]))
        for at, word in enumerate(words)
        if loans[at]
    ]
    return sorted(listed, key=lambda one: (-one.loans, one.word))


# Classes of a figure


def loan_classes(
    reader: Reader, query: LoanFilter, name: str, ends: tuple[float, ...]
) -> list[FigureClass]:
    """The loans that match by classes of a figure, the lowest first, those without it last."""
    query = query.without("order").at(1)
    asked = ("classes", name, ends, *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: _classes(reader, loan_ids(reader, query), name, ends))


def _classes(reader: Reader, ids: Ids, name: str, ends: tuple[float, ...]) -> list[FigureClass]:
    figures = columns.figures(reader, name)[ids]
    size = len(ends) + 2  # the last is that of the loans without the figure
    place = np.searchsorted(np.array(ends), figures, side="right")
    place[np.isnan(figures)] = size - 1
    loans = notes.count(reader, ids, place, size)
    sums = {
        column: np.bincount(place, weights=notes.dollars(reader, column)[ids], minlength=size)
        for column in ("book_value", "dollars_short")
    }
    by_worst = notes.by_worst(reader, ids, place, size)
    return [
        FigureClass(
            low=low,
            high=high,
            loans=int(loans[at]),
            **{column: int(sums[column][at]) for column in sums},
            by_worst=by_worst(at),
        )
        for at, (low, high) in enumerate(class_bounds(ends))
        if at < size - 1 or loans[at]
    ]
