"""Income of a period of any length: what its days are, and what a year of it would be.

A servicer reports the year to date, so half of all filed statements cover a part of a year. DSCR
needs no annualising, as NCF and debt service are of the same months; NOI does.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from services.contract.loan_dates import INCOME_STALE_MONTHS
from services.contract.vocabulary import SEVERITIES
from services.signals.amortisation import BoolArray, DateArray, FloatArray
from services.signals.maturity import AsOf, months_between

#: Days, first and last included, of a period that is a year: filers date a year's statement from
#: 1 January, from the 31 December before it, or from a month of 28 to 31 days earlier.
YEAR_DAYS: Final = (360, 371)
#: Two amounts of debt service are the same within this: rounding, and months of unequal length.
_NEAR: Final = 0.10
_DAYS_A_MONTH: Final = 365.25 / 12


def period_days(start: DateArray, end: DateArray) -> FloatArray:
    """Days from `start` to `end`, both included; NaN where one is missing or they are reversed."""
    days = (end.astype("datetime64[D]") - start.astype("datetime64[D]")).astype(np.int64) + 1.0
    return np.where(np.isnat(start) | np.isnat(end) | (days < 1), np.nan, days)


def period_months(days: FloatArray) -> FloatArray:
    """Length of a period to the nearest month; NaN stays."""
    return np.round(days / _DAYS_A_MONTH)


def room_to_fall(noi: FloatArray, cash: FloatArray, dscr: FloatArray) -> FloatArray:
    """The part of NOI that can be lost before DSCR is 1.00x, fraction; negative under that.

    `cash` is the income that the DSCR is of, NCF or NOI: reserves stay as they are. NaN without a
    NOI above zero.
    """
    return cash * (1 - 1 / dscr) / np.where(noi > 0, noi, np.nan)


def markup(underwritten: FloatArray, trailing: FloatArray) -> FloatArray:
    """By how much underwritten NOI is over trailing NOI, fraction; NaN where one is not above 0."""
    then, now = (np.where(one > 0, one, np.nan) for one in (underwritten, trailing))
    return then / now - 1


def income_is_stale(as_of: AsOf, end: DateArray) -> BoolArray:
    """Where a filed period ended more than 12 months ago; False without a day."""
    old: BoolArray = months_between(as_of, end) < -INCOME_STALE_MONTHS
    return old


def before_loan(end: DateArray, originated: DateArray) -> BoolArray:
    """Where a filed period ended before its loan was made: what the property earned under another
    loan, and no income in place. False where one of the two days is missing.
    """
    earlier: BoolArray = end < originated
    return earlier


def worst_carried(
    months: FloatArray, seasonal: BoolArray, before: BoolArray, part_year: Mapping[str, float]
) -> FloatArray:
    """Index in SEVERITIES of the worst that income of so many months carries (`Limits.part_year`).

    A trade that earns by the season counts as the shortest period until it has a full one, and so
    does income of before the loan, however long its period. NaN carries all: underwriting, a
    period without dates, amounts of a year.
    """
    elevated, severe = (SEVERITIES.index(word) for word in ("elevated", "severe"))
    part = months < part_year["severe"]
    short = (part & (seasonal | (months < part_year["elevated"]))) | before
    return np.select([short, part], [elevated, severe], len(SEVERITIES) - 1).astype(np.float64)


def covers_a_year(days: FloatArray) -> BoolArray:
    """Where a period of so many days is a full year."""
    return (days >= YEAR_DAYS[0]) & (days <= YEAR_DAYS[1])


def annualised(
    amount: FloatArray,
    days: FloatArray,
    period_debt_service: FloatArray,
    yearly_debt_service: FloatArray,
) -> FloatArray:
    """A year of an amount of `days` days: amount x 365 / days; a full year as it is. Dollars.

    Some filers state three months with the dates of the three months but amounts of a year. Their
    debt service gives them away: where `period_debt_service` (of the statement) is within a
    tenth of `yearly_debt_service` (underwritten NCF / DSCR), the amount is a year's already.
    NaN where the amount or the days are missing. Seasonal trades (lodging) are to be marked so.
    """
    with np.errstate(all="ignore"):
        of_a_year = np.abs(period_debt_service / yearly_debt_service - 1) <= _NEAR
        scaled = amount * 365 / days
    is_yearly = covers_a_year(days) | (of_a_year & ~np.isnan(days))
    return np.where(is_yearly, amount, scaled)


def period_dscr(
    income: FloatArray, period_debt_service: FloatArray, filed: FloatArray
) -> FloatArray:
    """DSCR of a filed period: as filed, else income / debt service of the same months.

    Negative for negative income. NaN without either, and for a debt service not above zero.
    """
    service = np.where(period_debt_service > 0, period_debt_service, np.nan)
    return np.where(np.isnan(filed), income / service, filed)


def is_before_reserves(noi: FloatArray, ncf: FloatArray) -> BoolArray:
    """Where what is filed as NCF is NOI: equal to the cent, so that no reserves are taken."""
    same: BoolArray = np.round(noi, 2) == np.round(ncf, 2)
    return same
