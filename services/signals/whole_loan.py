"""Whole-loan debt behind a record that may be one note of a larger loan (D22)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.signals.limits import NOTE_RATIO

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

#: From a quadrillion on a figure is a slip, not a loan; below it float64 counts dollars exactly.
BEYOND_ANY_LOAN = 1e15


@dataclass(frozen=True, slots=True, eq=False)
class WholeLoan:
    """Rows aligned to the loans; NaN is missing."""

    #: The record's own yearly debt service: what its coupon and amortisation ask, dollars.
    own_debt_service: FloatArray
    #: Yearly debt service of the whole loan, from income over DSCR, dollars.
    implied_debt_service: FloatArray
    #: The record is (or may be) one note of a larger loan.
    partial_note: BoolArray
    #: Debt that ratios to NOI and value use, whole dollars; NaN also where it cannot be known.
    debt: FloatArray
    #: Where `debt` was implied instead of reported.
    derived: BoolArray


def annual_constants(rate_pct: FloatArray, months: FloatArray) -> FloatArray:
    """Yearly debt service per dollar of debt, level monthly payments; 0 months is interest only.

    `rate_pct` is a percent figure. NaN where an input is missing or `months` is negative.
    """
    rate = rate_pct / 1200
    with np.errstate(all="ignore"):
        level = np.where(rate == 0, 12 / months, -12 * rate / np.expm1(-months * np.log1p(rate)))
    constant = np.where(months == 0, rate_pct / 100, level)
    return np.where(months >= 0, constant, np.nan)


def whole_loan(
    *,
    book_value: FloatArray,
    original_amount: FloatArray,
    interest_rate: FloatArray,
    amortization_months: FloatArray,
    default_amortization_months: FloatArray,
    income: FloatArray,
    dscr: FloatArray,
    noted: BoolArray,
) -> WholeLoan:
    """Tell whole loans from notes, and imply the whole-loan debt of notes where that is possible.

    A record is a note where `noted` (its structure code says so), or where income / DSCR exceeds
    1.2 x its own annual debt service (D22). Two deviations from D22, which takes balance x
    coupon as the own debt service of every loan: an amortising loan pays its annual constant
    (at 4 % over 30 years 1.43 x the coupon, which would flag every such loan), and pays it on the
    original amount where that is reported (after ten years the payment is 1.27 x the constant of
    the balance that is left). Where the amortisation is unknown, the flag is measured against the
    type's usual amortisation, so that it errs towards "whole", and no whole-loan debt is implied.

    Implied whole-loan debt = book value x implied / own debt service, the same as implied debt
    service / (own debt service / balance), and never less than the book value.
    """
    missing = np.isnan(amortization_months)
    months = np.where(missing, default_amortization_months, amortization_months)
    paying = np.where(months > 0, np.fmax(book_value, np.nan_to_num(original_amount)), book_value)
    with np.errstate(all="ignore"):
        constants = annual_constants(interest_rate, months)
        own = np.where(book_value > 0, paying * constants, np.nan)
        implied = np.where((income > 0) & (dscr > 0), income / dscr, np.nan)
        ratio = np.where(own > 0, np.round(implied / own, 9), np.nan)
        whole = np.round(np.fmax(book_value * ratio, book_value))
    partial = noted | (ratio > NOTE_RATIO)
    usable = np.isfinite(ratio) & (whole < BEYOND_ANY_LOAN) & ~missing
    debt = np.where(partial, np.where(usable, whole, np.nan), book_value)
    return WholeLoan(
        own_debt_service=np.where(missing, np.nan, own),
        implied_debt_service=implied,
        partial_note=partial,
        debt=debt,
        derived=partial & usable & ~np.isnan(debt),
    )
