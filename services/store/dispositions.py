"""How many loans of a result stand or ended in each way, with their dollars and what was lost."""

from collections.abc import Callable, Iterable

import numpy as np

from services.contract.aggregates import Disposed
from services.contract.disposition import DEFEASED, DISPOSITIONS, ENDED, without_signal
from services.contract.schedule_al import FULL_DEFEASANCE

from . import columns, notes
from .database import Ids, Records
from .notes import ADDED, LOANS
from .reader import Reader

#: Of the whole book.
_BOOK = f"""
SELECT disposition, {LOANS} AS loans, coalesce(sum(book_value) {ADDED}, 0)::BIGINT AS book_value,
       coalesce(sum(loss) {ADDED}, 0)::BIGINT AS realized_loss,
       count(*) FILTER (WHERE loss IS NOT NULL AND whole_loan IS NULL)
           + count(DISTINCT whole_loan) FILTER (WHERE loss IS NOT NULL) AS loss_loans
FROM (SELECT *, CASE WHEN realized_loss > 0 THEN realized_loss END AS loss FROM loans) l
GROUP BY disposition
"""


def of_line(row: str) -> str:
    """The disposition of a row of `lines`, as SQL; NULL of one that owes and states none. A source
    that states no dispositions may state balances and defeasances.
    """
    return (
        f"coalesce({row}.disposition, CASE WHEN {row}.balance = 0 THEN '{ENDED}'"
        f" WHEN {row}.defeasance = '{FULL_DEFEASANCE}' THEN '{DEFEASED}' END)"
    )


def ungraded(disposition: str, write: Callable[[str], object] = repr) -> str:
    """What a loan without a signal counts as, by an expression of its disposition, as SQL."""
    each = " ".join(f"WHEN '{one}' THEN {write(without_signal(one))}" for one in DISPOSITIONS)
    return f"(CASE {disposition} {each} ELSE {write(without_signal(None))} END)"


def of_loans(reader: Reader, ids: Ids) -> tuple[Disposed, ...]:
    """Those of some loans."""
    words = columns.words(reader, "disposition")
    size = len(words.words) + 1  # the last stands for null
    code = np.where(words.code[ids] < 0, size - 1, words.code[ids])
    losses = np.maximum(notes.dollars(reader, "realized_loss")[ids], 0)
    book = notes.dollars(reader, "book_value")[ids]
    loans = notes.count(reader, ids, code, size)
    worth, lost = (np.bincount(code, one, minlength=size) for one in (book, losses))
    losing = notes.count(reader, ids[losses > 0], code[losses > 0], size)
    return _ordered(
        Disposed(
            disposition=word,
            loans=int(loans[at]),
            book_value=int(worth[at]),
            realized_loss=int(lost[at]),
            loss_loans=int(losing[at]),
        )
        for at, word in enumerate((*words.words, None))
        if loans[at]
    )


def of_book(database: Records) -> tuple[Disposed, ...]:
    """Those of all loans that a statement finds."""
    return _ordered(Disposed(**row) for row in database.records(_BOOK))


def _ordered(found: Iterable[Disposed]) -> tuple[Disposed, ...]:
    """In order of DISPOSITIONS, then the loans of which nothing is known."""
    return tuple(sorted(found, key=lambda one: [*DISPOSITIONS, None].index(one.disposition)))
