"""A pool as its prospectus shows it: loans by classes of balance, coupon, DSCR, LTV, debt yield."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import streamlit as st

from components.frame import scope, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOANS
from components.kit.card import card
from components.kit.formatting import count, money, multiple, percent, share
from services.contract.aggregates import FigureClass
from services.contract.columns import COLUMN
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens

#: A pool: of more loans a table of classes hides too much, and Explore shows them better.
MOST_LOANS: Final = 400
#: Bounds of filters count in, the upper end of a class does not.
_LEAST: Final = Decimal("1e-9")


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure, the upper ends of its classes, how an end is written, and its filters' name."""

    column: str
    ends: tuple[float, ...]
    write: Callable[[float], str]
    filter: str
    #: What the filters' unit is of the column's.
    factor: int = 1


def _whole(value: float) -> str:
    return percent(value, 0)


_FIGURES: Final = (
    _Figure("book_value", (5e6, 1e7, 2e7, 3e7, 5e7), money, "balance"),
    _Figure("interest_rate", (4.0, 5.0, 6.0, 6.5, 7.0), lambda value: percent(value, 1), "coupon"),
    _Figure("dscr", (1.0, 1.25, 1.5, 2.0), multiple, "dscr"),
    _Figure("ltv", (0.5, 0.6, 0.65, 0.7, 0.8), lambda value: _whole(100 * value), "ltv", 100),
    _Figure("debt_yield", (7.0, 8.0, 10.0, 12.0), _whole, "debt_yield"),
)


def is_pool(loans: int) -> bool:
    """Whether so many loans are shown as a pool."""
    return 0 < loans <= MOST_LOANS


def panel(loans: int) -> None:
    """The classes of each figure in a card; nothing for a book that is no pool."""
    if not is_pool(loans):
        return
    within = LoanFilter(scope=scope.chosen())
    found = {
        one: session.ask(Screens.loan_classes, within, one.column, one.ends) for one in _FIGURES
    }
    shown = [one for one in _FIGURES if any(known(part) for part in found[one])]
    with card("Stratification of the pool", level=2):
        for three in (shown[:3], shown[3:]):
            for column, one in zip(st.columns(3, gap="small"), three, strict=False):
                with column:
                    _table(one, found[one])


def known(part: FigureClass) -> bool:
    """Whether the loans of a class have the figure, and there are any."""
    return bool(part.loans) and (part.low is not None or part.high is not None)


def _table(one: _Figure, found: Sequence[FigureClass]) -> None:
    whole = sum(part.book_value for part in found)
    ledger(
        (
            Column("class", COLUMN[one.column].label, lambda part: _label(part, one)),
            Column("loans", "Loans", lambda part: count(part.loans), figure=True),
            Column(
                "share",
                "Of book value",
                lambda part: share(part.book_value, whole),
                figure=True,
                short=True,
                bar=lambda part: part.book_value,
            ),
        ),
        [part for part in found if part.loans],
        opens=lambda part: (LOANS, params(part, one)),
        key=f"strata-{one.filter}",
        caption=f"Loans by {COLUMN[one.column].label}",
    )


def _label(part: FigureClass, one: _Figure) -> str:
    """A class in words: 1.00x to 1.25x."""
    if part.low is None:
        return "not known" if part.high is None else f"under {one.write(part.high)}"
    if part.high is None:
        return f"{one.write(part.low)} or more"
    return f"{one.write(part.low)} to {one.write(part.high)}"


def params(part: FigureClass, one: _Figure) -> dict[str, str]:
    """The filters that find the loans of a class; of those without the figure there is none."""
    found = {"order": f"-{one.column}"}
    if part.low is not None:
        found[f"min_{one.filter}"] = _number(Decimal(str(part.low)) * one.factor)
    if part.high is not None:
        high = Decimal(str(part.high)) * one.factor
        found[f"max_{one.filter}"] = _number(high - (1 if one.filter == "balance" else _LEAST))
    return found


def _number(value: Decimal) -> str:
    return format(value.normalize(), "f")
