"""Every figure of one record against a calculator that shares no code with it; D276 too."""

import math
from datetime import date

import pytest

from services.contract.loan_figures import CONSTRAINTS, Figure
from services.contract.records import LoanDetail
from services.contract.snapshot_info import RateUsed
from services.rates.spreads import Sizings
from services.signals.one_loan.figures import loan_figures
from tests.signals.schedule_al_calculator import Calculator, day
from tests.signals.schedule_al_records import CASES, MARKET, RECORD

TEN_YEAR = RateUsed(series="DGS10", day=date(2026, 9, 11), percent=4.27)


def filed(case):
    """A filer's record, owing whole dollars as our records do (D16)."""
    raw = {**RECORD, **CASES[case]}
    owed = raw["reportPeriodEndActualBalanceAmount"].split(".")[0]
    return {**raw, "reportPeriodEndActualBalanceAmount": owed}


def record(raw):
    """The facts that an importer makes of a filer's record; income is that of a year."""
    one = Calculator(raw, MARKET)

    def number(name, times=1):
        value = one.number(name)
        return None if value is None else float(value * times)

    def on(name):
        return day(raw[name]).isoformat() if raw.get(name) else None

    def months(name):
        value = one.number(name)
        return None if value is None else int(value)

    facts = {
        "original_amount": number("originalLoanAmount"),
        "payment_type": raw["paymentTypeCode"],
        "accrual_method": raw["interestAccrualMethodCode"] or None,
        "amortization_months": months("originalAmortizationTermNumber"),
        "interest_only_months": months("originalInterestOnlyTermNumber"),
        "first_payment_date": on("firstLoanPaymentDueDate"),
        "monthly_payment": number("periodicPrincipalAndInterestPaymentSecuritizationAmount"),
        "ard_date": on("hyperAmortizingDate"),
        "balloon": {"true": True, "false": False}.get(raw["balloonIndicator"]),
        "defeasance": raw["DefeasedStatusCode"],
        "negative_amortisation": raw.get("negativeAmortizationIndicator") == "true",
        "workout": raw.get("workoutStrategyCode"),
        "structure": raw["loanStructureCode"] or None,
        "underwritten_ncf": number("netCashFlowFlowSecuritizationAmount"),
        "underwritten_dscr": number("debtServiceCoverageNetCashFlowSecuritizationPercentage"),
        "noi": None if one.noi is None else float(one.noi),
        "ncf": None if one.ncf is None else float(one.ncf),
        "dscr": None if one.dscr is None else float(one.dscr),
        "filed_debt_service": float(one.of_a_year("mostRecentDebtServiceAmount"))
        if one.number("mostRecentDebtServiceAmount")
        else None,
        "income_from": on("mostRecentFinancialsStartDate"),
        "income_to": on("mostRecentFinancialsEndDate"),
        "value": number("valuationSecuritizationAmount"),
        "payment_status": raw.get("paymentStatusLoanCode"),
        "paid_through": on("paidThroughDate"),
        "special_servicing_since": on("mostRecentSpecialServicerTransferDate"),
        "special_servicing_returned": on("mostRecentMasterServicerReturnDate"),
        "scheduled_balance": number("reportPeriodEndScheduledLoanBalanceAmount"),
        "payment_advances": number("totalPrincipalInterestAdvancedOutstandingAmount"),
        "tax_advances": number("totalTaxesInsuranceAdvancesOutstandingAmount"),
        "other_advances": number("otherExpensesAdvancedOutstandingAmount"),
        "refi_rate": float(MARKET["rate"]),
        "reference_series": "DGS10",
    }
    return LoanDetail(
        loan_number="1",
        property_type="office",
        book_value=int(one.balance),
        interest_rate=float(100 * one.rate),
        maturity_date=day(raw["maturityDate"]),
        extended=facts,
    )


#: What a loan still says once it has ended: that it owes nothing.
OF_NOTHING = {
    "whole": 0,
    "whole at maturity": 0,
    "at least": False,
    "debt service": 0,
    "interest only now": False,
    "exempt": 4,
    "proceeds": (None, None, None),
}


def expected(raw):
    one = Calculator(raw, MARKET)
    if one.ended:
        return dict.fromkeys(found(raw)) | OF_NOTHING
    low, high = (one.refi_service(interest_only=which) for which in (True, False))
    value, gap, due = one.number("valuationSecuritizationAmount"), one.gap, one.debt_at_maturity
    minimum = one.ask("min_dscr")
    secured = not one.exempt & 1  # of a defeased loan the property is released
    return {
        "balance at maturity": one.at_maturity,
        "whole": one.debt,
        "whole at maturity": due,
        "at least": one.debt_at_least,
        "LTV": one.debt_today / value if value and one.debt is not None and secured else None,
        "exposure": one.exposure,
        "months unpaid": one.months_unpaid,
        "computed reduction": one.uncovered("0.9"),
        "expected loss": one.uncovered("0.76"),
        "debt yield": 100 * one.noi / one.debt
        if one.noi is not None and one.debt and secured
        else None,
        "debt service": one.service_now,
        "interest only now": one.pays_interest_only,
        "NOI": one.noi,
        "DSCR": one.dscr,
        "room": one.room,
        "filed over implied": one.filed_over_implied,
        "refi service, interest only": low,
        "refi service, amortising": high,
        "DSCR at refi, interest only": one.proforma(interest_only=True),
        "DSCR at refi, amortising": one.proforma(interest_only=False),
        "required NOI, interest only": None if low is None else minimum * low,
        "required NOI, amortising": None if high is None else minimum * high,
        "break-even, interest only": one.break_even(interest_only=True),
        "break-even, amortising": one.break_even(interest_only=False),
        "proceeds": one.proceeds,
        "most": one.most,
        "binding": None if one.binding < 0 else CONSTRAINTS[one.binding],
        "gap": gap,
        "gap in dollars": None if gap is None else gap * due,
        "effective maturity": one.maturity,
        "exempt": one.exempt,
    }


def found(raw):
    got = loan_figures(
        record(raw), day(raw["reportingPeriodEndDate"]), [TEN_YEAR], Sizings.packaged()
    )
    debt, refi, filed = got.debt, got.refinance, got.income.filed
    bits = {"defeased": 1, "fully amortising": 2, "without a balance": 4, "REO": 8}
    return {
        "balance at maturity": debt.at_maturity,
        "whole": debt.whole,
        "whole at maturity": debt.whole_at_maturity,
        "at least": debt.at_least,
        "LTV": debt.ltv,
        "exposure": got.exposure.amount,
        "months unpaid": got.exposure.months_unpaid,
        "computed reduction": got.exposure.reduction,
        "expected loss": got.exposure.expected_loss,
        "debt yield": debt.debt_yield,
        "debt service": debt.service,
        "interest only now": debt.interest_only_now,
        "NOI": None if filed is None else filed.noi,
        "DSCR": None if filed is None else filed.dscr,
        "room": got.income.room,
        "filed over implied": debt.filed_over_implied,
        "refi service, interest only": refi.service.interest_only,
        "refi service, amortising": refi.service.amortising,
        "DSCR at refi, interest only": refi.dscr.interest_only,
        "DSCR at refi, amortising": refi.dscr.amortising,
        "required NOI, interest only": refi.required_noi.interest_only,
        "required NOI, amortising": refi.required_noi.amortising,
        "break-even, interest only": refi.break_even.interest_only,
        "break-even, amortising": refi.break_even.amortising,
        "proceeds": refi.proceeds,
        "most": refi.most,
        "binding": refi.binding,
        "gap": refi.gap,
        "gap in dollars": refi.gap_usd,
        "effective maturity": debt.effective,
        "exempt": sum(bits[word] for word in got.exempt),
    }


def same(one, other):
    if isinstance(one, tuple):
        return all(map(same, one, other))
    value = other.value if isinstance(other, Figure) else other
    if one is None or value is None or isinstance(one, str | date):
        return one == value
    return math.isclose(float(one), float(value), rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_every_figure_is_that_of_the_independent_calculator(case):
    raw = filed(case)
    one, other = expected(raw), found(raw)
    differing = {name: (one[name], other[name]) for name in one if not same(one[name], other[name])}
    assert not differing
