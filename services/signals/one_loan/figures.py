"""All figures of one loan on one day."""

from collections.abc import Iterable
from datetime import date
from typing import Final

import numpy as np

from services.contract.loaded import RateUsed
from services.contract.loan_figures import Exemption, LoanFigures
from services.contract.records import LoanDetail
from services.contract.schedule_al import FULL_DEFEASANCE
from services.rates.spreads import Sizings
from services.signals.effective_maturity import (
    DEFEASED,
    PAID_OFF,
    SELF_AMORTISING,
    exemptions,
)
from services.signals.one_loan.debt import balloon_of, debt_of, terms_of
from services.signals.one_loan.income import income_of
from services.signals.one_loan.record import Facts, days
from services.signals.one_loan.refinance import refinance_of
from services.signals.one_loan.stack import stack_of
from services.signals.servicing import in_special_servicing

_EXEMPT: Final[tuple[tuple[int, Exemption], ...]] = ((PAID_OFF, "paid off"), (DEFEASED, "defeased"),
                  (SELF_AMORTISING, "self-amortising"))  # fmt: skip


def loan_figures(
    loan: LoanDetail, as_of: date, rates: Iterable[RateUsed], sizings: Sizings
) -> LoanFigures:
    """Every figure of a loan on a day.

    `rates` are the reference rates that refi rates stand on, as the snapshot names them; `sizings`
    what a new lender asks of each property type.
    """
    facts = Facts.of(loan)
    terms = sizings.of(loan.property_type) if loan.property_type else None
    pays = terms_of(facts, as_of)
    income = income_of(facts, loan.property_type, as_of)
    debt = debt_of(facts, pays, income)
    bits = exemptions(
        balance=pays.balance,
        fully_defeased=np.array([facts.word("defeasance") == FULL_DEFEASANCE]),
        payment_type=pays.payment_type,
        balloon=balloon_of(facts),
    )
    return LoanFigures(
        as_of=as_of,
        income=income,
        debt=debt,
        refinance=refinance_of(facts, pays, debt, income, terms, rates),
        stack=stack_of(facts, debt, income),
        exempt=tuple(word for bit, word in _EXEMPT if int(bits[0]) & bit),
        special_servicing_since=_in_special_servicing(facts),
    )


def _in_special_servicing(facts: Facts) -> date | None:
    since, returned = facts.day("special_servicing_since"), facts.day("special_servicing_returned")
    return since if in_special_servicing(days(since), days(returned))[0] else None
