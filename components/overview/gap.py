"""How far today's refi rates are above the coupons of the book: classes of the rate gap."""

from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import Final

from components.frame import bars, scope, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOANS
from components.kit import fields
from components.kit.card import opening
from components.kit.formatting import count, fixed, money, share
from services.contract.aggregates import FigureClass
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens

#: Basis points: the limits of RP-1 among them.
ENDS: Final = (-100.0, 0.0, 50.0, 100.0, 200.0, 300.0, 400.0)
_LEAST: Final = Decimal("1e-9")
_KEY: Final = "gap"
_COLOUR: Final = "#5b84b1"


def gap() -> None:
    """Book value by class of the gap, as bars and as a table; each leads to its loans."""
    found = session.ask(Screens.loan_classes, LoanFilter(scope=scope.chosen()), "rate_gap_bp", ENDS)
    bars.bars(
        [
            bars.Bar(
                label(one),
                {_KEY: one.book_value},
                [f"{money(one.book_value)}, {count(one.loans)} loans"],
                (LOANS, params(one)),
            )
            for one in found
        ],
        {_KEY: bars.Look(_COLOUR)},
        key=_KEY,
        caption="Book value by the gap of the refi rate over the coupon; the same figures stand in "
        "the table below",
        height=250,
    )
    whole = sum(one.book_value for one in found)
    opening("The same as a table", "gap_as_table", partial(_table, found, whole))


def _table(found: Sequence[FigureClass], whole: int) -> None:
    ledger(
        (
            Column("gap", "Refi rate less coupon", label),
            Column("loans", "Loans", lambda one: count(one.loans), figure=True),
            Column("book_value", "Book value", lambda one: money(one.book_value), figure=True),
            Column(
                "share",
                "Of the book",
                lambda one: share(one.book_value, whole),
                figure=True,
                bar=lambda one: one.book_value,
            ),
            Column(
                "short",
                fields.label("dollars_short"),
                lambda one: money(one.dollars_short),
                figure=True,
            ),
        ),
        found,
        opens=lambda one: (LOANS, params(one)),
        key="gap_table",
        caption="Loans by gap to the refi rate",
    )


def label(one: FigureClass) -> str:
    """A class in words: 100 to 200 bp."""
    if one.low is None and one.high is None:
        return "not known"
    if one.low is None:
        return f"under {_points(one.high)} bp"
    if one.high is None:
        return f"{_points(one.low)} bp or more"
    return f"{_points(one.low)} to {_points(one.high)} bp"


def _points(value: float | None) -> str:
    return fixed(value or 0)


def params(one: FigureClass) -> dict[str, str]:
    """The filters that find the loans of a class; of those without a gap there is none."""
    found = {"order": "-rate_gap_bp"}
    if one.low is not None:
        found["min_gap"] = f"{one.low:g}"
    if one.high is not None:
        # Bounds of filters count in, the upper end of a class does not; gaps have nine decimals.
        found["max_gap"] = format(Decimal(str(one.high)) - _LEAST, "f")
    return found
