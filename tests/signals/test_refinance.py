import pytest

from services.rates.spreads import sizing_of
from services.signals.refinance import (
    Proceeds,
    RefinanceFigures,
    annual_constant,
    max_proceeds,
    refinance_figures,
)


def test_figures_of_a_loan_at_four_percent():
    # D25
    # Research, finding 2: a 4.00 % coupon at a 6.50 % refi rate needs 2.03x, interest +62.5 %.
    found = refinance_figures(4.0, 6.5, 1.5)
    assert found.required_dscr == pytest.approx(2.03125)
    assert found.payment_shock == pytest.approx(0.625)
    assert found.break_even_rate == pytest.approx(4.8)
    assert found.proforma_dscr == pytest.approx(0.923077, abs=1e-6)
    assert (found.refi_rate, found.rate_gap_bp) == (6.5, 250.0)


def test_a_shift_moves_the_refi_rate_and_what_follows_from_it():
    found = refinance_figures(4.0, 6.5, 1.5, shift_bp=-150)
    assert found == refinance_figures(4.0, 5.0, 1.5)
    assert found.rate_gap_bp == 100.0
    assert found.break_even_rate == refinance_figures(4.0, 6.5, 1.5).break_even_rate


@pytest.mark.parametrize("missing", [None, float("nan"), float("inf")])
def test_a_missing_input_leaves_its_figures_out(missing):
    nothing = RefinanceFigures(None, None, None, None, None, None)
    assert refinance_figures(missing, missing, missing) == nothing
    assert refinance_figures(missing, 6.5, 1.5) == RefinanceFigures(6.5, *[None] * 5)
    no_dscr = refinance_figures(4.0, 6.5, missing)
    assert (no_dscr.break_even_rate, no_dscr.proforma_dscr) == (None, None)
    assert no_dscr.required_dscr == pytest.approx(2.03125)
    no_rate = refinance_figures(4.0, missing, 1.5)
    assert (no_rate.required_dscr, no_rate.break_even_rate) == (None, pytest.approx(4.8))


def test_a_coupon_of_zero_and_a_shift_below_zero_count_as_missing():
    assert refinance_figures(0.0, 6.5, 1.5).required_dscr is None
    assert refinance_figures(4.0, 6.5, 1.5, shift_bp=-650).refi_rate is None


def test_the_annual_constant_of_the_worked_check():
    assert annual_constant(6.5, 360) == pytest.approx(0.075848, abs=5e-7)
    assert annual_constant(6.5, 0) == 0.065
    assert annual_constant(0.0, 120) == 0.1
    with pytest.raises(ValueError, match="negative"):
        annual_constant(-1.0, 360)
    with pytest.raises(ValueError, match="negative"):
        annual_constant(5.0, -1)


WORKED = {
    "rate_pct": 6.5,
    "amortization_months": 360,
    "min_dscr": 1.25,
    "min_debt_yield_pct": 9.0,
    "max_ltv": 0.60,
    "cap_rate_pct": 5.5,
}


def test_the_worked_check_of_the_design_binds_by_dscr():
    found = max_proceeds(500_000, **WORKED)
    assert round(found.by_dscr) == 5_273_694
    assert round(found.by_debt_yield) == 5_555_556
    assert round(found.by_ltv) == 5_454_545
    assert found.amount == found.by_dscr
    assert found.binding == "DSCR"


@pytest.mark.parametrize(
    ("change", "binding"),
    [
        ({"min_debt_yield_pct": 12.0}, "debt yield"),
        ({"max_ltv": 0.5}, "LTV"),
        ({"min_dscr": None}, "LTV"),
        ({"rate_pct": None, "cap_rate_pct": None}, "debt yield"),
    ],
)
def test_the_least_of_the_known_constraints_binds(change, binding):
    found = max_proceeds(500_000, **{**WORKED, **change})
    assert found.binding == binding


def test_sizing_without_inputs_is_not_testable():
    assert max_proceeds(None, **WORKED) is None
    assert max_proceeds(500_000) is None


def test_income_that_is_not_there_carries_no_debt():
    assert max_proceeds(-1.0, **WORKED) == Proceeds(0.0, 0.0, 0.0, 0.0, "DSCR")


def test_the_defaults_of_a_type_size_a_loan():
    office = sizing_of("office")
    found = max_proceeds(
        1_100_000,
        rate_pct=7.25,
        amortization_months=office.amortisation_years * 12,
        min_dscr=office.min_dscr,
        min_debt_yield_pct=office.min_debt_yield_pct,
    )
    assert round(found.by_debt_yield) == 10_000_000
    assert found.binding == "DSCR"
