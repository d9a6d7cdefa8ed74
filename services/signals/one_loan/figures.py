"""All figures of one loan on one day."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Final

import numpy as np

from services.contract.loan_figures import Exemption, Figure, LoanFigures
from services.contract.records import LoanDetail
from services.contract.schedule_al import FULL_DEFEASANCE, REO
from services.contract.snapshot_info import RateUsed
from services.rates.spreads import Sizings
from services.signals.effective_maturity import (
    DEFEASED,
    PAID_OFF,
    SELF_AMORTISING,
    TAKEN_OVER,
    exemptions,
)
from services.signals.one_loan.debt import balloon_of, debt_of, due_of, terms_of, whole_of
from services.signals.one_loan.exposure import exposure_of, trust_exposure_of
from services.signals.one_loan.income import income_of
from services.signals.one_loan.record import Facts, days
from services.signals.one_loan.refinance import refinance_of
from services.signals.one_loan.stack import stack_of
from services.signals.servicing import in_special_servicing

_EXEMPT: Final[tuple[tuple[int, Exemption], ...]] = (
    (PAID_OFF, "without a balance"),
    (DEFEASED, "defeased"),
    (TAKEN_OVER, "REO"),
    (SELF_AMORTISING, "fully amortising"),
)
#: Loans of which there is no screen, and why (D285).
_NOT_SCREENED: Final[Mapping[Exemption, str]] = {
    "without a balance": "nothing is owed",
    "defeased": "Treasuries pay the loan",
    "REO": "the loan is REO",
}
#: Of a loan defeased in full: nothing is lent on the property any more (D244).
_RELEASED: Final = Figure(None, "none: Treasuries secure the loan")


def loan_figures(
    loan: LoanDetail, as_of: date, rates: Iterable[RateUsed], sizings: Sizings
) -> LoanFigures:
    """Every figure of a loan on a day; of one that has ended, none but that it owes nothing.

    `rates` are the reference rates that refi rates stand on, as the snapshot names them; `sizings`
    what a new lender asks of each property type.
    """
    facts = Facts.of(loan).of_today()
    terms = sizings.of(loan.property_type) if loan.property_type else None
    pays = terms_of(facts, as_of)
    income = income_of(facts, loan.property_type, as_of)
    whole = whole_of(facts, pays, income)
    special = _in_special_servicing(facts)
    out = trust_exposure_of(facts, pays, whole, income, special=special is not None)
    ranks = due_of(facts, pays, whole, out)
    debt = debt_of(facts, pays, income, whole, ranks)
    bits = exemptions(
        balance=pays.balance,
        fully_defeased=np.array([facts.word("defeasance") == FULL_DEFEASANCE]),
        payment_type=pays.payment_type,
        balloon=balloon_of(facts),
        reo=np.array([facts.word("workout") == REO]),
    )
    exempt = tuple(word for bit, word in _EXEMPT if int(bits[0]) & bit)
    stack = stack_of(facts, debt, income)
    if why := next((_NOT_SCREENED[one] for one in exempt if one in _NOT_SCREENED), None):
        none = Figure(None, f"none: {why}")
        income = replace(income, room=none, markup=none)
        debt = replace(debt, filed_over_implied=none)
    if "defeased" in exempt:
        debt = replace(debt, ltv=_RELEASED, debt_yield=_RELEASED)
        stack = tuple(replace(layer, ltv=_RELEASED) for layer in stack)
    return LoanFigures(
        as_of=as_of,
        income=income,
        debt=debt,
        exposure=exposure_of(facts, out, income, as_of),
        refinance=refinance_of(facts, pays, debt, ranks, income, terms, sizings.used, rates),
        stack=stack,
        exempt=exempt,
        special_servicing_since=special,
    )


def _in_special_servicing(facts: Facts) -> date | None:
    since, returned = facts.day("special_servicing_since"), facts.day("special_servicing_returned")
    return since if in_special_servicing(days(since), days(returned))[0] else None
