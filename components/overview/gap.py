"""How far today's refi rates are above the coupons of the book: classes of the rate gap."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from components.frame import bars, columns, scope, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOANS
from components.kit.card import opening
from components.kit.formatting import fixed, loan_count, money
from components.overview import stratification
from components.overview.stratification import Strat
from services.contract.aggregates import FigureClass
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens

#: Basis points: the limits of RP-1 among them.
ENDS: Final = (-100.0, 0.0, 50.0, 100.0, 200.0, 300.0, 400.0)
_GAP: Final = Strat("rate_gap_bp", ENDS, fixed, "gap", unit=" bp")
_KEY: Final = "gap"
_COLOUR: Final = "#5b84b1"


def gap() -> None:
    """Book value by class of the gap, as bars and as a table; each leads to its loans."""
    found = session.ask(Screens.loan_classes, LoanFilter(scope=scope.chosen()), "rate_gap_bp", ENDS)
    bars.bars(
        [
            bars.Bar(
                _label(one),
                {_KEY: one.book_value},
                [f"{money(one.book_value)}, {loan_count(one.loans)}"],
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
            Column("gap", "Refi rate less coupon", _label),
            columns.loans(),
            columns.book_value(),
            columns.share_of(whole, "Of the book", bar=True),
            columns.dollars_short("short", zero=True),
        ),
        found,
        opens=lambda one: (LOANS, params(one)),
        caption="Loans by gap to the refi rate",
    )


def _label(one: FigureClass) -> str:
    return stratification.label(one, _GAP)


def params(one: FigureClass) -> dict[str, str]:
    """The filters that find the loans of a class; of those without a gap there is none."""
    return stratification.params(one, _GAP)
