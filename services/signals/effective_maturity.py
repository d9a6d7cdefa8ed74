"""When a loan must really be refinanced, how urgent that is, and which loans need not be."""

from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.signals.amortisation import BoolArray, DateArray, FloatArray, self_amortising
from services.signals.maturity import months_between

#: `urgency_steps` beyond which a loan's rate gap is not graded at all.
NOT_URGENT: Final = 127

#: Exemptions as bits of `exemptions`.
DEFEASED: Final = 1
SELF_AMORTISING: Final = 2
PAID_OFF: Final = 4


def effective_maturity(maturity: DateArray, anticipated_repayment: DateArray) -> DateArray:
    """The anticipated repayment date where there is one, else the maturity date; NaT: neither.

    After its anticipated repayment date (Schedule AL, `hyperAmortizingDate`) a loan sweeps its
    cash flow and pays a higher rate: it is refinanced then, not decades later. A repayment date
    after maturity is a slip, and maturity counts.
    """
    earlier: DateArray = np.fmin(maturity, anticipated_repayment)  # NaT yields to a date
    return earlier.astype("datetime64[D]")


def months_to_effective_maturity(as_of: date, effective: DateArray) -> FloatArray:
    """Calendar months from `as_of`, negative past it; NaT gives NaN."""
    return months_between(as_of, effective)


def urgency_steps(
    months: FloatArray,
    *,
    full_to: float = 24,
    one_step_to: float = 36,
    two_steps_to: float = 60,
) -> NDArray[np.int8]:
    """How many steps milder a rate gap counts so many months before effective maturity.

    0 up to `full_to` months before it and any time after it, 1 up to `one_step_to`, 2 up to
    `two_steps_to`, NOT_URGENT beyond. Without a date the gap counts in full (D40).
    """
    steps = (months > full_to).astype(np.int8) + (months > one_step_to).astype(np.int8)
    return np.where(months > two_steps_to, np.int8(NOT_URGENT), steps).astype(np.int8)


def exemptions(
    *,
    balance: FloatArray,
    fully_defeased: BoolArray,
    payment_type: FloatArray,
    balloon: FloatArray,
) -> NDArray[np.int8]:
    """Why maturity, rate and refinance rules do not look at a loan, as bits; 0: they do.

    DEFEASED: Treasuries pay the loan, every property of which has status F (a portion, IP, does
    not exempt). SELF_AMORTISING: nothing is left at maturity. PAID_OFF: the balance is 0; a
    missing balance is not.
    """
    bits = np.where(fully_defeased, DEFEASED, 0)
    bits = bits + np.where(self_amortising(payment_type, balloon), SELF_AMORTISING, 0)
    return (bits + np.where(balance == 0, PAID_OFF, 0)).astype(np.int8)
