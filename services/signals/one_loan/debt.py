"""What is owed on one loan, on the record and on the whole loan, now and when it must be repaid."""

from collections.abc import Iterator
from datetime import date
from typing import Final

import numpy as np

from services.contract.loan_figures import Debt, Figure, Floating, Income
from services.contract.schedule_al import EXTENDING, RATE_INDEXES
from services.signals.amortisation import (
    FloatArray,
    LoanTerms,
    balance_at_maturity,
    day_count_factor,
    debt_service_now,
    interest_only_to_maturity,
    pays_interest_only,
)
from services.signals.debt_due import DebtDue, debt_due, is_due_behind
from services.signals.effective_maturity import effective_maturity, extended_on
from services.signals.floating_rate import AT_PERCENT, FLOATING_TYPES, rate_floats
from services.signals.maturity import months_between
from services.signals.one_loan.record import Facts, days, figure, known, one
from services.signals.trust_exposure import TrustExposure
from services.signals.whole_loan_debt import (
    STRUCTURES,
    UNKNOWN_STRUCTURE,
    WHOLE,
    WholeLoanDebt,
    debt_at_maturity,
    debt_yield,
    loan_to_value,
    underwriting_constant,
    whole_loan_debt,
)

#: Schedule AL: a rate that follows an index.
_ADJUSTABLE: Final = 2
_FLOATS: Final = Figure(None, "none: the rate floats")


def terms_of(facts: Facts, as_of: date) -> LoanTerms:
    """How a loan pays, with its effective maturity."""
    effective = effective_maturity(
        days(facts.day("maturity_date")),
        days(facts.day("ard_date")),
        extended_on(
            np.array([facts.word("modification") in EXTENDING]), days(facts.day("modified_on"))
        ),
    )
    return LoanTerms.of_one(
        as_of,
        balance=facts.figure("book_value", at_least=0),
        coupon=facts.figure("interest_rate", above=0),
        original_amount=facts.figure("original_amount", above=0),
        payment_type=facts.code("payment_type"),
        accrual=facts.code("accrual_method"),
        amortisation_months=facts.months("amortization_months"),
        interest_only_months=facts.months("interest_only_months"),
        first_payment=facts.day("first_payment_date"),
        maturity=effective[0].astype(object),
        filed_payment=facts.figure("monthly_payment", above=0),
        negative=facts.flag("negative_amortisation") is True,
    )


def balloon_of(facts: Facts) -> FloatArray:
    """The balloon flag as 1 and 0; NaN where the source does not say."""
    flag = facts.flag("balloon")
    return one(None if flag is None else float(flag))


def whole_of(facts: Facts, pays: LoanTerms, income: Income) -> WholeLoanDebt:
    """The loan of which the record, whose terms are `pays`, is a part or all."""
    return whole_loan_debt(
        pays,
        one(_structure(facts)),
        *signed(income),
        one(facts.figure("filed_debt_service", above=0)),
    )


def signed(income: Income) -> tuple[FloatArray, FloatArray]:
    """Underwritten NCF, NOI where that is not stated, and DSCR."""
    signing = income.underwritten
    if signing is None:
        return one(None), one(None)
    return one(signing.noi if signing.ncf is None else signing.ncf), one(signing.dscr)


def _structure(facts: Facts) -> int:
    word = facts.word("structure")
    return WHOLE if word is None else STRUCTURES.get(word.upper(), UNKNOWN_STRUCTURE)


def due_of(facts: Facts, pays: LoanTerms, whole: WholeLoanDebt, exposure: TrustExposure) -> DebtDue:
    """What must be repaid with the loan."""
    return debt_due(
        balance=pays.balance,
        balance_at_maturity=balance_at_maturity(pays, balloon_of(facts)),
        whole_loan_debt=whole.debt,
        rank_debt=whole.rank_debt,
        junior=whole.junior,
        behind=one(sum(row.figure("amount", above=0) or 0.0 for row in _behind(facts))),
        advanced=exposure.over_debt,
    )


def _behind(facts: Facts) -> list[Facts]:
    rows = facts.rows("debt_layers")
    return [row for row in rows if is_due_behind(row.word("position"), row.figure("rank"))]


def debt_of(
    facts: Facts, pays: LoanTerms, income: Income, whole: WholeLoanDebt, ranks: DebtDue
) -> Debt:
    """Debt of a loan whose terms are `pays`."""
    in_place = income.in_place
    owed = ("balance", pays.balance)
    service = debt_service_now(pays)
    at_maturity = ranks.own
    due = known(months_between(pays.as_of, pays.maturity))
    schedule = (
        owed,
        ("coupon", pays.coupon),
        ("maturity date", one(due)),
        ("amortisation term", service),
    )
    everything = (owed, *_underwriting(facts, pays, income, whole))
    value, noi = one(income.value), one(None if in_place is None else in_place.noi)
    throughout = bool(interest_only_to_maturity(pays)[0])
    return Debt(
        balance=known(pays.balance),
        at_maturity=figure(at_maturity, *schedule),
        whole=figure(whole.debt, *everything),
        whole_at_maturity=figure(
            debt_at_maturity(whole.debt, pays.balance, at_maturity), *everything, *schedule
        ),
        rank=figure(whole.rank_debt, *everything),
        behind=float(ranks.behind[0]),
        due=figure(ranks.today, *everything),
        due_at_maturity=figure(ranks.at_maturity, *everything, *schedule),
        part=_structure(facts) != WHOLE,
        junior=bool(whole.junior[0]),
        by_service=bool(whole.by_service[0]),
        at_least=bool(whole.at_least[0]) or _unstated(facts, pays),
        ltv=figure(loan_to_value(ranks.today, value), ("appraised value", value), *everything),
        debt_yield=figure(debt_yield(noi, whole.debt), ("NOI", noi), *everything),
        service=figure(service, owed, ("coupon", pays.coupon), ("amortisation term", service)),
        filed_over_implied=_over_implied(facts, whole),
        interest_only_now=bool(pays_interest_only(pays)[0]),
        interest_only_throughout=throughout,
        amortises_from=None if throughout else _first_principal(pays),
        day_count=float(day_count_factor(pays.accrual)[0]),
        floating=_floating(facts, pays),
        maturity=facts.day("maturity_date"),
        anticipated_repayment=facts.day("ard_date"),
        effective=pays.maturity[0].astype(object),
        months_to_effective=due,
    )


def _underwriting(
    facts: Facts, pays: LoanTerms, income: Income, whole: WholeLoanDebt
) -> Iterator[tuple[str, FloatArray]]:
    """What the debt of the whole loan is implied by, of a record that is a part of it."""
    structure = _structure(facts)
    if structure == UNKNOWN_STRUCTURE:
        yield "loan structure of the schema", whole.debt
    elif structure != WHOLE:
        earned, covers = signed(income)
        yield "underwriting of the whole loan", earned * covers
        yield "coupon", pays.coupon
        yield "amortisation term", underwriting_constant(pays)
        yield "underwriting of the whole loan", whole.debt


def _over_implied(facts: Facts, whole: WholeLoanDebt) -> Figure:
    kind = FLOATING_TYPES.get(facts.word("rate_type") or "")
    if rate_floats(one(kind), one(facts.figure("rate_margin")))[0]:
        return _FLOATS
    filed = one(facts.figure("filed_debt_service", above=0))
    over = whole.filed_over_implied
    return figure(over, ("debt service filed", filed), ("debt, or its debt service", over))


def _unstated(facts: Facts, pays: LoanTerms) -> bool:
    """Whether debt behind the loan has no amount."""
    amounts = [row.figure("amount") for row in _behind(facts)]
    return None in amounts and known(pays.balance) != 0


def _floating(facts: Facts, pays: LoanTerms) -> Floating | None:
    margin, index = facts.figure("rate_margin"), facts.word("rate_index")
    if facts.code("rate_type") != _ADJUSTABLE and margin is None and index is None:
        return None
    coupon = facts.figure("interest_rate", above=0)
    cap, floor = facts.figure("rate_cap", above=0), facts.figure("rate_floor", above=0)
    strike, expires = facts.figure("cap_strike"), facts.day("cap_expires")
    expired = bool((days(expires) < np.asarray(pays.as_of, "datetime64[D]")).any())
    paid = None if strike is None or margin is None or expired else strike + margin
    at = None
    if coupon is not None:
        reached = {
            # Under the floor a bought cap saves nothing.
            "floor": floor is not None and coupon < floor + AT_PERCENT,
            "cap": cap is not None and coupon > cap - AT_PERCENT,
            "strike": paid is not None and coupon > paid - AT_PERCENT,
        }
        at = next((name for name, is_at in reached.items() if is_at), None)
    return Floating(RATE_INDEXES.get(index or "", index), margin, cap, floor, strike, expires, at)


def _first_principal(pays: LoanTerms) -> date | None:
    """The first of the month in which principal is first due, after months of interest only."""
    first, months = pays.first_payment[0], pays.interest_only_months[0]
    if np.isnat(first) or not months > 0:
        return None
    begins: date = (
        (first.astype("datetime64[M]") + int(months)).astype("datetime64[D]").astype(object)
    )
    return begins
