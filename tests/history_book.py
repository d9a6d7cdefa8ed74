"""A small made-up book of several dates, typed by hand: what a history shows is counted from it.

Deal one files monthly from January to July 2024 but for April; its loan L1 goes into special
servicing in March and is liquidated with a loss in July. Deal two files until June and has no May;
its loan M1 pays, in special servicing from March on.
Sponsor LP stands behind L1 and L2 of deal one and M1 of deal two. Names of files and a tenant's
name are hostile.
"""

from datetime import date
from typing import NamedTuple

from services.contract import disposition
from services.rates.reference import Quote, ReferenceRates
from tests.world import Sketch, info_of

FAMILY = "Sponsor LP"
#: Words that would be markup, a formula or a placeholder wherever they are read as such.
HOSTILE = '<b>x</b> %{y} {0} $1M$ [a](b) "q"'


class Filed(NamedTuple):
    """What deal one says of L1 on one date."""

    balance: int
    status: str
    special: bool
    dscr: float | None
    noi: int | None
    income: tuple[date, date] | None
    occupancy: float


_YEAR = (date(2023, 1, 1), date(2023, 12, 31))
_QUARTER = (date(2024, 1, 1), date(2024, 3, 31))
L1 = {
    date(2024, 1, 31): Filed(10_000_000, "0", False, 1.40, 900_000, _YEAR, 0.90),
    date(2024, 2, 29): Filed(9_990_000, "1", False, 1.40, 900_000, _YEAR, 0.90),
    date(2024, 3, 31): Filed(9_980_000, "3", True, 1.40, 900_000, _YEAR, 0.75),
    date(2024, 5, 31): Filed(9_980_000, "3", True, 0.80, 520_000, _QUARTER, 0.75),
    date(2024, 6, 30): Filed(9_980_000, "3", True, 0.80, 520_000, _QUARTER, 0.75),
    date(2024, 7, 31): Filed(0, "0", False, None, None, None, 0.75),
}
L2 = dict.fromkeys(L1, 4_000_000) | {date(2024, 7, 31): 3_900_000}
LOSS = 2_500_000
M1 = {date(2024, month, 15): 6_000_000 for month in (2, 3, 4, 6)}
#: A quote for each month, so that every date has a rate of its own.
RATES = ReferenceRates(
    "test",
    tuple(
        Quote(series, date(2024, month, 10), percent)
        for month in range(1, 8)
        for series, percent in (("DGS5", 4.0), ("DGS7", 4.25), ("DGS10", 4.5))
    ),
)


def file_name(day: date) -> str:
    """The hostile name of a file of deal one."""
    return f"one {day} {HOSTILE}.xml"


def _owned(s: Sketch, number: str) -> None:
    s.tie(number, "borrower", f"Borrower of {number}", 0.95)
    s.party(FAMILY, "sponsor")
    s.link(f"Borrower of {number}", "owned_by", FAMILY, 0.95)


def one(day: date):
    """Deal one as of a date."""
    s = Sketch(info_of("one", day, files=(file_name(day),), sha256=(f"{day}",), title="Deal one"))
    filed = L1[day]
    over = filed.balance == 0
    start, end = filed.income or (None, None)
    s.loan(
        "L1",
        book_value=filed.balance,
        property_name=HOSTILE,
        payment_status=filed.status,
        special_servicing_since=date(2024, 3, 1) if filed.special else None,
        dscr=filed.dscr,
        noi=filed.noi,
        income_basis="NOI, as filed",
        income_from=start,
        income_to=end,
        occupancy=filed.occupancy,
        value=16_000_000,
        underwritten_dscr=1.60,
        disposition=disposition.LIQUIDATED if over else disposition.OUTSTANDING,
        realized_loss=LOSS if over else None,
    )
    s.lease("L1", f"{HOSTILE} {'A' if day < date(2024, 3, 1) else 'B'}", 10_000, None)
    s.loan("L2", book_value=L2[day], dscr=2.0, payment_status="0")
    s.loan("alone", book_value=1_000_000, payment_status="0")
    for number in ("L1", "L2"):
        _owned(s, number)
    return s.portfolio()


def two(day: date):
    """Deal two as of a date."""
    s = Sketch(
        info_of("two", day, files=(f"two {day}.xml",), sha256=(f"2{day}",), title="Deal two")
    )
    since = date(2024, 3, 1) if day > date(2024, 3, 1) else None
    s.loan("M1", book_value=M1[day], dscr=1.0, payment_status="0", special_servicing_since=since)
    _owned(s, "M1")
    return s.portfolio()


def portfolios():
    """Every filing, in no order of time."""
    return [two(day) for day in reversed(M1)] + [one(day) for day in L1]
