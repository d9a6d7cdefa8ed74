"""Refinance figures of one loan, shown beside the rules and never graded (D25; RG-2 sizing)."""

import math
from dataclasses import dataclass
from typing import Final

#: The bar that a refinancing lender sets, net cash flow / debt service.
REQUIRED_DSCR: Final = 1.25


@dataclass(frozen=True, slots=True)
class RefinanceFigures:
    """Figures shown beside RP-1; None where an input is missing."""

    #: Refi rate with the shift, percent figure.
    refi_rate: float | None
    #: (Refi rate - coupon) in basis points.
    rate_gap_bp: float | None
    #: In-place DSCR that a loan needs to refinance at par, interest only: 1.25 x refi / coupon.
    required_dscr: float | None
    #: Rise of the interest bill, fraction: refi / coupon - 1.
    payment_shock: float | None
    #: Refi rate at which the in-place DSCR falls to 1.25, percent figure: DSCR x coupon / 1.25.
    break_even_rate: float | None
    #: DSCR x coupon / refi rate.
    proforma_dscr: float | None


def refinance_figures(
    coupon: float | None, refi_rate: float | None, dscr: float | None = None, shift_bp: float = 0
) -> RefinanceFigures:
    """Figures of one loan; rates are percent figures, `shift_bp` moves the refi rate.

    None, NaN and infinity are missing, as is a coupon not above zero, or a refi rate that the
    shift takes to zero.
    """
    paid = _above_zero(coupon)
    rate = _above_zero(None if refi_rate is None else round(refi_rate + shift_bp / 100, 9))
    covered = dscr if dscr is not None and math.isfinite(dscr) else None
    break_even = None if covered is None or paid is None else covered * paid / REQUIRED_DSCR
    if paid is None or rate is None:
        return RefinanceFigures(rate, None, None, None, break_even, None)
    return RefinanceFigures(
        refi_rate=rate,
        rate_gap_bp=round((rate - paid) * 100, 6),
        required_dscr=REQUIRED_DSCR * rate / paid,
        payment_shock=rate / paid - 1,
        break_even_rate=break_even,
        proforma_dscr=None if covered is None else covered * paid / rate,
    )


def _above_zero(rate: float | None) -> float | None:
    return rate if rate is not None and math.isfinite(rate) and rate > 0 else None


def annual_constant(rate_pct: float, amortization_months: int) -> float:
    """Yearly debt service per dollar of debt with level monthly payments; 0 months: interest only.

    `rate_pct` is a percent figure: 6.50 over 360 months gives 0.075848. Raises ValueError for a
    negative rate or term.
    """
    if rate_pct < 0 or amortization_months < 0:
        raise ValueError("a rate and an amortisation term cannot be negative")
    if amortization_months == 0:
        return rate_pct / 100
    rate = rate_pct / 1200
    if rate == 0:
        return 12 / amortization_months
    return 12 * rate / (1 - (1 + rate) ** -amortization_months)


@dataclass(frozen=True, slots=True)
class Proceeds:
    """What a new lender would lend, dollars; a constraint lacking an input is None."""

    by_dscr: float | None
    by_debt_yield: float | None
    by_ltv: float | None
    #: The least of the three.
    amount: float
    #: "DSCR", "debt yield" or "LTV".
    binding: str


def max_proceeds(
    noi: float | None,
    *,
    rate_pct: float | None = None,
    amortization_months: int = 360,
    min_dscr: float | None = None,
    min_debt_yield_pct: float | None = None,
    max_ltv: float | None = None,
    cap_rate_pct: float | None = None,
) -> Proceeds | None:
    """RG-2: min(NOI / DSCR / k, NOI / debt yield, LTV x NOI / cap rate), and which one binds.

    Rates, debt yield and cap rate are percent figures, `max_ltv` a fraction. None (not testable)
    without NOI or without any constraint that can be computed. A NOI not above zero carries no
    debt. Of equal constraints the first named binds.
    """
    if noi is None:
        return None
    income = max(noi, 0.0)
    by_dscr = by_debt_yield = by_ltv = None
    if rate_pct and min_dscr:
        by_dscr = income / min_dscr / annual_constant(rate_pct, amortization_months)
    if min_debt_yield_pct:
        by_debt_yield = income / (min_debt_yield_pct / 100)
    if max_ltv and cap_rate_pct:
        by_ltv = max_ltv * income / (cap_rate_pct / 100)
    named = (("DSCR", by_dscr), ("debt yield", by_debt_yield), ("LTV", by_ltv))
    known = [(name, amount) for name, amount in named if amount is not None]
    if not known:
        return None
    binding, least = min(known, key=lambda pair: pair[1])
    return Proceeds(by_dscr, by_debt_yield, by_ltv, least, binding)
