"""Floating loans of a scenario: coupons and coverage now, in it, and once bought caps expire."""

from collections.abc import Callable
from typing import Final

from components.kit import tables, text
from components.kit.formatting import MISSING, count, loan_count, money, multiple, percent
from components.what_if.view import Number
from services.contract.aggregates import Share
from services.contract.scenario import THIN_COVERAGE, FloatingLoans, FloatingStage


def table(found: FloatingLoans, number: Number) -> None:
    """The table, under how many loans it is of."""
    stages = {
        "Now": found.now,
        "Then": found.then,
        "Caps expired": found.uncapped,
    }
    tables.sheet(
        [
            {"Floating loans": name, **{head: write(stage) for head, stage in stages.items()}}
            for name, write in _ROWS.items()
        ],
        f"Floating loans in scenario {number}",
    )
    text.caption(
        f"{loan_count(found.loans)}, {money(found.book_value)}. Coupon: what the borrower pays "
        "after a bought cap, weighted by book value; else loans and their book value. Caps "
        "expired: in the scenario, without the caps that borrowers have bought. A loan without a "
        "DSCR of a period since it was made counts as neither."
    )


def _coupon(stage: FloatingStage) -> str:
    return MISSING if stage.coupon is None else percent(stage.coupon)


def _share(of: Callable[[FloatingStage], Share]) -> Callable[[FloatingStage], str]:
    def write(stage: FloatingStage) -> str:
        share = of(stage)
        return f"{count(share.loans)} · {money(share.book_value)}"

    return write


_ROWS: Final = {
    "Coupon": _coupon,
    f"DSCR under {multiple(THIN_COVERAGE)}": _share(lambda stage: stage.thin),
    f"of which under {multiple(1)}": _share(lambda stage: stage.uncovered),
    "At the floor": _share(lambda stage: stage.at_floor),
    "At a cap": _share(lambda stage: stage.at_cap),
}
