"""Each number of limits.toml below, at and above, typed by hand."""

from datetime import date

import pytest

from services.rates.reference import Quote, ReferenceRates

LATER = {"one": date(2029, 10, 1), "two": date(2031, 10, 1)}


@pytest.mark.parametrize(
    ("coupon", "severity"),
    [
        (8.00, "silent"),
        (7.25, "silent"),
        (7.2499, "moderate"),
        (6.2501, "moderate"),
        (6.25, "elevated"),
        (5.2501, "elevated"),
        (5.25, "severe"),
        (4.2501, "severe"),
        (4.25, "critical"),
        (0.01, "critical"),
    ],
)
def test_rp1_grades_the_rate_gap(outcome_of, coupon, severity):
    outcome = outcome_of(interest_rate=coupon)
    assert outcome.rules["RP-1"] == severity
    assert outcome.features["rate_pressure"] == severity.replace("silent", "low")
    assert outcome.signals.get("rate_pressure", "silent") == severity


@pytest.mark.parametrize(
    ("maturity", "steps"),
    [
        (date(2025, 9, 30), 0),
        (date(2026, 9, 30), 0),
        (date(2029, 9, 30), 0),
        (LATER["one"], 1),
        (date(2031, 9, 30), 1),
        (LATER["two"], 2),
        (date(2046, 9, 30), 2),
        (None, 0),
    ],
)
@pytest.mark.parametrize(("coupon", "rank"), [(8, 0), (7, 1), (6, 2), (5, 3), (4, 4)])
def test_rp1_urgency_counts_the_months_to_maturity(outcome_of, maturity, steps, coupon, rank):
    # D25, D40
    words = ["low", "moderate", "elevated", "severe", "critical"]
    expected = words[max(0, rank - steps)]
    outcome = outcome_of(interest_rate=coupon, maturity_date=maturity)
    assert outcome.features["rate_pressure"] == expected
    assert outcome.signals.get("rate_pressure", "low") == expected


@pytest.mark.parametrize(
    ("kind", "dscr", "value", "severity"),
    [
        ("retail", 1.25, 10**8, "silent"),
        ("retail", 1.2499, 10**8, "moderate"),
        ("retail", 1.10, 10**8, "moderate"),
        ("retail", 1.0999, 10**8, "elevated"),
        ("retail", 1.0999, 12_500_000, "elevated"),
        ("retail", 1.0999, 12_499_999, "severe"),
        ("retail", 1.0999, None, "elevated"),
        ("retail", 1.00, 10**7, "severe"),
        ("retail", 0.9999, 10**8, "critical"),
        ("office", 1.10, 10**7, "moderate"),
        ("office", 1.0999, 10**8, "severe"),
        ("lodging", 1.0999, None, "severe"),
        ("office", 0.9999, 10**8, "critical"),
    ],
)
def test_rp4_grades_the_dscr_at_the_refi_rate(outcome_of, kind, dscr, value, severity):
    coupon = {"retail": 6.75, "office": 7.25, "lodging": 7.5}[kind]
    outcome = outcome_of(property_type=kind, interest_rate=coupon, dscr=dscr, value=value, noi=None)
    assert outcome.features["proforma_dscr"] == dscr
    assert outcome.rules["RP-4"] == severity


@pytest.mark.parametrize(
    ("maturity", "result"),
    [
        (date(2029, 9, 30), "critical"),
        (date(2029, 10, 1), "not applicable"),
        (date(2020, 1, 1), "critical"),
        (None, "no maturity date"),
    ],
)
def test_rp4_looks_only_inside_its_window(outcome_of, maturity, result):
    assert outcome_of(dscr=0.5, noi=None, maturity_date=maturity).rules["RP-4"] == result


@pytest.mark.parametrize(
    ("maturity", "severity"),
    [
        (date(2028, 10, 1), "silent"),
        (date(2028, 9, 30), "moderate"),
        (date(2028, 3, 31), "moderate"),
        (date(2028, 3, 30), "elevated"),
        (date(2027, 10, 1), "elevated"),
        (date(2027, 9, 30), "severe"),
        (date(2026, 12, 31), "severe"),
        (date(2026, 12, 30), "critical"),
        (date(2026, 9, 30), "critical"),
        (date(2026, 9, 29), "critical"),
        (date(2016, 9, 30), "critical"),
    ],
)
def test_mt1_grades_the_months_to_maturity(outcome_of, maturity, severity):
    assert outcome_of(maturity_date=maturity).rules["MT-1"] == severity


def test_mt1_past_maturity_needs_a_balance(outcome_of):
    past, ahead = date(2026, 9, 29), date(2027, 1, 1)
    assert outcome_of(maturity_date=past, book_value=1).rules["MT-1"] == "critical"
    assert outcome_of(maturity_date=past, book_value=0).rules["MT-1"] == "not applicable"
    unknown = outcome_of(maturity_date=past, book_value=None)
    assert unknown.rules["MT-1"] == "past maturity, and no book value"
    assert outcome_of(maturity_date=ahead, book_value=None).rules["MT-1"] == "severe"


@pytest.mark.parametrize(
    ("kind", "noi", "severity"),
    [
        ("office", 1_100_000, "silent"),
        ("office", 1_099_999, "moderate"),
        ("office", 1_000_000, "moderate"),
        ("office", 999_999, "elevated"),
        ("office", 900_000, "elevated"),
        ("office", 899_999, "severe"),
        ("office", 800_000, "severe"),
        ("office", 799_999, "critical"),
        ("office", 0, "critical"),
        ("office", -50_000, "critical"),
        ("multifamily", 800_000, "silent"),
        ("multifamily", 700_000, "moderate"),
        ("multifamily", 699_999, "elevated"),
        ("manufactured housing", 750_000, "moderate"),
        ("manufactured housing", 749_999, "elevated"),
        ("lodging", 1_199_999, "moderate"),
        ("data center", 1_000_000, "silent"),
        ("data center", 999_999, "moderate"),
    ],
)
def test_dy1_grades_the_debt_yield_against_the_minimum_of_the_type(outcome_of, kind, noi, severity):
    assert outcome_of(property_type=kind, noi=noi, dscr=None).rules["DY-1"] == severity


@pytest.mark.parametrize(
    ("kind", "dscr", "severity"),
    [
        ("office", 1.25, "silent"),
        ("office", 1.2499, "moderate"),
        ("office", 1.20, "moderate"),
        ("office", 1.1999, "elevated"),
        ("office", 1.10, "elevated"),
        ("office", 1.0999, "severe"),
        ("office", 1.00, "severe"),
        ("office", 0.9999, "critical"),
        ("office", -0.5, "critical"),
        ("lodging", 1.35, "silent"),
        ("lodging", 1.3499, "elevated"),
        ("lodging", 1.20, "elevated"),
        ("lodging", 1.1999, "severe"),
        ("health care", 1.35, "silent"),
        ("health care", 1.3499, "elevated"),
        ("health care", 1.20, "elevated"),
        ("health care", 1.1999, "severe"),
        ("health care", 1.00, "severe"),
        ("health care", 0.9999, "critical"),
        (None, 1.30, "silent"),
        (None, 1.1999, "elevated"),
    ],
)
def test_cv1_grades_the_dscr(outcome_of, kind, dscr, severity):
    assert outcome_of(property_type=kind, dscr=dscr, noi=None).rules["CV-1"] == severity


@pytest.mark.parametrize(
    ("debt", "severity"),
    [
        (65_000_000, "silent"),
        (65_000_001, "moderate"),
        (70_000_000, "moderate"),
        (70_000_001, "elevated"),
        (80_000_000, "elevated"),
        (80_000_001, "severe"),
        (100_000_000, "severe"),
        (100_000_001, "critical"),
    ],
)
def test_lv1_grades_debt_over_value(outcome_of, debt, severity):
    assert outcome_of(book_value=debt, value=100_000_000, noi=None).rules["LV-1"] == severity


@pytest.mark.parametrize(
    ("payment", "workout", "result"),
    [
        ("0", None, "silent"),
        ("A", None, "silent"),
        ("a", "1", "silent"),
        ("B", None, "moderate"),
        ("1", None, "elevated"),
        ("2", None, "severe"),
        ("4", None, "severe"),
        ("3", None, "critical"),
        ("5", None, "critical"),
        ("0", "2", "critical"),
        ("0", "7", "critical"),
        (None, "7", "critical"),
        ("6", "2", "critical"),
        ("0", "13", "silent"),
        ("6", None, "payment status is not ranked"),
        ("30", None, "payment status is not ranked"),
        (None, "1", "no payment status"),
        ("", None, "no payment status"),
        (None, None, "no payment status"),
    ],
)
def test_st1_grades_codes_and_never_reads_them_as_numbers(outcome_of, payment, workout, result):
    outcome = outcome_of(payment_status=payment, workout=workout)
    assert outcome.rules["ST-1"] == result
    for component in outcome.components:
        assert (component["rule"], component["value"], component["limit"]) == ("ST-1", None, None)


def test_the_healthy_loan_is_silent_everywhere(outcome_of):
    outcome = outcome_of()
    assert set(outcome.rules.values()) == {"silent"}
    assert outcome.signals == {}
    assert outcome.components == []


def test_a_loan_that_has_been_paid_off_concerns_no_rule(outcome_of):
    outcome = outcome_of(
        book_value=0, interest_rate=2.0, dscr=0.5, payment_status="3", noi=None, value=None
    )
    assert set(outcome.rules.values()) == {"not applicable"}
    assert outcome.features["rate_pressure"] is None


def test_a_gap_on_its_limit_is_not_moved_off_it_by_rounding_noise(outcome_of, as_of):
    # In floating point (5.77 - 3.77) * 100 is 199.99999999999994.
    three = ReferenceRates("test", (Quote("DGS10", as_of, 3.02),))
    outcome = outcome_of(using=three, interest_rate=3.77)
    assert outcome.features["rate_gap_bp"] == 200.0
    assert outcome.rules["RP-1"] == "severe"
