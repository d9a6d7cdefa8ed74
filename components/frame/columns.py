"""Columns that many lists have: how many loans, their dollars, what part of a whole these are, what
is short at refinance, how bad the worst of them is.
"""

from typing import Final, Protocol

from components.frame.ledger import Column
from components.kit import severity
from components.kit.formatting import MISSING, count, money, share
from services.contract.columns import COLUMN
from services.contract.facts import FACT

#: What `dollars_short` of several loans sums up.
LACKS: Final = (
    "Balance at maturity less the largest new loan at today's refi rate, over the loans that are "
    "short."
)


class _Counted(Protocol):
    @property
    def loans(self) -> int | None: ...


class _Valued(Protocol):
    @property
    def book_value(self) -> int | None: ...


class _Short(Protocol):
    @property
    def dollars_short(self) -> int | None: ...


class _Graded(Protocol):
    @property
    def worst(self) -> str | None: ...


class _Stressed(Protocol):
    @property
    def stressed(self) -> int: ...


def loans(*, order: bool = False, short: bool = False) -> Column[_Counted]:
    """How many loans."""
    return Column(
        "loans", "Loans", lambda one: count(one.loans), figure=True, order=order, short=short
    )


def book_value(*, order: bool = False, short: bool = False) -> Column[_Valued]:
    """Their book value, or that of a loan."""
    said = FACT["book_value"].label
    return Column(
        "book_value", said, lambda one: money(one.book_value), figure=True, order=order, short=short
    )


def share_of(
    whole: int, label: str, help_text: str | None = None, *, bar: bool = False
) -> Column[_Valued]:
    """The part of a whole that their book value is; as a `bar` too."""
    return Column(
        "share",
        label,
        lambda one: share(one.book_value or 0, whole),
        figure=True,
        help=help_text,
        bar=(lambda one: one.book_value) if bar else None,
    )


def dollars_short(
    name: str = "dollars_short",
    help_text: str | None = None,
    *,
    order: bool = False,
    short: bool = False,
    bar: bool = False,
    zero: bool = False,
) -> Column[_Short]:
    """What is short at refinance, as a `bar` too; where nothing is an em dash, with `zero` $0."""
    return Column(
        name,
        FACT["dollars_short"].label,
        lambda one: money(one.dollars_short) if one.dollars_short or zero else MISSING,
        figure=True,
        order=order,
        help=help_text,
        short=short,
        bar=(lambda one: one.dollars_short) if bar else None,
    )


def worst(*, order: bool = False, short: bool = False) -> Column[_Graded]:
    """The worst signal."""
    said, write = COLUMN["worst_severity"].label, severity.label
    return Column("worst", said, lambda one: write(one.worst), order=order, short=short)


#: Of a list of who is behind loans: their worst signal, how many are distressed, what they lack.
WORST: Final = worst(order=True, short=True)
DISTRESSED: Final = Column[_Stressed](
    "stressed",
    "Distressed loans",
    lambda one: count(one.stressed) if one.stressed else MISSING,
    figure=True,
    order=True,
    help="Loans whose worst signal is severe or critical.",
)
SHORT: Final = dollars_short(
    help_text="Over the loans that are short: balance at maturity less the largest new loan.",
    order=True,
)
