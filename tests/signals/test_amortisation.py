"""Pins D38."""

from datetime import date

import numpy as np
import pytest

from services.signals.amortisation import (
    LoanTerms,
    annual_constant,
    balance_at_maturity,
    day_count_factor,
    debt_service_next_year,
    debt_service_now,
    interest_only_payments_left,
    interest_only_to_maturity,
    level_payment,
    payments_due,
    pays_interest_only,
    scheduled_balance,
    self_amortising,
    yearly_interest,
)

#: $12m at 4.80 %, 30 years of amortisation after two years of interest only, actual/360.
PARTIAL = {
    "balance": 12_000_000.0,
    "original_amount": 12_000_000.0,
    "coupon": 4.80,
    "payment_type": 5,
    "accrual": 3,
    "amortisation_months": 360,
    "interest_only_months": 24,
    "first_payment": date(2025, 1, 6),
    "maturity": date(2034, 12, 6),
}
#: 12,000,000 at 0.40 % a month over 360 months.
LEVEL = 62_959.84
#: 12,000,000 x 4.80 % x 365/360.
INTEREST = 584_000.00


def loan(as_of=date(2026, 9, 11), **changes):
    return LoanTerms.of_one(as_of, **{**PARTIAL, **changes})


def only(array):
    assert array.shape == (1,)
    return array[0]


@pytest.mark.parametrize(
    ("rate", "months", "constant"),
    [
        (6.50, 360, 0.075848),
        (4.00, 360, 0.057290),
        (6.72, 360, 0.077593),
        (7.25, 300, 0.086737),
        (6.72, 0, 0.0672),
        (0.0, 120, 0.1),
        (0.0, 0, 0.0),
    ],
)
def test_the_annual_constant_is_that_of_the_tables(rate, months, constant):
    found = annual_constant(np.array([rate]), np.array([float(months)]))
    assert only(found) == pytest.approx(constant, abs=5e-7)


@pytest.mark.parametrize(
    ("rate", "months"), [(np.nan, 360.0), (6.5, np.nan), (-0.1, 360.0), (6.5, -1.0)]
)
def test_there_is_no_constant_without_a_rate_and_a_term(rate, months):
    assert np.isnan(only(annual_constant(np.array([rate]), np.array([months]))))


def test_only_actual_360_and_actual_366_move_a_year_of_interest():
    codes = np.array([1, 2, 3, 4, 5, 6, 98, np.nan])
    expected = [1, 1, 365 / 360, 1, 365 / 366, 1, 1, 1]
    assert day_count_factor(codes).tolist() == expected
    assert only(yearly_interest(loan())) == pytest.approx(INTEREST)
    assert only(yearly_interest(loan(accrual=1))) == pytest.approx(576_000.00)


@pytest.mark.parametrize(
    ("amount", "coupon", "months", "filed"),
    [
        (45_600_000.0, 4.65, 360, 235_130.38),
        (22_000_000.0, 5.71, 300, 137_872.12),
        (9_300_000.0, 5.02, 300, 54_475.30),
        (1_900_000.0, 6.19, 360, 11_624.58),
    ],
)
def test_the_level_payment_is_the_one_that_servicers_file(amount, coupon, months, filed):
    """Amounts and payments of loans in a public filing: twelve equal months, though actual/360."""
    terms = loan(original_amount=amount, coupon=coupon, amortisation_months=months, payment_type=2)
    assert only(level_payment(terms)) == pytest.approx(filed, abs=0.005)


@pytest.mark.parametrize(
    ("filed", "used"),
    [
        (None, LEVEL),
        (0.0, LEVEL),
        (49_600.00, LEVEL),  # 31 days of interest, as filed for the first month
        (44_800.00, LEVEL),  # 28 days
        (125_919.68, LEVEL),  # of two notes
        (98_580.00, LEVEL),  # interest of three notes, as one public filing has it
        (64_100.00, 64_100.00),  # a schedule of its own
        (60_000.00, 60_000.00),
    ],
)
def test_a_filed_payment_counts_where_it_can_be_the_level_payment(filed, used):
    assert only(level_payment(loan(filed_payment=filed))) == pytest.approx(used, abs=0.005)


def test_interest_of_the_first_month_stays_interest_when_the_balance_has_fallen():
    fallen = loan(balance=11_000_000.0, filed_payment=49_600.00)
    assert only(level_payment(fallen)) == pytest.approx(LEVEL, abs=0.005)


def test_a_filed_payment_stands_alone_where_no_amortisation_term_is_known():
    terms = loan(amortisation_months=None, filed_payment=64_100.00, payment_type=2)
    assert only(level_payment(terms)) == 64_100.00
    assert np.isnan(only(level_payment(loan(amortisation_months=None, payment_type=2))))
    assert np.isnan(only(level_payment(loan(amortisation_months=0, payment_type=2))))


def test_a_loan_that_never_amortises_has_no_level_payment():
    assert np.isnan(only(level_payment(loan(payment_type=3, filed_payment=64_100.00))))
    assert np.isnan(only(level_payment(loan(payment_type=6))))


def test_the_balance_stands_for_an_original_amount_that_is_not_known():
    terms = loan(original_amount=None, balance=6_000_000.0)
    assert only(level_payment(terms)) == pytest.approx(LEVEL / 2, abs=0.005)


@pytest.mark.parametrize(
    ("as_of", "left"),
    [
        (date(2024, 12, 11), 24),
        (date(2025, 1, 5), 24),
        (date(2025, 1, 6), 23),
        (date(2026, 9, 11), 3),
        (date(2026, 12, 5), 1),
        (date(2026, 12, 6), 0),
        (date(2027, 1, 6), 0),
    ],
)
def test_interest_only_ends_so_many_payments_after_the_first(as_of, left):
    terms = loan(as_of)
    assert only(interest_only_payments_left(terms)) == left
    assert only(pays_interest_only(terms)) == (left > 0)


def test_payment_type_3_is_interest_only_to_maturity_and_5_is_not():
    assert only(interest_only_to_maturity(loan(payment_type=3)))
    assert not only(interest_only_to_maturity(loan(payment_type=5)))
    assert only(interest_only_payments_left(loan(payment_type=3))) == np.inf


def test_without_a_payment_type_the_amortisation_term_tells():
    assert only(interest_only_to_maturity(loan(payment_type=None, amortisation_months=0)))
    assert not only(interest_only_to_maturity(loan(payment_type=None)))
    assert not only(interest_only_to_maturity(loan(payment_type=None, amortisation_months=None)))
    assert not only(interest_only_to_maturity(loan(payment_type=2, amortisation_months=0)))


def test_a_partial_interest_only_loan_without_its_term_is_not_guessed():
    for unknown in ({"interest_only_months": None}, {"first_payment": None}):
        terms = loan(**unknown)
        assert np.isnan(only(interest_only_payments_left(terms)))
        assert np.isnan(only(debt_service_now(terms)))
        assert np.isnan(only(debt_service_next_year(terms)))
        assert np.isnan(only(balance_at_maturity(terms)))
        assert not only(pays_interest_only(terms))
        assert only(level_payment(terms)) == pytest.approx(LEVEL, abs=0.005)


def test_debt_service_follows_the_payments_of_the_next_year():
    """Three payments of interest are left: 3/12 of a year's interest, and nine level payments."""
    assert only(debt_service_now(loan())) == pytest.approx(INTEREST)
    mixed = INTEREST * 3 / 12 + LEVEL * 9
    assert only(debt_service_next_year(loan())) == pytest.approx(mixed, abs=0.05)
    later = loan(date(2027, 1, 11))
    assert only(debt_service_now(later)) == pytest.approx(LEVEL * 12, abs=0.06)
    assert only(debt_service_next_year(later)) == pytest.approx(LEVEL * 12, abs=0.06)
    assert only(debt_service_next_year(loan(payment_type=3))) == pytest.approx(INTEREST)


def test_a_filed_month_of_interest_is_not_a_twelfth_of_a_year():
    """49,600.00 is interest of 31 days: twelve times it would be 1.9 % too much."""
    terms = loan(payment_type=3, filed_payment=49_600.00)
    assert only(debt_service_now(terms)) == pytest.approx(INTEREST)


def test_nothing_owed_is_nothing_due():
    paid = loan(balance=0.0)
    assert only(debt_service_now(paid)) == 0
    assert only(debt_service_next_year(paid)) == 0
    assert only(balance_at_maturity(paid)) == 0


@pytest.mark.parametrize(
    ("as_of", "until", "due"),
    [
        (date(2026, 9, 11), date(2026, 10, 6), 1),
        (date(2026, 9, 5), date(2026, 10, 6), 2),
        (date(2026, 9, 6), date(2026, 10, 6), 1),
        (date(2026, 9, 11), date(2034, 12, 6), 99),
        (date(2026, 9, 11), date(2026, 9, 11), 0),
        (date(2026, 9, 11), date(2026, 1, 6), 0),
        (date(2027, 2, 28), date(2027, 3, 31), 1),  # February's is due on its last day
        (date(2027, 2, 27), date(2027, 3, 31), 2),
        (date(2024, 6, 11), date(2025, 3, 6), 3),  # none before the first payment
    ],
)
def test_payments_are_counted_by_their_day(as_of, until, due):
    days = np.array([until], dtype="datetime64[D]")
    assert only(payments_due(loan(as_of), days)) == due


def test_the_scheduled_balance_is_the_filed_one_three_years_on():
    """A loan of a public filing, 35 payments later: within a basis point of the filed balance."""
    terms = loan(
        date(2019, 1, 11),
        balance=44_384_584.0,
        original_amount=45_600_000.0,
        coupon=4.65,
        payment_type=2,
        interest_only_months=0,
        first_payment=date(2017, 5, 1),
        maturity=date(2027, 4, 1),
    )
    assert only(scheduled_balance(terms, np.array([35.0]))) == pytest.approx(42_111_950, rel=1e-4)
    on_equal_months = loan(accrual=1, balance=12_000_000.0, payment_type=2, interest_only_months=0)
    year = only(scheduled_balance(on_equal_months, np.array([12.0])))
    assert year == pytest.approx(11_816_479.36, abs=0.01)


def test_interest_only_payments_repay_nothing():
    assert only(scheduled_balance(loan(), np.array([3.0]))) == 12_000_000
    assert only(scheduled_balance(loan(), np.array([4.0]))) < 12_000_000
    assert only(scheduled_balance(loan(payment_type=3), np.array([99.0]))) == 12_000_000
    assert np.isnan(only(scheduled_balance(loan(), np.array([np.nan]))))


def test_a_balance_falls_to_nothing_and_no_further():
    terms = loan(payment_type=2, interest_only_months=0, balance=300_000.0)
    assert only(scheduled_balance(terms, np.array([99.0]))) == 0


def test_the_balloon_includes_the_payment_of_the_maturity_date():
    terms = loan(payment_type=2, interest_only_months=0)
    before = only(scheduled_balance(terms, np.array([98.0])))
    assert only(payments_due(terms, terms.maturity)) == 99
    assert only(balance_at_maturity(terms)) == before


def test_a_matured_loan_must_refinance_what_it_owes():
    assert only(balance_at_maturity(loan(maturity=date(2026, 9, 6)))) == 12_000_000
    assert np.isnan(only(balance_at_maturity(loan(maturity=None))))
    assert only(balance_at_maturity(loan(maturity=None, payment_type=3))) != 0


@pytest.mark.parametrize(
    ("payment_type", "balloon", "repaid"),
    [
        (1, 0, True),
        (1, None, True),
        (1, 1, False),
        (4, 0, True),
        (4, None, True),
        (2, 0, False),
        (3, 0, False),
        (5, None, False),
        (7, 0, False),
        (None, 0, True),
        (None, 1, False),
        (None, None, False),
    ],
)
def test_a_loan_is_self_amortising_by_type_and_flag(payment_type, balloon, repaid):
    types = np.array([np.nan if payment_type is None else payment_type])
    flags = np.array([np.nan if balloon is None else balloon])
    assert only(self_amortising(types, flags)) == repaid
    terms = loan(payment_type=payment_type)
    if repaid:
        assert only(balance_at_maturity(terms, flags)) == 0
    else:
        assert only(balance_at_maturity(terms, flags)) > 0


def test_a_missing_figure_stays_missing():
    for name in ("balance", "coupon"):
        terms = loan(**{name: None})
        for figure in (debt_service_now, debt_service_next_year, balance_at_maturity):
            assert np.isnan(only(figure(terms)))


#: $10m at 6.00 %, 30/360: a month's interest is $50,000, and $40,000 is paid.
NEGATIVE = {
    "balance": 10_000_000.0,
    "coupon": 6.0,
    "payment_type": 2,
    "accrual": 1,
    "amortisation_months": 360,
    "first_payment": date(2020, 10, 1),
    "maturity": date(2027, 9, 1),
    "filed_payment": 40_000.0,
}


def test_what_is_not_paid_of_the_interest_is_owed_at_maturity():
    # D158. Eleven payments before the balloon: 8,000,000 + 2,000,000 x 1.005 ^ 11, typed by hand.
    terms = LoanTerms.of_one(date(2026, 9, 15), **NEGATIVE, negative=True)
    assert balance_at_maturity(terms)[0] == pytest.approx(10_112_791.67, abs=0.01)
    assert debt_service_now(terms)[0] == debt_service_next_year(terms)[0] == 480_000


def test_a_payment_under_the_interest_is_a_slip_where_nothing_says_otherwise():
    # 10,000,000 over 360 months at 6.00 % is 59,955.05 a month.
    terms = LoanTerms.of_one(date(2026, 9, 15), **NEGATIVE, negative=False)
    assert balance_at_maturity(terms)[0] < 10_000_000
    assert debt_service_now(terms)[0] == pytest.approx(12 * 59_955.05, abs=0.1)


@pytest.mark.parametrize(("filed", "grows"), [(49_900.0, True), (50_000.0, False), (None, False)])
def test_only_less_than_the_interest_lets_a_balance_grow(filed, grows):
    terms = LoanTerms.of_one(
        date(2026, 9, 15), **{**NEGATIVE, "filed_payment": filed}, negative=True
    )
    assert (balance_at_maturity(terms)[0] > 10_000_000) == grows
