"""D22: notes of larger loans, whose income and value are those of the whole property."""

import numpy as np
import pytest

from services.signals.refinance import annual_constant
from services.signals.whole_loan import annual_constants

TRUST = "the trust holds part of the loan"


def test_the_worked_trap_does_not_show_a_debt_yield_of_296_percent(outcome_of):
    # One note of 25,000,000 at 5 % of a loan whose property earns 74,000,000: naively 296 %.
    outcome = outcome_of(
        book_value=25_000_000,
        interest_rate=5.0,
        noi=74_000_000,
        ncf=72_000_000,
        dscr=2.4,
        value=1_200_000_000,
        structure="A1",
    )
    # 72,000,000 / 2.4 = 30,000,000 a year, at 5 % 600,000,000.
    assert outcome.features["partial_note"] is True
    assert outcome.features["whole_loan_debt"] == 600_000_000
    assert outcome.features["whole_loan_basis"] == "derived"
    assert outcome.features["debt_yield"] == pytest.approx(100 * 74 / 600)
    assert outcome.features["ltv"] == 0.5
    assert outcome.rules["DY-1"] == "silent"


@pytest.mark.parametrize(
    ("noi", "partial", "debt"),
    [
        # The note's own debt service is 725,000; 1.2 times that is 870,000.
        (1_740_000, False, 10_000_000),
        (1_740_002, True, 12_000_014),
        (2_900_000, True, 20_000_000),
    ],
)
def test_income_over_dscr_beyond_the_ratio_tells_a_note(outcome_of, noi, partial, debt):
    found = outcome_of(noi=noi, dscr=2.0).features
    assert found["partial_note"] is partial
    assert found["whole_loan_debt"] == debt
    assert found["whole_loan_basis"] == ("derived" if partial else None)


@pytest.mark.parametrize("code", ["PP", "A1", "A2", "B1", "B2", "C2", "pp"])
def test_the_structure_code_alone_tells_a_note(outcome_of, code):
    known = outcome_of(structure=code)
    assert known.features["partial_note"] is True
    assert known.features["whole_loan_debt"] == 10_000_000
    assert known.features["whole_loan_basis"] == "derived"
    unknown = outcome_of(structure=code, dscr=None)
    assert unknown.features["partial_note"] is True
    assert unknown.features["whole_loan_debt"] is None
    assert unknown.features["whole_loan_basis"] is None
    assert unknown.rules["LV-1"] == TRUST
    assert unknown.rules["DY-1"] == TRUST


@pytest.mark.parametrize("code", ["WL", "MZ", None, "", "98"])
def test_other_structure_codes_are_whole_loans(outcome_of, code):
    assert outcome_of(structure=code).features["partial_note"] is False


def test_the_whole_loan_is_never_smaller_than_the_note(outcome_of):
    found = outcome_of(structure="PP", noi=1_000_000, dscr=2.0).features
    assert found["whole_loan_debt"] == 10_000_000
    assert found["whole_loan_basis"] == "derived"


@pytest.mark.parametrize("change", [{"noi": None}, {"interest_rate": None}, {"noi": -5}])
def test_a_note_without_what_implies_the_debt_is_not_testable(outcome_of, change):
    outcome = outcome_of(structure="PP", **change)
    assert outcome.features["whole_loan_debt"] is None
    assert outcome.rules["LV-1"] == TRUST


def test_an_amortising_loan_pays_its_constant_and_is_no_note(outcome_of):
    # D38
    # At 4 % over 30 years the constant is 1.43 times the coupon: D22 as written would flag it.
    service = 10_000_000 * annual_constant(4.0, 360)
    loan = {"interest_rate": 4.0, "amortization_months": 360, "noi": round(2 * service)}
    assert outcome_of(**loan, dscr=2.0).features["partial_note"] is False
    loan["noi"] *= 3
    found = outcome_of(**loan, dscr=2.0).features
    assert found["partial_note"] is True
    assert found["whole_loan_debt"] == pytest.approx(30_000_000, abs=50)


def test_a_seasoned_amortising_loan_still_pays_on_its_original_amount(outcome_of):
    # D38
    # Ten years into thirty, 78.8 % of the loan is left and the payment is what it was.
    service = 10_000_000 * annual_constant(4.0, 360)
    loan = {
        "book_value": 7_880_000,
        "interest_rate": 4.0,
        "amortization_months": 360,
        "noi": round(2 * service),
        "dscr": 2.0,
    }
    assert outcome_of(**loan).features["partial_note"] is True
    known = outcome_of(**loan, original_amount=10_000_000).features
    assert known["partial_note"] is False
    assert known["whole_loan_debt"] == 7_880_000


def test_an_unknown_amortisation_errs_towards_whole_and_implies_nothing(outcome_of):
    service = 10_000_000 * annual_constant(4.0, 360)
    loan = {"interest_rate": 4.0, "amortization_months": None, "dscr": 2.0}
    assert outcome_of(**loan, noi=round(2 * service)).features["partial_note"] is False
    outcome = outcome_of(**loan, noi=round(6 * service))
    assert outcome.features["partial_note"] is True
    assert outcome.rules["DY-1"] == TRUST


def test_the_income_is_the_one_that_the_dscr_rests_on(outcome_of):
    both = {"noi": 2_900_000, "ncf": 1_450_000, "dscr": 2.0}
    assert outcome_of(**both).features["partial_note"] is False
    assert outcome_of(**both, income_basis="NCF, underwritten").features["partial_note"] is False
    assert outcome_of(**both, income_basis="NOI, underwritten").features["partial_note"] is True


@pytest.mark.parametrize("change", [{"dscr": 1e-300}, {"dscr": 0.0}, {"noi": 2**62, "dscr": 1e-9}])
def test_absurd_figures_imply_no_debt_and_do_not_overflow(outcome_of, change):
    found = outcome_of(structure="PP", **change).features
    assert found["whole_loan_debt"] is None


def test_constants_of_arrays_agree_with_the_formula_for_one():
    rates = np.array([4.0, 6.5, 12.0, 0.5, 6.5, 6.5, np.nan, 6.5])
    months = np.array([360.0, 360, 300, 120, 0, 1, 360, np.nan])
    found = annual_constants(rates, months)
    expected = [annual_constant(r, int(m)) for r, m in zip(rates[:6], months[:6], strict=True)]
    np.testing.assert_allclose(found[:6], expected, rtol=1e-12)
    assert np.isnan(found[6:]).all()
    assert found[1] == pytest.approx(0.075848, abs=5e-7)
