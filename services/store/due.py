"""When loans must be refinanced, by loan_id: effective maturity, of those alone that owe it.

What no maturity figure counts is decided once, in the column `exemption` (contract/maturities.py).
"""

from typing import Final

import numpy as np

from services.contract.aggregates import Share
from services.contract.maturities import ENDS, EXEMPT, HORIZONS, SINCE, Horizon, LeftOut
from services.contract.months import months_after

from . import columns, notes
from .columns import Figures, Flags
from .database import Ids
from .reader import Reader

#: Horizons by their places in `horizon`.
PLACES: Final = (*HORIZONS, SINCE)
#: Loans that owe something, and for which the trust does not hold Treasuries, as SQL.
LIVE: Final = "exemption IS NULL OR exemption NOT IN ('without a balance', 'defeased in full')"
#: The same in the order in which they are listed.
_LISTED: Final = (HORIZONS[0], SINCE, *HORIZONS[1:])


def days(reader: Reader) -> Figures:
    """Effective maturity as days since 1970; NaN without one, and for loans that nobody
    refinances.
    """

    def make() -> Figures:
        found = columns.figures(reader, "effective_maturity")
        return np.where(columns.words(reader, "exemption").code >= 0, np.nan, found)

    return reader.column("due", make)


def within(reader: Reader, months: int) -> Flags:
    """Due from the as-of date on, up to the same day that many months later."""
    return soon(reader, days(reader), months)


def soon(reader: Reader, days: Figures, months: int) -> Flags:
    """Which days, since 1970, lie from the as-of date on, up to the same day that many months
    later.
    """
    found: Flags = (days >= day(reader)) & (days <= day(reader, months))
    return found


def share(reader: Reader, ids: Ids, months: int) -> Share:
    """Those of some loans that are due within so many months."""
    due = ids[within(reader, months)[ids]]
    book = notes.dollars(reader, "book_value")[due]
    return Share(loans=notes.loans(reader, due), book_value=columns.total(book))


def fell_due(reader: Reader) -> Flags:
    """Due from the date of its source on, but before that of the book."""
    due = days(reader)
    found: Flags = (due >= columns.figures(reader, "as_of")) & (due < day(reader))
    return found


def listed(reader: Reader, ids: Ids) -> list[tuple[int, str]]:
    """Place and word of each horizon, SINCE only where some of these loans are in it."""
    some = fell_due(reader)[ids].any()
    return [(PLACES.index(word), word) for word in _LISTED if some or word != SINCE]


def horizon(reader: Reader) -> Ids:
    """Place of each loan in PLACES; -1 for loans that nobody refinances."""

    def make() -> Ids:
        due = days(reader)
        ends = [day(reader, months) for months in (0, *ENDS)]
        place = np.searchsorted(ends[1:], due, side="left") + 1
        found = np.select(
            [np.isnan(due), fell_due(reader), due < ends[0]],
            [len(HORIZONS) - 1, PLACES.index(SINCE), 0],
            place,
        )
        exempt = columns.words(reader, "exemption").code >= 0
        return np.where(exempt, -1, found).astype(np.int32)

    return reader.column("horizon", make)


def by_horizon(reader: Reader, ids: Ids) -> tuple[Horizon, ...]:
    """Some loans by horizon, all of HORIZONS in their order, and SINCE where some are in it."""
    book = notes.dollars(reader, "book_value")[ids]
    short = notes.dollars(reader, "dollars_short")[ids]
    place = horizon(reader)[ids]
    found = []
    for at, word in listed(reader, ids):
        here = place == at
        found.append(
            Horizon(
                word=word,
                loans=notes.loans(reader, ids[here]),
                book_value=columns.total(book[here]),
                dollars_short=columns.total(short[here]),
                short_loans=notes.loans(reader, ids[here & (short > 0)]),
            )
        )
    return tuple(found)


def left_out(reader: Reader, ids: Ids) -> tuple[LeftOut, ...]:
    """Those of some loans that nobody refinances, by why; reasons that none has are left out."""
    why = columns.words(reader, "exemption")
    code = why.code[ids]
    book = notes.dollars(reader, "book_value")[ids]
    found = []
    for word in sorted(why.words, key=EXEMPT.index):
        here = code == why.words.index(word)
        if here.any():
            loans = notes.loans(reader, ids[here])
            found.append(LeftOut(word=word, loans=loans, book_value=columns.total(book[here])))
    return tuple(found)


def day(reader: Reader, months: int = 0) -> int:
    """The as-of date, or the same day that many months later, as days since 1970."""
    return columns.days_since_1970(months_after(reader.snapshot.as_of, months))
