"""Loans and their notes: a loan of several records counts once, and so does each dollar (D152).

A record may be one note of a loan, and another the sum of some notes. What a result counts as
loans are the different loans among its records; what it adds are the records that are no sum.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from services.contract.aggregates import ByWorst

from . import columns
from .columns import Figures, Flags
from .database import Ids
from .reader import Reader

#: Loans among the records of `loans l`, and the sum of one of their columns, as SQL.
LOANS: Final = "(count(*) FILTER (WHERE l.whole_loan IS NULL) + count(DISTINCT l.whole_loan))"
ADDED: Final = "FILTER (WHERE NOT l.sums_notes)"


def dollars(reader: Reader, name: str) -> Figures:
    """A column of dollars by loan_id, to be added: 0 where it is not known, and where the record
    is the sum of others.
    """

    def make() -> Figures:
        known = np.nan_to_num(columns.figures(reader, name))
        known[_sums(reader)] = 0
        return known

    return reader.column(("dollars", name), make)


def of_loans(reader: Reader, ids: Ids) -> npt.NDArray[np.int64]:
    """By loan_id the book value of its loan, over the records among `ids`."""
    own = np.zeros(reader.snapshot.loans)
    own[ids] = dollars(reader, "book_value")[ids]
    code = columns.words(reader, "whole_loan").code
    several = code >= 0
    if several.any():
        sums = np.bincount(code[several], weights=own[several])
        own[several] = sums[code[several]]
    return own.astype(np.int64)


def whole(reader: Reader, ids: Ids) -> npt.NDArray[np.int64]:
    """A number that records of one loan share, and no others."""
    code = columns.words(reader, "whole_loan").code[ids].astype(np.int64)
    return np.where(code >= 0, -1 - code, ids)


def _sums(reader: Reader) -> Ids:
    """Records that are the sum of others."""
    sql = "SELECT loan_id FROM loans WHERE sums_notes ORDER BY loan_id"
    return reader.column("sums of notes", lambda: reader.ids(sql))


def is_sum(reader: Reader) -> Flags:
    """Which records are the sum of others, by loan_id."""
    found: Flags = np.zeros(reader.snapshot.loans, bool)
    found[_sums(reader)] = True
    return found


def notes(reader: Reader, ids: Ids) -> int:
    """How many of these records are no sum of others."""
    return len(ids) - int(np.isin(_sums(reader), ids).sum())


def loans(reader: Reader, ids: Ids) -> int:
    """How many loans these different records are of."""
    return int(first(reader, ids, np.zeros(len(ids), np.int32)).sum())


def first(reader: Reader, ids: Ids, code: npt.NDArray[np.integer]) -> Flags:
    """Which of these records count as a loan: within each code the first of its loan."""
    whole = columns.words(reader, "whole_loan")
    if not whole.words:  # most books: no record is a note of another
        return np.ones(len(ids), bool)
    return once(whole.code[ids], code)


def once(whole: npt.NDArray[np.integer], code: npt.NDArray[np.integer]) -> Flags:
    """Which of some different records count as a loan, `whole` the loan that each is a note of,
    negative where it is alone: within each code the first of its loan.
    """
    counted: Flags = np.ones(len(whole), bool)
    several = np.flatnonzero(whole >= 0)
    if len(several):  # few books have any
        of = whole[several].astype(np.int64)
        key = code[several].astype(np.int64) * (of.max() + 1) + of
        counted[several] = False
        counted[several[np.unique(key, return_index=True)[1]]] = True
    return counted


def count(
    reader: Reader, ids: Ids, code: npt.NDArray[np.integer], size: int
) -> npt.NDArray[np.int64]:
    """Loans by code, from 0 to size - 1."""
    return np.bincount(code[first(reader, ids, code)], minlength=size)


def by_worst(
    reader: Reader,
    ids: Ids,
    code: npt.NDArray[np.integer],
    size: int,
    amounts: npt.NDArray[Any] | None = None,
) -> Callable[[int], ByWorst]:
    """What gives the dollars of a code, from 0 to size - 1, by the grade of the loan;
    `amounts` by loan_id in place of the records' book value.
    """
    book = dollars(reader, "book_value") if amounts is None else amounts
    grade = columns.words(reader, columns.GRADE)
    words = grade.words
    place = code.astype(np.int64) * len(words) + grade.code[ids]
    summed = np.bincount(place, book[ids], size * len(words))
    table = summed.reshape(size, len(words))
    return lambda at: tuple(
        (words[word], int(table[at, word])) for word in np.flatnonzero(table[at])[::-1].tolist()
    )
