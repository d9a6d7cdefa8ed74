"""When a loan must really be refinanced, and which loans need not be."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.signals.amortisation import BoolArray, DateArray, FloatArray, self_amortising

#: Exemptions as bits of `exemptions`.
DEFEASED: Final = 1
SELF_AMORTISING: Final = 2
PAID_OFF: Final = 4
TAKEN_OVER: Final = 8


def effective_maturity(
    maturity: DateArray,
    anticipated_repayment: DateArray,
    extended_on: DateArray | None = None,
) -> DateArray:
    """The anticipated repayment date where there is one, else the maturity date; NaT: neither.

    After its anticipated repayment date (Schedule AL, `hyperAmortizingDate`) a loan sweeps its
    cash flow and pays a higher rate: it is refinanced then, not decades later. A repayment date
    after maturity is a slip, and maturity counts. `maturity` is that of the last modification;
    an extension agreed on or after the repayment date takes its place.
    """
    if extended_on is not None:
        passed = ~np.isnat(maturity) & (anticipated_repayment <= extended_on)  # False for NaT
        anticipated_repayment = np.where(passed, np.datetime64("NaT"), anticipated_repayment)
    earlier: DateArray = np.fmin(maturity, anticipated_repayment)  # NaT yields to a date
    return earlier.astype("datetime64[D]")


def extended_on(extends: BoolArray, modified_on: DateArray) -> DateArray:
    """The day of each modification that `extends` the loan; NaT without one, or its day."""
    days: DateArray = np.where(extends, modified_on, np.datetime64("NaT"))
    return days.astype("datetime64[D]")


def exemptions(
    *,
    balance: FloatArray,
    fully_defeased: BoolArray,
    payment_type: FloatArray,
    balloon: FloatArray,
    reo: BoolArray,
) -> NDArray[np.int8]:
    """Why maturity, rate and refinance rules do not look at a loan, as bits; 0: they do.

    DEFEASED: Treasuries pay the loan, every property of which has status F (a portion, IP, does
    not exempt). SELF_AMORTISING: nothing is left at maturity. PAID_OFF: the balance is 0; a
    missing balance is not. TAKEN_OVER: the trust owns the property, which is sold.
    """
    bits = np.where(fully_defeased, DEFEASED, 0)
    bits = bits + np.where(self_amortising(payment_type, balloon), SELF_AMORTISING, 0)
    bits = bits + np.where(balance == 0, PAID_OFF, 0)
    return (bits + np.where(reo, TAKEN_OVER, 0)).astype(np.int8)
