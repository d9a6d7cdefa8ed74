"""Pins D22 and D153."""

from datetime import date

import numpy as np
import pytest

from services.signals.amortisation import LoanTerms
from services.signals.whole_loan_debt import (
    JUNIOR_PART,
    PARI_PASSU,
    SENIOR_PART,
    STRUCTURES,
    UNKNOWN_STRUCTURE,
    WHOLE,
    appraisal_is_stale,
    debt_at_maturity,
    debt_yield,
    loan_to_value,
    underwriting_constant,
    whole_loan_debt,
)

#: A note of 15.0 of 45.0 million, 25 years of amortisation, as one public filing states it.
NOTE = {
    "balance": 15_000_000.0,
    "original_amount": 15_000_000.0,
    "coupon": 5.16,
    "payment_type": 2,
    "accrual": 3,
    "amortisation_months": 300,
    "interest_only_months": 0,
    "first_payment": date(2017, 6, 11),
    "maturity": date(2027, 5, 11),
}
UNDERWRITTEN_NCF = 8_773_759.0
UNDERWRITTEN_DSCR = 2.74


def whole(structure, ncf=UNDERWRITTEN_NCF, dscr=UNDERWRITTEN_DSCR, filed=None, **changes):
    terms = LoanTerms.of_one(date(2017, 6, 1), **{**NOTE, **changes})
    figures = (np.array([np.nan if one is None else one]) for one in (ncf, dscr, filed))
    return whole_loan_debt(terms, np.array([float(structure)]), *figures)


def found(*stated, **changes):
    of = whole(*stated, **changes)
    return of.debt[0], bool(of.derived[0]), bool(of.at_least[0])


#: 75 Broad Street, record 7 of UBS 2017-C1 as of December 2019: an A note of 33.0 million.
BROAD = {
    "balance": 33_000_000.0,
    "original_amount": 33_000_000.0,
    "coupon": 4.0767,
    "payment_type": 3,
    "amortisation_months": None,
    "interest_only_months": 120,
    "first_payment": date(2017, 5, 5),
    "maturity": date(2027, 4, 5),
}


@pytest.mark.parametrize("structure", [SENIOR_PART, JUNIOR_PART])
def test_the_debt_service_filed_is_the_second_witness(structure):
    """Underwriting speaks of the A notes, 15,850,232 / 4.17 a year; 10,012,145 a year is paid."""
    of = whole(structure, 15_850_232.0, 4.17, 10_012_145.0, **BROAD)
    constant = 0.040767 * 365 / 360
    assert of.debt[0] == pytest.approx(10_012_145 / constant)
    assert of.debt[0] == pytest.approx(242_231_000, abs=1_000)
    senior = 15_850_232 / 4.17 / constant
    assert senior == pytest.approx(91_960_000, abs=5_000)
    assert of.rank_debt[0] == pytest.approx(senior if structure == SENIOR_PART else of.debt[0])
    assert (bool(of.by_service[0]), bool(of.at_least[0]), bool(of.derived[0])) == (
        True,
        False,
        False,
    )


def test_the_second_witness_speaks_from_a_tenth_over_what_is_implied():
    implied = 15_850_232 / 4.17
    for filed, told in ((implied * 1.0999, False), (implied * 1.1001, True), (implied / 2, False)):
        of = whole(SENIOR_PART, 15_850_232.0, 4.17, filed, **BROAD)
        assert (bool(of.by_service[0]), bool(of.at_least[0])) == (told, not told)
    for structure in (WHOLE, PARI_PASSU, UNKNOWN_STRUCTURE):
        assert not whole(structure, 15_850_232.0, 4.17, 10_012_145.0, **BROAD).by_service[0]


def test_without_underwriting_the_witness_is_held_against_the_note_itself():
    of = whole(SENIOR_PART, None, None, 10_012_145.0, **BROAD)
    assert of.debt[0] == pytest.approx(242_231_000, abs=1_000)
    assert of.rank_debt[0] == 33_000_000


def test_a_pari_passu_note_is_led_back_to_its_whole_loan():
    debt, derived, senior = found(PARI_PASSU)
    assert debt == pytest.approx(45_000_000, rel=0.002)
    assert debt == pytest.approx(8_773_759 / 2.74 / (12 * 89_092.47 / 15_000_000), abs=5)
    assert (derived, senior) == (True, False)


def test_the_whole_loan_falls_as_its_note_falls():
    debt, _, _ = found(PARI_PASSU)
    assert found(PARI_PASSU, balance=13_500_000.0)[0] == pytest.approx(debt * 0.9)
    assert found(PARI_PASSU, balance=0.0) == (0.0, True, False)


@pytest.mark.parametrize("ncf", [UNDERWRITTEN_NCF, 99_000_000.0, None, -1.0])
@pytest.mark.parametrize("payment_type", [1, 2, 3, 4, 5, None])
def test_a_whole_loan_is_never_a_part_of_a_larger_loan(payment_type, ncf):
    of = found(WHOLE, ncf=ncf, payment_type=payment_type, interest_only_months=24)
    assert of == (15_000_000.0, False, False)


def test_underwriting_counts_the_amortising_payment_also_while_interest_only():
    """49 whole loans of one trust give their balance back so; on interest alone 1.27 times it."""
    partial = LoanTerms.of_one(
        date(2017, 6, 1), **{**NOTE, "payment_type": 5, "interest_only_months": 60}
    )
    assert underwriting_constant(partial)[0] == pytest.approx(12 * 89_092.47 / 15e6, abs=1e-8)
    throughout = LoanTerms.of_one(date(2017, 6, 1), **{**NOTE, "payment_type": 3})
    assert underwriting_constant(throughout)[0] == pytest.approx(0.0516 * 365 / 360)


def test_day_count_is_not_mistaken_for_a_larger_loan():
    """70,000,000 at 6.03 % interest only, NCF 7,570,181.65, DSCR 1.77: a whole loan, as filed."""
    terms = {"balance": 70e6, "original_amount": 70e6, "coupon": 6.03, "payment_type": 3}
    debt, _, _ = found(PARI_PASSU, 7_570_181.65, 1.77, **terms)
    assert debt == pytest.approx(70e6, rel=0.0028)


def test_without_underwriting_a_note_has_no_whole_loan():
    for ncf, dscr in ((None, 2.74), (1e6, None), (-1e6, 2.74), (1e6, 0.0), (1e6, -1.0)):
        debt, derived, senior = found(PARI_PASSU, ncf, dscr)
        assert np.isnan(debt)
        assert (derived, senior) == (False, False)


def test_the_senior_part_is_a_lower_bound():
    debt, derived, senior = found(SENIOR_PART)
    assert debt == pytest.approx(45_000_000, rel=0.002)
    assert (derived, senior) == (True, True)
    assert found(SENIOR_PART, ncf=None) == (15_000_000.0, False, True)


def test_a_whole_loan_is_never_smaller_than_its_note():
    assert found(PARI_PASSU, ncf=1_000_000.0)[0] == 15_000_000
    assert found(SENIOR_PART, ncf=1_000_000.0)[0] == 15_000_000


def test_a_structure_that_the_schema_does_not_have_is_not_guessed():
    debt, derived, senior = found(UNKNOWN_STRUCTURE)
    assert np.isnan(debt)
    assert (derived, senior) == (False, False)


def test_without_a_balance_there_is_no_debt():
    for structure in (WHOLE, PARI_PASSU, SENIOR_PART):
        debt, _, senior = found(structure, balance=None)
        assert np.isnan(debt)
        assert not senior


def test_a_slip_of_the_pen_is_no_loan():
    assert np.isnan(found(PARI_PASSU, ncf=1e16)[0])


def test_every_structure_code_of_the_schema_has_a_meaning():
    assert set(STRUCTURES) == {"WL", "PP", "A1", "A2", "B1", "B2", "C2", "MZ"}


def test_notes_of_one_loan_amortise_alike():
    figures = (np.array([45e6, np.nan, 45e6, 0.0]), np.array([15e6, 15e6, 0.0, 0.0]))
    at_maturity = np.array([12e6, 12e6, 0.0, 0.0])
    np.testing.assert_array_equal(debt_at_maturity(*figures, at_maturity), [36e6, np.nan, 0.0, 0.0])


def test_ratios_to_the_property():
    debt = np.array([45e6, 45e6, 45e6, np.nan, 0.0])
    value = np.array([60e6, 0.0, np.nan, 60e6, 60e6])
    np.testing.assert_allclose(loan_to_value(debt, value), [0.75, np.nan, np.nan, np.nan, 0.0])
    noi = np.array([4.5e6, -4.5e6, np.nan, 4.5e6, 4.5e6])
    np.testing.assert_allclose(debt_yield(noi, debt), [10.0, -10.0, np.nan, np.nan, np.nan])


def test_an_appraisal_is_stale_after_24_months():
    appraised = ["2024-09-10", "2024-09-11", "2026-09-11", "NaT"]
    days = np.array(appraised, dtype="datetime64[D]")
    assert appraisal_is_stale(date(2026, 9, 11), days).tolist() == [True, False, False, False]
