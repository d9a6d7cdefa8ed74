import math
from datetime import date

import numpy as np
import pytest

from services.contract.sizing import Sized
from services.signals.amortisation import LoanTerms, annual_constant, debt_service_now
from services.signals.refinancing import (
    ByConvention,
    break_even_rate,
    max_proceeds,
    payment_shock,
    proforma_dscr,
    refi_constants,
    refi_debt_service,
    refinance_gap,
    required_noi,
    sensitivity,
    size_loan,
)

THIRTY_YEARS = np.array([360.0])


def of(figure):
    return np.array([figure], dtype=np.float64)


def test_a_4_percent_loan_at_6_72_percent():
    """DSCR 1.57x at 4 %, 30 years: 1.16x amortising, 1.34x interest only; never 0.93x, which is
    DSCR x coupon / refi rate.
    """
    ncf = 1.57 * annual_constant(of(4.0), THIRTY_YEARS) * 10_000_000
    service = refi_debt_service(of(10_000_000), refi_constants(of(6.72), THIRTY_YEARS))
    assert round(proforma_dscr(ncf, service.amortising)[0], 2) == 1.16
    assert round(proforma_dscr(ncf, service.interest_only)[0], 2) == 1.34


WORKED = {
    "rate": 6.5,
    "amortisation_months": 360,
    "min_dscr": 1.25,
    "min_debt_yield": 9.0,
    "max_ltv": 0.60,
    "cap_rate": 5.5,
}


def test_half_a_million_of_noi_is_sized_by_dscr():
    sized = size_loan(500_000, **WORKED)
    assert round(sized.by_dscr) == 5_273_694
    assert round(sized.by_debt_yield) == 5_555_556
    assert round(sized.by_ltv) == 5_454_545
    assert sized.amount == sized.by_dscr
    assert sized.binding == "DSCR"


@pytest.mark.parametrize(
    ("change", "binding", "amount"),
    [
        ({"min_debt_yield": 12.0}, "debt yield", 4_166_667),
        ({"max_ltv": 0.5}, "LTV", 4_545_455),
        ({"min_dscr": None}, "LTV", 5_454_545),
        ({"rate": None, "cap_rate": None}, "debt yield", 5_555_556),
        ({"amortisation_months": 0}, "LTV", 5_454_545),
    ],
)
def test_the_least_of_the_known_constraints_binds(change, binding, amount):
    sized = size_loan(500_000, **{**WORKED, **change})
    assert (sized.binding, round(sized.amount)) == (binding, amount)


def test_of_equal_constraints_the_first_binds():
    sized = size_loan(100.0, min_debt_yield=10.0, max_ltv=0.5, cap_rate=5.0)
    assert (sized.by_debt_yield, sized.by_ltv, sized.binding) == (1000.0, 1000.0, "debt yield")


def test_without_income_or_any_constraint_nothing_is_sized():
    assert size_loan(None, **WORKED) == Sized(None, None, None, None, None)
    assert size_loan(500_000) == Sized(None, None, None, None, None)
    assert size_loan(500_000, min_dscr=0.0, rate=6.5).amount is None


@pytest.mark.parametrize("noi", [0.0, -1.0])
def test_income_not_above_zero_carries_no_debt(noi):
    assert size_loan(noi, **WORKED) == Sized(0.0, 0.0, 0.0, 0.0, "DSCR")
    sized = max_proceeds(
        of(noi),
        of(noi),
        constant=of(0.07),
        min_dscr=of(1.25),
        min_debt_yield=of(9),
        max_ltv=of(0.7),
        value=of(1e6),
    )
    assert sized.amount[0] == 0
    assert refinance_gap(of(5e6), sized.amount)[0] == 1


def test_a_value_that_is_not_known_constrains_nothing():
    limits = {"constant": of(0.07), "min_dscr": of(1.25), "min_debt_yield": of(9)}
    sized = max_proceeds(of(500_000), of(480_000), **limits, max_ltv=of(0.7), value=of(np.nan))
    assert np.isnan(sized.by_ltv[0])
    # 480,000 of NCF / 1.25 / 0.07, and 500,000 of NOI / 9 %.
    assert sized.by_dscr[0] == pytest.approx(5_485_714, abs=1)
    assert sized.by_debt_yield[0] == pytest.approx(5_555_556, abs=1)
    assert sized.amount[0] == sized.by_dscr[0]
    unknown = max_proceeds(of(np.nan), of(480_000), **limits, max_ltv=of(0.7), value=of(1e6))
    assert np.isnan(unknown.amount[0])
    assert unknown.binding[0] == -1


def test_proceeds_without_a_refi_rate_are_not_known():
    """Debt yield alone would lend more, and hide the gap."""
    sized = max_proceeds(
        of(500_000),
        of(480_000),
        constant=of(np.nan),
        min_dscr=of(1.25),
        min_debt_yield=of(9),
        max_ltv=of(0.7),
        value=of(9e6),
    )
    assert np.isnan(sized.amount[0])
    assert sized.binding[0] == -1
    assert sized.by_debt_yield[0] == pytest.approx(5_555_556, abs=1)


def test_the_gap_is_of_the_balance_at_maturity():
    due = np.array([10e6, 10e6, 10e6, 0.0, np.nan])
    proceeds = np.array([7.5e6, 10e6, 12e6, 1e6, 1e6])
    np.testing.assert_allclose(refinance_gap(due, proceeds), [0.25, 0.0, -0.2, np.nan, np.nan])


def test_what_is_graded_follows_how_the_loan_pays():
    both = ByConvention(np.array([1.0, 1.0]), np.array([2.0, 2.0]))
    assert both.graded(np.array([True, False])).tolist() == [1.0, 2.0]


def test_the_day_count_moves_interest_only_alone():
    plain = refi_constants(of(6.0), THIRTY_YEARS)
    actual = refi_constants(of(6.0), THIRTY_YEARS, of(365 / 360))
    assert plain.interest_only[0] == 0.06
    assert actual.interest_only[0] == pytest.approx(0.0608333333)
    assert actual.amortising[0] == plain.amortising[0]


@pytest.mark.parametrize("rate", [0.0, -1.0, np.nan])
def test_there_is_no_refinancing_at_no_rate(rate):
    constants = refi_constants(of(rate), THIRTY_YEARS)
    assert np.isnan(constants.interest_only[0])
    assert np.isnan(constants.amortising[0])


def test_payment_shock_compares_like_with_like():
    """Interest only at 4 % refinanced at 6 %: half more, whatever the day count."""
    terms = LoanTerms.of_one(date(2026, 9, 11), balance=10e6, coupon=4.0, payment_type=3, accrual=3)
    service = refi_debt_service(
        of(10e6), refi_constants(of(6.0), THIRTY_YEARS, of(365 / 360))
    ).graded(np.array([True]))
    assert payment_shock(service, debt_service_now(terms))[0] == pytest.approx(0.5)
    assert np.isnan(payment_shock(of(1.0), of(0.0))[0])


def test_required_noi_is_the_debt_service_at_the_minimum_dscr():
    assert required_noi(of(700_000), of(1.40))[0] == pytest.approx(980_000)


def test_at_the_break_even_rate_the_dscr_is_1():
    """NOI 775,926.11 carries 10,000,000 at exactly 6.72 % over thirty years."""
    ncf = 10e6 * annual_constant(of(6.72), THIRTY_YEARS)
    even = break_even_rate(ncf, of(10e6), THIRTY_YEARS)
    assert even.amortising[0] == pytest.approx(6.72, abs=1e-9)
    assert even.interest_only[0] == pytest.approx(7.7593, abs=5e-5)


@pytest.mark.parametrize("rate", [0.001, 0.5, 3.0, 12.0, 60.0, 400.0])
@pytest.mark.parametrize("months", [60.0, 300.0, 360.0])
def test_the_break_even_rate_is_found_wherever_it_lies(rate, months):
    ncf = annual_constant(of(rate), of(months))
    assert break_even_rate(ncf, of(1.0), of(months)).amortising[0] == pytest.approx(rate, rel=1e-7)


@pytest.mark.parametrize(
    ("ncf", "due"), [(-1.0, 1e6), (0.0, 1e6), (np.nan, 1e6), (1e5, 0.0), (1e5, np.nan)]
)
def test_there_is_no_break_even_rate_without_income_and_debt(ncf, due):
    even = break_even_rate(of(ncf), of(due), THIRTY_YEARS)
    assert np.isnan(even.interest_only[0])
    assert np.isnan(even.amortising[0])


def test_income_below_principal_alone_breaks_even_only_on_interest():
    even = break_even_rate(of(30_000), of(1e6), THIRTY_YEARS)
    assert even.interest_only[0] == pytest.approx(3.0)
    assert np.isnan(even.amortising[0])


def test_pro_forma_dscr_keeps_the_sign_of_income():
    np.testing.assert_array_equal(
        proforma_dscr(np.array([-50.0, 50.0, np.nan]), np.array([100.0, 0.0, 100.0])),
        [-0.5, np.nan, np.nan],
    )


GRID = {
    "at_maturity": 5_000_000.0,
    "ncf": 480_000.0,
    "noi": 500_000.0,
    "refi_rate": 6.5,
    "amortisation_months": 360,
    "min_dscr": 1.25,
    "min_debt_yield": 9.0,
}


def test_the_grid_holds_the_base_case_and_its_corners():
    grid = sensitivity(**GRID, interest_only=False, max_ltv=0.6, value=9_090_909.0)
    assert grid.rates.tolist() == [5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5]
    assert grid.income_falls.tolist() == [0.0, 0.05, 0.10, 0.15, 0.20]
    assert grid.dscr.shape == grid.gap.shape == grid.gap_usd.shape == (5, 7)
    assert grid.dscr[0, 2] == pytest.approx(480_000 / (5e6 * 0.0758482), rel=1e-6)
    # NCF 480,000 / 1.25 / 0.0758482 is 5,062,746.
    assert grid.gap[0, 2] == pytest.approx(1 - 5_062_746 / 5e6, abs=1e-6)
    assert grid.gap_usd[0, 2] == pytest.approx(-62_746, abs=1)
    assert grid.gap[0, 0] == pytest.approx(1 - 5_454_545 / 5e6, abs=1e-6)  # LTV binds at 5.5 %
    # At 8.5 % (constant 0.092270) with NOI 20 % lower: NCF loses the same 100,000 dollars.
    assert grid.gap_usd[4, 6] == pytest.approx(5e6 - 380_000 / 1.25 / 0.0922696, rel=1e-5)
    assert grid.dscr[4, 6] == pytest.approx(380_000 / (5e6 * 0.0922696), rel=1e-5)


def test_the_grid_in_interest_only():
    grid = sensitivity(**GRID, interest_only=True, day_count=365 / 360)
    assert grid.dscr[0, 2] == pytest.approx(480_000 / (5e6 * 0.065 * 365 / 360))


def test_worse_lies_to_the_right_and_below():
    grid = sensitivity(**GRID, interest_only=False)
    assert (np.diff(grid.dscr, axis=1) < 0).all()
    assert (np.diff(grid.dscr, axis=0) < 0).all()
    assert (np.diff(grid.gap, axis=1) >= 0).all()
    assert (np.diff(grid.gap, axis=0) > 0).all()


def test_income_below_zero_falls_further():
    grid = sensitivity(**{**GRID, "noi": -100.0, "ncf": -200.0}, interest_only=False)
    assert (np.diff(grid.dscr, axis=0) < 0).all()
    assert (grid.gap == 1).all()


def test_a_grid_without_an_input_is_empty():
    for name in ("at_maturity", "refi_rate"):
        grid = sensitivity(**{**GRID, name: None}, interest_only=False)
        assert np.isnan(grid.dscr).all()
        assert np.isnan(grid.gap_usd).all()
    without = sensitivity(**{**GRID, "noi": None}, interest_only=False)
    assert np.isnan(without.gap).all()
    assert without.dscr[1, 2] == pytest.approx(without.dscr[0, 2] * 0.95)
    low = sensitivity(**{**GRID, "refi_rate": 0.5}, interest_only=False)
    assert np.isnan(low.dscr[:, :2]).all()
    assert not math.isnan(low.dscr[0, 2])
