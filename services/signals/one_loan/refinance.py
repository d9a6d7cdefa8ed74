"""What refinancing one loan at today's rate would take, and what a new lender would lend."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from services.contract.loan_figures import (
    CONSTRAINTS,
    Both,
    Debt,
    Figure,
    Income,
    LenderTerms,
    Refinance,
    Sensitivity,
)
from services.contract.snapshot_info import RateUsed, SpreadsUsed
from services.rates.reference import tenor_of
from services.signals.amortisation import FloatArray, LoanTerms, debt_service_now
from services.signals.debt_due import DebtDue
from services.signals.one_loan.record import IMPUTED, Facts, figure, known, one
from services.signals.refinancing import (
    ByConvention,
    MaxProceeds,
    break_even_rate,
    max_proceeds,
    payment_shock,
    proforma_dscr,
    refi_constants,
    refi_debt_service,
    refinance_gap,
    required_noi,
    sensitivity,
)

_MONTHS_A_YEAR: Final = 12


def refinance_of(
    facts: Facts,
    pays: LoanTerms,
    debt: Debt,
    ranks: DebtDue,
    income: Income,
    terms: LenderTerms | None,
    spreads: SpreadsUsed | None,
    rates: Iterable[RateUsed],
) -> Refinance:
    """Refinance figures of a loan; inputs as `loan_figures` takes them."""
    rate = one(facts.figure("refi_rate", above=0))
    due, own_due = ranks.at_maturity, ranks.own
    in_place = income.in_place
    cash = one(None if in_place is None else in_place.cash)
    noi = one(None if in_place is None else in_place.noi)
    months = one(None if terms is None else float(terms.amortisation_years * _MONTHS_A_YEAR))
    min_dscr = one(None if terms is None else terms.min_dscr)
    constants = refi_constants(rate, months, debt.day_count)
    service = refi_debt_service(due, constants)
    sized = max_proceeds(
        noi,
        cash,
        constant=constants.amortising,
        min_dscr=min_dscr,
        min_debt_yield=one(None if terms is None else terms.min_debt_yield_pct),
        max_ltv=one(None if terms is None else terms.max_ltv),
        value=one(income.value),
    )
    gap = refinance_gap(due, sized.amount)
    own_gap = np.where(gap > 0, ranks.own_short(sized.amount), gap * own_due)
    alone = np.array([debt.interest_only_now])
    own_service = debt_service_now(pays)
    shock = payment_shock(refi_debt_service(own_due, constants).graded(alone), own_service)
    priced = (("refi rate", rate),)
    carried = (*priced, (_lacks(debt.due_at_maturity), due))
    earning = ("NOI" if known(noi) is None else "NCF", cash)
    lent = (("NOI", noi), *priced)
    quoted = {one_rate.series: one_rate for one_rate in rates}
    series = facts.word("reference_series")
    asked = tenor_of(facts.figure("original_term_months"))
    reference = quoted.get(series or "")
    found = Refinance(
        rate=figure(rate, *priced),
        reference=reference,
        instead_of=asked if series is not None and series != asked else None,
        term_years=int(asked.removeprefix("DGS")),
        spread_bp=_spread(known(rate), reference, terms),
        spreads=spreads,
        rate_gap=figure((rate - pays.coupon) * 100, *priced, ("coupon", pays.coupon)),
        terms=terms,
        interest_only_graded=debt.interest_only_now,
        service=_both(service, *carried),
        dscr=_both(
            ByConvention(
                proforma_dscr(cash, service.interest_only), proforma_dscr(cash, service.amortising)
            ),
            earning,
            *carried,
        ),
        required_noi=_both(
            ByConvention(
                required_noi(service.interest_only, min_dscr),
                required_noi(service.amortising, min_dscr),
            ),
            *carried,
        ),
        shock=figure(
            shock,
            *priced,
            (_lacks(debt.at_maturity), own_due),
            (_lacks(debt.service), own_service),
        ),
        break_even=_break_even(cash, due, months, debt.day_count, (earning, *carried)),
        proceeds=_proceeds(sized, income, lent),
        most=figure(sized.amount, *lent),
        binding=None if sized.binding[0] < 0 else CONSTRAINTS[sized.binding[0]],
        gap=figure(gap, *lent, *carried),
        gap_usd=figure(gap * due, *lent, *carried),
        own_gap_usd=figure(own_gap, *lent, *carried),
        sensitivity=_sensitivity(debt, income, terms, known(rate)),
    )
    return _without_proceeds(found) if income.imputed else found


def _without_proceeds(found: Refinance) -> Refinance:
    """That of a cooperative: nothing is sized on a rent that is not paid."""
    return replace(
        found,
        break_even=Both(IMPUTED, IMPUTED),
        proceeds=(IMPUTED,) * len(found.proceeds),
        most=IMPUTED,
        binding=None,
        gap=IMPUTED,
        gap_usd=IMPUTED,
        own_gap_usd=IMPUTED,
        sensitivity=None,
    )


def _lacks(made_of: Figure) -> str:
    """What a figure lacks that is made of this one: what this one lacks."""
    return made_of.why.removeprefix("not testable: no ")


def _both(pair: ByConvention, *needs: tuple[str, FloatArray]) -> Both:
    return Both(figure(pair.interest_only, *needs), figure(pair.amortising, *needs))


def _spread(
    rate: float | None, reference: RateUsed | None, terms: LenderTerms | None
) -> float | None:
    if rate is not None and reference is not None:
        return round((rate - reference.percent) * 100, 6)
    return None if terms is None else terms.spread_bp


def _break_even(
    cash: FloatArray,
    due: FloatArray,
    months: FloatArray,
    day_count: float,
    needs: tuple[tuple[str, FloatArray], ...],
) -> Both:
    found = break_even_rate(cash, due, months, day_count)
    rate_is_no_input = [need for need in needs if need[0] != "refi rate"]
    both = _both(found, *rate_is_no_input)
    earned, owed = known(cash), known(due)
    if earned is None or owed is None:
        return both
    if owed <= 0:
        none = Figure(None, "none: nothing is left at maturity")
        return Both(none, none)
    if earned <= 0:
        none = Figure(None, "none: income is not above zero")
        return Both(none, none)
    if both.amortising.value is None and known(months) is not None:
        short = Figure(None, "none: income does not cover principal alone")
        return Both(both.interest_only, short)
    return both


def _proceeds(
    sized: MaxProceeds, income: Income, needs: tuple[tuple[str, FloatArray], ...]
) -> tuple[Figure, ...]:
    noi = needs[:1]
    return (
        figure(sized.by_dscr, *needs),
        figure(sized.by_debt_yield, *noi),
        figure(sized.by_ltv, *noi, ("appraised value", one(income.value))),
    )


def _sensitivity(
    debt: Debt, income: Income, terms: LenderTerms | None, rate: float | None
) -> Sensitivity | None:
    in_place, due = income.in_place, debt.due_at_maturity.value
    if terms is None or rate is None or in_place is None or due is None or due <= 0:
        return None
    if in_place.cash is None and in_place.noi is None:
        return None
    return sensitivity(
        at_maturity=due,
        ncf=in_place.cash,
        noi=in_place.noi,
        refi_rate=rate,
        amortisation_months=terms.amortisation_years * _MONTHS_A_YEAR,
        min_dscr=terms.min_dscr,
        min_debt_yield=terms.min_debt_yield_pct,
        interest_only=debt.interest_only_now,
        day_count=debt.day_count,
        max_ltv=terms.max_ltv,
        value=income.value,
    )
