"""Which loans must be refinanced, and when: horizons by the calendar, from the book's as-of date,
and what is left out.

A loan counts in maturities and dollars short where it owes a balance that somebody has to
refinance, on its effective maturity. The column `exemption` says why one does not; it is null for
those that count.
"""

from typing import Final

from .records import Record

#: Why a loan is in no maturity figure and has no dollars short, the first that holds.
EXEMPT: Final = ("without a balance", "defeased in full", "REO", "repaid by its schedule")
#: Horizons by their last month, counting in; the first is of loans past their effective maturity at
#: the date of their own source.
PAST: Final = "past maturity"
#: Of loans that fell due between the date of their source and that of the book: what became of them
#: is not known. Only where there are any, after the first (D212).
SINCE: Final = "fell due after its source's date"
UNDATED: Final = "no maturity date"
ENDS: Final = (12, 24, 60)
HORIZONS: Final = (
    PAST,
    "within 12 months",
    "13 to 24 months",
    "25 to 60 months",
    "later",
    UNDATED,
)


class Horizon(Record):
    """The loans that must be refinanced within one of HORIZONS."""

    word: str
    loans: int
    book_value: int
    #: Dollars short at refinance, over the loans that are short.
    dollars_short: int
    short_loans: int


class LeftOut(Record):
    """Loans that nobody refinances, by why: a word of EXEMPT."""

    word: str
    loans: int
    book_value: int
