"""What a trust has out on a loan: its scheduled balance and the advances of its servicers.

Servicers advance payments that a borrower misses, taxes, insurance and what it costs to protect a
property; they are repaid before anyone else. So the debt of a loan in trouble is its exposure, not
its balance.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from services.contract.disposition import COST_OF_SALE
from services.contract.loan_figures import LENT_ON_VALUE
from services.signals.amortisation import BoolArray, DateArray, FloatArray
from services.signals.debt_due import short_of
from services.signals.maturity import AsOf, months_between
from services.signals.whole_loan_debt import WholeLoanDebt


@dataclass(frozen=True, slots=True, eq=False)
class TrustExposure:
    """Dollars, aligned to the loans; NaN is missing."""

    #: 30 days late or more, in special servicing or REO, and not defeased: where LTV is of
    #: exposure, as far as that is known.
    troubled: BoolArray
    #: Of the record: scheduled balance and advances; NaN where no advance is stated, not even 0.
    amount: FloatArray
    #: What the exposure of the whole loan is over its debt, of a loan in trouble; else 0.
    over_debt: FloatArray
    #: Computed appraisal reduction: what nine tenths of the value leave uncovered of the record.
    reduction: FloatArray
    #: What the value, less the cost of a sale, leaves uncovered of it.
    expected_loss: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Advanced:
    """What filings state of the record, dollars; NaN is not stated."""

    scheduled_balance: FloatArray
    payments: FloatArray
    taxes: FloatArray
    other: FloatArray

    @classmethod
    def of(cls, figures: Callable[[str], FloatArray]) -> "Advanced":
        """From the facts, which `figures` gives by their names."""
        names = ("scheduled_balance", "payment_advances", "tax_advances", "other_advances")
        return cls(*map(figures, names))


def months_unpaid(paid_through: DateArray, as_of: AsOf, late: BoolArray) -> FloatArray:
    """Whole months since the last payment that was made in full; NaN for loans that are not late,
    whose next payment may not be due yet.
    """
    since = np.maximum(np.floor(-months_between(as_of, paid_through)), 0)
    return np.where(late, since, np.nan)


@np.errstate(all="ignore")
def trust_exposure(
    advanced: Advanced,
    whole: WholeLoanDebt,
    balance: FloatArray,
    value: FloatArray,
    *,
    late: BoolArray,
    special: BoolArray,
    reo: BoolArray,
    defeased: BoolArray,
) -> TrustExposure:
    """The exposure of each loan, and what a sale at its `value` would leave of it.

    `balance` is the record's book value; `late` is a payment status of 30 days or more. Notes of
    one loan are paid alike, so that the trusts of the others have advanced as much on each dollar;
    taxes and expenses are those of the property, advanced once.
    """
    each = (advanced.payments, advanced.taxes, advanced.other)
    stated = ~np.isnan(each[0]) | ~np.isnan(each[1]) | ~np.isnan(each[2])
    payments, taxes, other = (np.nan_to_num(one) for one in each)
    scheduled = np.where(np.isnan(advanced.scheduled_balance), balance, advanced.scheduled_balance)
    own = np.where(stated & (balance > 0), scheduled + payments + taxes + other, np.nan)
    through, all_ranks = (
        debt * (scheduled + payments) / balance + taxes + other
        for debt in (whole.rank_debt, whole.debt)
    )
    before = np.where(whole.junior, np.maximum(through - own, 0.0), 0.0)
    troubled = (late | special | reo) & ~defeased
    counts = troubled & ~np.isnan(own)

    def uncovered(part: float) -> FloatArray:
        short = short_of(own, before=before, through=through, proceeds=part * value)
        return np.where(counts, short, np.nan)

    return TrustExposure(
        troubled=troubled,
        amount=own,
        # What is owed is never less than the balance.
        over_debt=np.where(counts, np.fmax(all_ranks - whole.debt, 0.0), 0.0),
        reduction=uncovered(LENT_ON_VALUE),
        expected_loss=uncovered(1 - COST_OF_SALE),
    )
