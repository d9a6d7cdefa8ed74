"""Income of a loan: which period's NOI, NCF and DSCR count, and of which properties.

Most recent where it covers a full year, else underwritten; NCF where reported, else NOI: what a
lender sizes a loan on. DSCR and its numerator are always of one period.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Literal

from services.importers.base import Facts

Period = Literal["most_recent", "underwritten"]

#: Days from first to last of statements that count as a year: neither half of one nor 18 months.
FULL_YEAR_DAYS: Final = (360, 400)
#: DSCR codes of statements that cover every property; A, P, W and N do not.
_COMPLETE_STATEMENTS: Final = (None, "C", "F")
_MONTHS: Final = "JanFebMarAprMayJunJulAugSepOctNovDec"


@dataclass(frozen=True, slots=True)
class Income:
    """Annual figures of one period. `basis` reads "NCF, most recent to 30 Sep 2025"."""

    period: Period = "underwritten"
    noi: Decimal | None = None
    ncf: Decimal | None = None
    dscr: Decimal | None = None
    basis: str | None = None

    @property
    def complete(self) -> bool:
        """Whether the DSCR and its numerator are both known."""
        return self.dscr is not None and (self.noi is not None or self.ncf is not None)


def income(total: Facts, properties: Sequence[Facts], *, whole: bool) -> Income:
    """Income of a loan.

    `total` is the block that speaks for the whole loan, empty where there is none; `properties`
    are summed where it is silent; `whole` says that none of them is missing.
    The first period with a DSCR and a numerator counts, else the first with any figure.
    """
    if not whole:
        properties = ()
    periods = [_of_period(total, properties, "underwritten")]
    if (end := _full_year_end(total, properties)) is not None:
        periods.insert(0, _of_period(total, properties, "most_recent", end))
    stated = [found for found in periods if found.basis]
    return next((found for found in stated if found.complete), stated[0] if stated else Income())


def summed(properties: Sequence[Facts], key: str) -> Decimal | None:
    """Sum over all properties; None where one does not say: a partial sum is no total."""
    figures = [one.stated(key) for one in properties]
    known = [figure for figure in figures if figure is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(figures) else None


def _of_period(
    total: Facts, properties: Sequence[Facts], period: Period, end: date | None = None
) -> Income:
    noi = total.stated(f"{period}_noi") or summed(properties, f"{period}_noi")
    ncf = total.stated(f"{period}_ncf") or summed(properties, f"{period}_ncf")
    by_ncf = _ratio(total, properties, f"{period}_ncf_dscr")
    by_noi = _ratio(total, properties, f"{period}_noi_dscr")
    # A ratio with its numerator first, then a ratio alone, then an amount alone.
    order = [
        ("NCF", by_ncf, by_ncf and ncf),
        ("NOI", by_noi, by_noi and noi),
        ("NCF", by_ncf, by_ncf),
        ("NOI", by_noi, by_noi),
        ("NCF", None, ncf),
        ("NOI", None, noi),
    ]
    word, dscr = next(((word, ratio) for word, ratio, known in order if known), (None, None))
    if word is None:
        return Income(period)
    when = f"most recent to {_day(end)}" if end else "underwritten"
    return Income(period, noi, ncf, dscr, f"{word}, {when}")


def _ratio(total: Facts, properties: Sequence[Facts], key: str) -> Decimal | None:
    """DSCR of the whole loan; filers who have no block for it repeat it on every property."""
    if (stated := total.stated(key)) is not None:
        return stated
    ratios = {one.stated(key) for one in properties}
    return ratios.pop() if len(ratios) == 1 else None


def _full_year_end(total: Facts, properties: Sequence[Facts]) -> date | None:
    """Last day of the most recent statements, if they cover a year and every property."""
    blocks = [total] if total.day("most_recent_financials_end") else properties
    ends: list[date] = []
    for block in blocks:
        start = block.day("most_recent_financials_start")
        end = block.day("most_recent_financials_end")
        if start is None or end is None:
            return None
        if not FULL_YEAR_DAYS[0] <= (end - start).days <= FULL_YEAR_DAYS[1]:
            return None
        if block.text("most_recent_statements") not in _COMPLETE_STATEMENTS:
            return None
        ends.append(end)
    return min(ends, default=None)


def _day(day: date) -> str:
    month = _MONTHS[3 * day.month - 3 : 3 * day.month]  # %b would follow the machine's locale
    return f"{day.day} {month} {day.year}"
