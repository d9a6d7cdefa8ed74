"""What the trust has out on one loan, and what a sale at its value would leave of it."""

from datetime import date
from typing import Final

import numpy as np

from services.contract.loan_figures import Exposure, Figure, Income
from services.contract.schedule_al import DELINQUENT, FULL_DEFEASANCE, REO
from services.signals.amortisation import LoanTerms
from services.signals.one_loan.record import Facts, days, figure, known, one
from services.signals.trust_exposure import (
    Advanced,
    TrustExposure,
    months_unpaid,
    trust_exposure,
)
from services.signals.whole_loan_debt import WholeLoanDebt

#: Of what pays, nothing is expected to be lost.
_SOUND: Final = Figure(None, "none: the loan is not in trouble")


def trust_exposure_of(
    facts: Facts, pays: LoanTerms, whole: WholeLoanDebt, income: Income, *, special: bool
) -> TrustExposure:
    """The exposure of a loan whose terms are `pays`; `special`: it is in special servicing."""
    return trust_exposure(
        _stated(facts),
        whole,
        pays.balance,
        one(income.value),
        late=np.array([_late(facts)]),
        special=np.array([special]),
        reo=np.array([facts.word("workout") == REO]),
        defeased=np.array([facts.word("defeasance") == FULL_DEFEASANCE]),
    )


def exposure_of(facts: Facts, out: TrustExposure, income: Income, as_of: date) -> Exposure:
    """The same as figures, each with why there is none."""
    stated, paid_through = _stated(facts), facts.day("paid_through")
    months = known(months_unpaid(days(paid_through), as_of, np.array([_late(facts)])))
    troubled = bool(out.troubled[0])
    needs = (("advances", out.amount), ("appraised value", one(income.value)))
    return Exposure(
        scheduled_balance=known(stated.scheduled_balance),
        payments=known(stated.payments),
        taxes=known(stated.taxes),
        other=known(stated.other),
        amount=figure(out.amount, *needs),
        troubled=troubled,
        reduction=figure(out.reduction, *needs) if troubled else _SOUND,
        expected_loss=figure(out.expected_loss, *needs) if troubled else _SOUND,
        paid_through=paid_through,
        months_unpaid=None if months is None else int(months),
    )


def _stated(facts: Facts) -> Advanced:
    return Advanced.of(lambda name: one(facts.figure(name, at_least=0)))


def _late(facts: Facts) -> bool:
    return (facts.word("payment_status") or "").upper() in DELINQUENT
