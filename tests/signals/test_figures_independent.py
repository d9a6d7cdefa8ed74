"""Every credit figure against a calculator that shares no code with it, record by record."""

import math
from datetime import date

import numpy as np
import pytest

from services.signals.amortisation import (
    LoanTerms,
    balance_at_maturity,
    day_count_factor,
    debt_service_next_year,
    debt_service_now,
    level_payment,
    pays_interest_only,
)
from services.signals.effective_maturity import (
    effective_maturity,
    exemptions,
)
from services.signals.floating_rate import held
from services.signals.income_periods import annualised, period_days, period_dscr
from services.signals.refinancing import (
    break_even_rate,
    max_proceeds,
    payment_shock,
    proforma_dscr,
    refi_constants,
    refi_debt_service,
    refinance_gap,
    required_noi,
)
from services.signals.whole_loan_debt import (
    STRUCTURES,
    debt_at_maturity,
    debt_yield,
    loan_to_value,
    whole_loan_debt,
)
from tests.signals.schedule_al_calculator import Calculator
from tests.signals.schedule_al_records import CASES, MARKET, RECORD


def independent(raw):
    one = Calculator(raw, MARKET)
    stated = one.debt_at_maturity is not None
    dollars = one.gap * one.debt_at_maturity if one.gap is not None else None
    value = one.number("valuationSecuritizationAmount")
    low, high = (one.refi_service(interest_only=which) for which in (True, False))
    return {
        "level payment": one.level,
        "debt service now": one.service_now,
        "debt service of the next year": one.service_next_year,
        "pays interest only": one.pays_interest_only,
        "balance at maturity": one.at_maturity,
        "whole-loan debt": one.debt,
        "at least": one.debt_at_least,
        "LTV": one.debt / value if value and one.debt is not None else None,
        "debt yield": 100 * one.noi / one.debt if one.noi is not None and one.debt else None,
        "DSCR": one.dscr,
        "NOI of a year": one.noi,
        "refi debt service, interest only": low,
        "refi debt service, amortising": high,
        "pro-forma DSCR, interest only": one.proforma(interest_only=True),
        "pro-forma DSCR, amortising": one.proforma(interest_only=False),
        "required NOI": one.ask("min_dscr") * (low if one.pays_interest_only else high)
        if stated
        else None,
        "payment shock": one.shock,
        "break-even rate, interest only": one.break_even(interest_only=True),
        "break-even rate, amortising": one.break_even(interest_only=False),
        "proceeds by DSCR": one.proceeds[0],
        "proceeds by debt yield": one.proceeds[1],
        "proceeds by LTV": one.proceeds[2],
        "binding": one.binding,
        "refinance gap": one.gap,
        "refinance gap in dollars": dollars,
        "effective maturity": one.maturity,
        "exempt": one.exempt,
    }


def product(raw):
    def figure(name):
        return np.array([float(raw.get(name) or "nan")])

    def day(name):
        month, of_month, year = (raw.get(name) or "--").split("-")
        return np.array([f"{year}-{month}-{of_month}" if year else "NaT"], dtype="datetime64[D]")

    market = {name: np.array([float(text)]) for name, text in MARKET.items()}
    as_of = day("reportingPeriodEndDate")[0].astype(object)
    balance = figure("reportPeriodEndActualBalanceAmount")
    floating = 100 * held(
        figure("armIndexRatePercentage") + figure("armMarginNumber"),
        figure("lifetimeRateFloorPercentage"),
        figure("lifetimeRateCapPercentage"),
    )
    fixed = 100 * figure("reportPeriodInterestRatePercentage")
    effective = effective_maturity(day("maturityDate"), day("hyperAmortizingDate"))
    terms = LoanTerms(
        as_of,
        balance=balance,
        original_amount=figure("originalLoanAmount"),
        coupon=np.where(np.isnan(floating), fixed, floating),
        payment_type=figure("paymentTypeCode"),
        accrual=figure("interestAccrualMethodCode"),
        amortisation_months=figure("originalAmortizationTermNumber"),
        interest_only_months=figure("originalInterestOnlyTermNumber"),
        first_payment=day("firstLoanPaymentDueDate"),
        maturity=effective,
        filed_payment=figure("periodicPrincipalAndInterestPaymentSecuritizationAmount"),
        negative=np.array([raw.get("negativeAmortizationIndicator") == "true"]),
    )
    balloon = np.array([{"true": 1.0, "false": 0.0}.get(raw.get("balloonIndicator"), np.nan)])
    at_maturity = balance_at_maturity(terms, balloon)
    underwritten = figure("netCashFlowFlowSecuritizationAmount")
    underwritten_dscr = figure("debtServiceCoverageNetCashFlowSecuritizationPercentage")
    structure = np.array([STRUCTURES[raw.get("loanStructureCode") or "WL"]], dtype=np.float64)
    days = period_days(day("mostRecentFinancialsStartDate"), day("mostRecentFinancialsEndDate"))
    statement = figure("mostRecentDebtServiceAmount")
    noi, ncf, paid = (
        annualised(amount, days, statement, underwritten / underwritten_dscr)
        for amount in (
            figure("mostRecentNetOperatingIncomeAmount"),
            figure("mostRecentNetCashFlowAmount"),
            statement,
        )
    )
    whole = whole_loan_debt(terms, structure, underwritten, underwritten_dscr, paid)
    due = debt_at_maturity(whole.debt, balance, at_maturity)
    day_count = day_count_factor(terms.accrual)
    constants = refi_constants(market["rate"], market["months"], day_count)
    service = refi_debt_service(due, constants)
    interest_only = pays_interest_only(terms)
    now = debt_service_now(terms)
    own = now * whole.debt / np.where(balance > 0, balance, np.nan)
    even = break_even_rate(ncf, due, market["months"], day_count)
    value = figure("valuationSecuritizationAmount")
    sized = max_proceeds(
        noi,
        np.where(np.isnan(ncf), noi, ncf),
        constant=constants.amortising,
        min_dscr=market["min_dscr"],
        min_debt_yield=market["min_debt_yield"],
        max_ltv=market["max_ltv"],
        value=value,
    )
    gap = refinance_gap(due, sized.amount)
    filed = figure("mostRecentDebtServiceCoverageNetCashFlowpercentage")
    found = {
        "level payment": level_payment(terms),
        "debt service now": now,
        "debt service of the next year": debt_service_next_year(terms),
        "pays interest only": interest_only,
        "balance at maturity": at_maturity,
        "whole-loan debt": whole.debt,
        "at least": whole.at_least,
        "LTV": loan_to_value(whole.debt, value),
        "debt yield": debt_yield(noi, whole.debt),
        "DSCR": period_dscr(figure("mostRecentNetCashFlowAmount"), statement, filed),
        "NOI of a year": noi,
        "refi debt service, interest only": service.interest_only,
        "refi debt service, amortising": service.amortising,
        "pro-forma DSCR, interest only": proforma_dscr(ncf, service.interest_only),
        "pro-forma DSCR, amortising": proforma_dscr(ncf, service.amortising),
        "required NOI": required_noi(service.graded(interest_only), market["min_dscr"]),
        "payment shock": payment_shock(service.graded(interest_only), own),
        "break-even rate, interest only": even.interest_only,
        "break-even rate, amortising": even.amortising,
        "proceeds by DSCR": sized.by_dscr,
        "proceeds by debt yield": sized.by_debt_yield,
        "proceeds by LTV": sized.by_ltv,
        "binding": sized.binding,
        "refinance gap": gap,
        "refinance gap in dollars": gap * due,
        "effective maturity": effective,
        "exempt": exemptions(
            balance=balance,
            fully_defeased=np.array([raw.get("DefeasedStatusCode") == "F"]),
            payment_type=terms.payment_type,
            balloon=balloon,
            reo=np.array([raw.get("workoutStrategyCode") == "7"]),
        ),
    }
    return {name: array[0] for name, array in found.items()}


def same(expected, found):
    if expected is None:
        return math.isnan(found)
    if isinstance(expected, date):
        return found.astype(object) == expected
    return math.isclose(float(expected), float(found), rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_every_figure_is_that_of_the_independent_calculator(case):
    raw = {**RECORD, **CASES[case]}
    expected, found = independent(raw), product(raw)
    assert expected.keys() == found.keys()
    differing = {
        name: (expected[name], found[name])
        for name in expected
        if not same(expected[name], found[name])
    }
    assert not differing


def test_at_least_forty_cases_have_figures_of_their_own():
    answers = {str(independent({**RECORD, **change})) for change in CASES.values()}
    assert len(answers) >= 40
