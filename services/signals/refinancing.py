"""What refinancing a loan at today's rate would take: debt service, coverage, proceeds, gap.

All figures rest on the balance at maturity of the whole loan, not on today's balance, and on the
annual constant of the refi rate, not on DSCR x coupon / refi rate: on an amortising loan that
ratio mixes principal with interest. Amounts are dollars, rates percent figures; NaN is missing.
Arrays of one length, or scalars and 2-D grids that broadcast.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.contract.loan_figures import CONSTRAINTS, Sensitivity
from services.contract.sizing import Sized
from services.signals.amortisation import BoolArray, FloatArray, annual_constant

#: Grid of `sensitivity`: shifts of the refi rate in basis points, falls of income as fractions.
RATE_SHIFTS_BP: Final = (-100, -50, 0, 50, 100, 150, 200)
INCOME_FALLS: Final = (0.0, 0.05, 0.10, 0.15, 0.20)

#: Newton's steps from above on a convex curve: five give a basis point, twelve all digits.
_STEPS: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class ByConvention:
    """One figure in both conventions of the new loan's payments."""

    interest_only: FloatArray
    amortising: FloatArray

    def graded(self, pays_interest_only: BoolArray) -> FloatArray:
        """The figure that is graded: that of how the loan pays now."""
        return np.where(pays_interest_only, self.interest_only, self.amortising)


def refi_constants(
    refi_rate: FloatArray, amortisation_months: FloatArray, day_count: FloatArray | float = 1.0
) -> ByConvention:
    """Yearly debt service per dollar of a new loan.

    `amortisation_months` are the property type's; `day_count` is the year's interest over rate x
    balance (`amortisation.day_count_factor` of the loan, so that old and new compare like with
    like) and moves the interest-only figure alone. NaN for a rate not above zero.
    """
    rate = np.where(refi_rate > 0, refi_rate, np.nan)
    return ByConvention(rate / 100 * day_count, annual_constant(rate, amortisation_months))


def refi_debt_service(at_maturity: FloatArray, constants: ByConvention) -> ByConvention:
    """A year's debt service of a new loan over the balance at maturity, dollars."""
    return ByConvention(at_maturity * constants.interest_only, at_maturity * constants.amortising)


def proforma_dscr(ncf: FloatArray, service: FloatArray) -> FloatArray:
    """Annual NCF / refi debt service; negative for negative income, NaN where none is due."""
    return ncf / np.where(service > 0, service, np.nan)


def required_noi(service: FloatArray, min_dscr: FloatArray) -> FloatArray:
    """Annual income that carries the refi debt service at the type's minimum DSCR, dollars."""
    return service * min_dscr


def payment_shock(service: FloatArray, own_debt_service: FloatArray) -> FloatArray:
    """Payment shock, the rise of the debt service, fraction: refi over own, less one.

    Like with like: interest only against interest only, amortising against amortising, by how the
    loan pays now (`ByConvention.graded` against `amortisation.debt_service_now`, both of the
    whole loan or both of the record).
    """
    return service / np.where(own_debt_service > 0, own_debt_service, np.nan) - 1


def break_even_rate(
    ncf: FloatArray,
    at_maturity: FloatArray,
    amortisation_months: FloatArray,
    day_count: FloatArray | float = 1.0,
) -> ByConvention:
    """The refi rate at which the pro-forma DSCR is 1.00x, percent figure.

    NaN for income or balance not above zero; in the amortising convention also where income does
    not cover principal alone, so that no rate is low enough.
    """
    with np.errstate(all="ignore"):
        constant = np.where((ncf > 0) & (at_maturity > 0), ncf / at_maturity, np.nan)
        coverable = np.where(constant > 12 / amortisation_months, constant, np.nan)
    return ByConvention(100 * constant / day_count, _rate_of(coverable, amortisation_months))


def _rate_of(constant: FloatArray, months: FloatArray) -> FloatArray:
    """The rate whose annual constant is `constant`, by Newton's method from above."""
    rate = 100 * constant  # a constant is at least its rate
    for _ in range(_STEPS):
        step = np.maximum(rate * 1e-6, 1e-9)
        here = annual_constant(rate, months)
        slope = (annual_constant(rate + step, months) - here) / step
        rate = np.maximum(rate - (here - constant) / slope, 0.0)
    return rate


@dataclass(frozen=True, slots=True, eq=False)
class MaxProceeds:
    """What a new lender would lend, dollars; a constraint that lacks an input is NaN."""

    by_dscr: FloatArray
    by_debt_yield: FloatArray
    by_ltv: FloatArray
    #: The least of those known; NaN where `by_dscr` is: the rate must have its say.
    amount: FloatArray
    #: Index into CONSTRAINTS, the first of a tie; -1 where `amount` is NaN.
    binding: NDArray[np.int8]


def max_proceeds(
    noi: FloatArray,
    cash: FloatArray,
    *,
    constant: FloatArray,
    min_dscr: FloatArray,
    min_debt_yield: FloatArray,
    max_ltv: FloatArray,
    value: FloatArray,
) -> MaxProceeds:
    """min(NCF / min DSCR / constant, NOI / min debt yield, max LTV x value).

    `noi` and `cash` are annual; `cash` is NCF, or NOI where none is filed. `constant` is that of
    the refi rate over the type's amortisation, `min_debt_yield` a percent figure, `max_ltv` a
    fraction, `value` dollars. Income not above zero carries no debt. A value or debt yield that is
    missing constrains nothing.
    """
    income, covers = np.maximum(noi, 0), np.maximum(np.where(np.isnan(noi), np.nan, cash), 0)
    by_dscr = covers / _above_zero(min_dscr) / _above_zero(constant)
    by_debt_yield = income / (_above_zero(min_debt_yield) / 100)
    lent_on_value = _above_zero(max_ltv) * np.where(income > 0, _above_zero(value), 0.0)
    by_ltv = np.where(np.isnan(income), np.nan, lent_on_value)
    each = np.stack(np.broadcast_arrays(by_dscr, by_debt_yield, by_ltv))
    amount = np.where(np.isnan(by_dscr), np.nan, np.fmin.reduce(each))
    least = np.argmin(np.where(np.isnan(each), np.inf, each), axis=0)
    binding = np.where(np.isnan(amount), -1, least).astype(np.int8)
    return MaxProceeds(by_dscr, by_debt_yield, by_ltv, amount, binding)


def refinance_gap(at_maturity: FloatArray, proceeds: FloatArray) -> FloatArray:
    """(Balance at maturity - max proceeds) / balance at maturity, fraction; negative: a surplus.

    NaN where nothing is left to refinance. In dollars: the fraction x the balance at maturity, of
    the whole loan, or of the record for the trust's share.
    """
    return 1 - proceeds / np.where(at_maturity > 0, at_maturity, np.nan)


def sensitivity(
    *,
    at_maturity: float | None,
    ncf: float | None,
    noi: float | None,
    refi_rate: float | None,
    amortisation_months: int,
    min_dscr: float,
    min_debt_yield: float,
    interest_only: bool,
    day_count: float = 1.0,
    max_ltv: float | None = None,
    value: float | None = None,
    rate_shifts_bp: tuple[float, ...] = RATE_SHIFTS_BP,
    income_falls: tuple[float, ...] = INCOME_FALLS,
) -> Sensitivity:
    """Pro-forma DSCR and refinance gap of one loan over shifts of the rate and falls of NOI.

    None is missing. `interest_only` chooses the convention of the DSCR; proceeds are always sized
    on the amortising constant. NCF falls by the dollars that NOI loses (reserves stay), by its own
    share where NOI is missing; income below zero falls further below. The value stays as given.
    """
    due, cash, income = (_scalar(figure) for figure in (at_maturity, ncf, noi))
    falls = np.array(income_falls)[:, np.newaxis]
    rates = np.round(_scalar(refi_rate) + np.array(rate_shifts_bp, dtype=np.float64) / 100, 9)
    rates = np.where(rates > 0, rates, np.nan)
    months = np.full(rates.shape, float(amortisation_months))
    constants = refi_constants(rates, months, day_count)
    service = refi_debt_service(np.asarray(due), constants)
    lost = falls * abs(cash if math.isnan(income) else income)
    sized = max_proceeds(
        income - lost,
        cash - lost,
        constant=constants.amortising,
        min_dscr=np.asarray(min_dscr),
        min_debt_yield=np.asarray(min_debt_yield),
        max_ltv=np.asarray(_scalar(max_ltv)),
        value=np.asarray(_scalar(value)),
    )
    gap = refinance_gap(np.asarray(due), sized.amount)
    chosen = service.graded(np.asarray(interest_only))
    return Sensitivity(
        rate_shifts_bp=rate_shifts_bp,
        rates=rates,
        income_falls=np.array(income_falls),
        dscr=proforma_dscr(cash - lost, chosen),
        gap=gap,
        gap_usd=gap * due,
    )


def size_loan(
    noi: float | None,
    ncf: float | None = None,
    *,
    rate: float | None = None,
    amortisation_months: int = 360,
    min_dscr: float | None = None,
    min_debt_yield: float | None = None,
    max_ltv: float | None = None,
    cap_rate: float | None = None,
) -> Sized:
    """`max_proceeds` of one property, its value being NOI / cap rate; rates are percent figures.

    None and limits not above zero are missing; the amount is the least of what can be computed.
    Without `ncf` its DSCR is on NOI. `amortisation_months` 0 sizes interest only.
    """
    income = np.array([_scalar(noi)])
    cash = np.array([_scalar(noi if ncf is None else ncf)])
    cap = _above_zero(np.array([_scalar(cap_rate)]))
    constant = annual_constant(np.array([_scalar(rate)]), np.array([float(amortisation_months)]))
    sized = max_proceeds(
        income,
        cash,
        constant=constant,
        min_dscr=np.array([_scalar(min_dscr)]),
        min_debt_yield=np.array([_scalar(min_debt_yield)]),
        max_ltv=np.array([_scalar(max_ltv)]),
        value=np.fmax(income, 0) / (cap / 100),
    )
    dscr, debt_yield, ltv = (
        _known(one) for one in (sized.by_dscr, sized.by_debt_yield, sized.by_ltv)
    )
    each = (dscr, debt_yield, ltv)
    amount = min((one for one in each if one is not None), default=None)
    binding = None if amount is None else CONSTRAINTS[each.index(amount)]
    return Sized(dscr, debt_yield, ltv, amount, binding)


def _above_zero(figures: FloatArray) -> FloatArray:
    return np.where(figures > 0, figures, np.nan)


def _scalar(figure: float | None) -> float:
    return math.nan if figure is None else figure


def _known(figure: FloatArray) -> float | None:
    value = float(figure[0])
    return None if math.isnan(value) else value
