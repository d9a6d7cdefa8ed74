"""Rules about income, value, occupancy and leases: below, at and above each limit (D146, D275)."""

from datetime import date

import pytest

#: Far from maturity, so that CV-1 is not critical for want of time.
FAR = date(2031, 9, 30)
#: The healthy loan's statement ends on 30 June 2026; the loan was made the day after.
OF_BEFORE = {"origination_date": date(2026, 7, 1)}


def test_the_healthy_loan_is_silent_everywhere(outcome_of):
    outcome = outcome_of()
    assert outcome.rules.pop("UW-1") == "not applicable"
    assert set(outcome.rules.values()) == {"silent"}
    assert (outcome.signals, outcome.components) == ({}, [])


@pytest.mark.parametrize(
    ("kind", "dscr", "severity"),
    [
        ("office", 1.25, "silent"),
        ("office", 1.2499, "moderate"),
        ("office", 1.10, "moderate"),
        ("office", 1.0999, "elevated"),
        ("office", 1.00, "elevated"),
        ("office", 0.9999, "severe"),
        ("office", 0.0, "severe"),
        ("office", -0.5, "severe"),
        ("data center", 1.15, "moderate"),
        (None, 1.15, "moderate"),
        ("lodging", 1.25, "silent"),
        ("lodging", 1.2499, "moderate"),
        ("lodging", 1.20, "moderate"),
        ("lodging", 1.1999, "elevated"),
        ("health care", 1.20, "moderate"),
        ("health care", 1.1999, "elevated"),
        ("lodging", 0.9999, "severe"),
        # What the homes of a cooperative would rent for pays nothing: CREFC 1E leaves it out.
        ("cooperative housing", 0.9999, "not applicable"),
    ],
)
def test_cv1_grades_the_dscr_in_place(outcome_of, kind, dscr, severity):
    changes = {"property_type": kind, "dscr": dscr, "maturity_date": FAR}
    assert outcome_of(**changes).rules["CV-1"] == severity


@pytest.mark.parametrize(
    ("maturity", "noi", "severity"),
    [
        # A debt yield of 14.5 %: only time can make it critical.
        (date(2028, 10, 1), 1_450_000, "severe"),
        (date(2028, 9, 30), 1_450_000, "critical"),
        (date(2026, 9, 1), 1_450_000, "critical"),
        (None, 1_450_000, "severe"),
        # Time enough: only a debt yield 3 points under 11 % can.
        (FAR, 800_001, "severe"),
        (FAR, 800_000, "critical"),
        (FAR, -1, "critical"),
        (FAR, None, "severe"),
    ],
)
def test_cv1_is_critical_only_without_time_or_far_short_of_debt_yield(
    outcome_of, maturity, noi, severity
):
    changes = {"maturity_date": maturity, "noi": noi}
    assert outcome_of(dscr=0.9999, **changes).rules["CV-1"] == severity
    assert outcome_of(dscr=1.0, **changes).rules["CV-1"] == "elevated"


def test_cv1_counts_to_the_anticipated_repayment_date(outcome_of):
    soon = outcome_of(dscr=0.9, maturity_date=date(2046, 1, 1), ard_date=date(2028, 9, 30))
    assert soon.rules["CV-1"] == "critical"


def test_an_underwritten_dscr_never_hides_a_filed_one_under_one(outcome_of):
    filed = outcome_of(dscr=0.85, underwritten_dscr=4.0, maturity_date=FAR)
    assert filed.rules["CV-1"] == "severe"
    assert "DSCR 0.85x (NCF, Jul 2025-Jun 2026, 12 months)" in filed.said["stress_indicator"]


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        (14_285_715, "silent"),  # 69.9999965 %
        (14_285_714, "moderate"),  # 70.0000014 %
        (12_500_000, "moderate"),  # 80 %
        (12_499_999, "elevated"),
        (10_000_000, "elevated"),  # 100 %
        (9_999_999, "severe"),
        (5_000_000, "severe"),
    ],
)
def test_lv1_grades_the_loan_to_value(outcome_of, value, severity):
    assert outcome_of(value=value).rules["LV-1"] == severity


def test_lv1_on_a_limit_is_milder(outcome_of):
    assert outcome_of(book_value=7_000_000, value=10_000_000).rules["LV-1"] == "silent"


@pytest.mark.parametrize(
    ("kind", "noi", "severity"),
    [
        ("office", 1_000_001, "silent"),
        ("office", 1_000_000, "moderate"),
        ("office", 800_001, "moderate"),
        ("office", 800_000, "elevated"),
        ("office", 0, "elevated"),
        ("office", -50_000, "elevated"),
        ("multifamily", 700_001, "silent"),
        ("multifamily", 700_000, "moderate"),
        ("multifamily", 500_000, "elevated"),
        ("manufactured housing", 750_000, "moderate"),
        ("cooperative housing", 700_000, "moderate"),
        ("industrial", 800_000, "moderate"),
        ("industrial", 800_001, "silent"),
        ("warehouse", 600_000, "elevated"),
        ("self storage", 800_000, "moderate"),
        ("retail", 900_000, "moderate"),
        ("mixed use", 700_000, "elevated"),
        ("lodging", 1_100_000, "moderate"),
        ("lodging", 1_100_001, "silent"),
        ("health care", 900_000, "elevated"),
        ("other", 900_000, "moderate"),
        ("data center", 900_000, "moderate"),
        ("data center", 900_001, "silent"),
    ],
)
def test_dy1_grades_the_debt_yield_against_the_minimum_of_the_type(outcome_of, kind, noi, severity):
    assert outcome_of(property_type=kind, noi=noi).rules["DY-1"] == severity


@pytest.mark.parametrize(
    ("noi", "severity"),
    [
        (2_000_000, "silent"),
        (1_305_001, "silent"),
        (1_305_000, "moderate"),  # 10 % under 1,450,000
        (1_160_001, "moderate"),
        (1_160_000, "elevated"),  # 20 %
        (870_001, "elevated"),
        (870_000, "severe"),  # 40 %
        (0, "severe"),
        (-1_000_000, "severe"),
    ],
)
def test_ni1_grades_the_fall_of_noi_since_underwriting(outcome_of, noi, severity):
    assert outcome_of(noi=noi).rules["NI-1"] == severity


@pytest.mark.parametrize(
    ("dscr", "severity"),
    [
        (1.8001, "silent"),
        (1.80, "moderate"),  # 10 % under 2.00x
        (1.6001, "moderate"),
        (1.60, "elevated"),  # 20 %
        (1.2001, "elevated"),
        (1.20, "severe"),  # 40 %
        (-0.1, "severe"),
    ],
)
def test_ni1_grades_the_fall_of_dscr_where_it_is_the_worse(outcome_of, dscr, severity):
    assert outcome_of(dscr=dscr).rules["NI-1"] == severity
    # 10 % less NOI is moderate by itself, and never hides the DSCR.
    with_noi = outcome_of(dscr=dscr, noi=1_305_000).rules["NI-1"]
    assert with_noi == ("moderate" if severity == "silent" else severity)


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        # Both on NCF, both on NOI.
        ({}, "elevated"),
        ({"ncf": None, "underwritten_ncf": None}, "elevated"),
        # One on NOI, the other on NCF: only NOI, which stands, is compared.
        ({"ncf": None}, "silent"),
        ({"income_basis": "NOI, Jul 2025-Jun 2026, 12 months"}, "silent"),
        ({"underwritten_ncf": None}, "silent"),
        ({"underwritten_dscr": None}, "silent"),
        ({"underwritten_dscr": 0}, "silent"),
        ({"underwritten_noi": None}, "elevated"),
        ({"noi": None}, "elevated"),
    ],
)
def test_ni1_compares_a_dscr_only_with_one_of_the_same_income(outcome_of, changes, result):
    assert outcome_of(dscr=1.5, **changes).rules["NI-1"] == result


def test_ni1_looks_only_at_a_filed_period(outcome_of):
    """Without one the income in place is the underwritten one, or of a day that nobody states."""
    missing = "no NOI or DSCR of a period since the loan was made, or none underwritten"
    assert outcome_of(noi=1, income_to=None).rules["NI-1"] == missing
    assert outcome_of(noi=None, dscr=None).rules["NI-1"] == missing
    then = {"noi": 1, "underwritten_dscr": None}
    assert outcome_of(**then, underwritten_noi=None).rules["NI-1"] == missing
    assert outcome_of(**then, underwritten_noi=0).rules["NI-1"] == missing


@pytest.mark.parametrize(
    ("service", "severity"),
    [
        (None, "severe"),  # 0.70x in place against 2.00x is 65 %
        (770_000, "severe"),  # 1.1 times 1,400,000 / 2.00
        (770_001, "silent"),  # NCF as underwritten, on more debt
    ],
)
def test_ni1_compares_income_alone_where_the_service_filed_is_of_more_debt(
    outcome_of, service, severity
):
    assert outcome_of(dscr=0.7, filed_debt_service=service).rules["NI-1"] == severity


@pytest.mark.parametrize(
    ("ncf", "severity"),
    [(1_260_001, "silent"), (1_260_000, "moderate"), (840_000, "severe"), (-5, "severe")],
)
def test_ni1_of_more_debt_goes_by_the_fall_of_ncf(outcome_of, ncf, severity):
    """Of the underwritten 1,400,000: 10 % and 40 % less."""
    of_all = {"filed_debt_service": 2_000_000, "dscr": ncf / 2_000_000}
    assert outcome_of(ncf=ncf, **of_all).rules["NI-1"] == severity


def test_income_of_before_the_loan_is_no_income_in_place(outcome_of):
    """30 June 2026 is before 1 July and 30 June is not."""
    earlier = outcome_of(dscr=0.5, noi=900_000, **OF_BEFORE)
    assert earlier.rules["CV-1"] == "no DSCR of a period since the loan was made"
    missing = "no NOI or DSCR of a period since the loan was made, or none underwritten"
    assert earlier.rules["NI-1"] == missing
    on_the_day = outcome_of(dscr=0.5, noi=900_000, origination_date=date(2026, 6, 30))
    assert (on_the_day.rules["CV-1"], on_the_day.rules["NI-1"]) == ("severe", "severe")
    assert on_the_day.rules["UW-1"] == "not applicable"


@pytest.mark.parametrize(
    ("noi", "severity"),
    [
        (1_450_000, "silent"),
        (1_318_182, "silent"),
        (1_318_181, "moderate"),  # 1,450,000 is 10 % above
        (1_160_001, "moderate"),
        (1_160_000, "elevated"),  # 25 %
        (1, "elevated"),
        (0, "no NOI above 0 of before the loan, or none underwritten"),
        (-1, "no NOI above 0 of before the loan, or none underwritten"),
        (None, "no NOI above 0 of before the loan, or none underwritten"),
    ],
)
def test_uw1_grades_underwriting_above_the_income_of_before_the_loan(outcome_of, noi, severity):
    assert outcome_of(noi=noi, **OF_BEFORE).rules["UW-1"] == severity


def test_uw1_needs_an_underwritten_noi(outcome_of):
    found = outcome_of(underwritten_noi=None, **OF_BEFORE)
    assert found.rules["UW-1"] == "no NOI above 0 of before the loan, or none underwritten"


def test_a_refinance_gap_on_income_of_before_the_loan_is_elevated_at_most(outcome_of):
    """46 % four months before maturity: critical on income in place."""
    near = {"maturity_date": date(2027, 1, 30), "ncf": 600_000}
    assert outcome_of(**near).rules["RG-1"] == "critical"
    assert outcome_of(**near, **OF_BEFORE).rules["RG-1"] == "elevated"


@pytest.mark.parametrize(
    ("before", "now", "severity"),
    [
        # Points under underwriting.
        (0.97, 0.8201, "silent"),
        (0.97, 0.82, "moderate"),
        (0.59, 0.4401, "silent"),
        (0.59, 0.44, "moderate"),
        (0.59, 0.2901, "moderate"),
        (0.55, 0.25, "elevated"),
        (0.55, 0.2501, "moderate"),
        # Or a level that underwriting had.
        (0.90, 0.80, "silent"),
        (0.90, 0.7999, "moderate"),
        (0.80, 0.7999, "moderate"),
        (0.7999, 0.79, "silent"),
        (0.85, 0.60, "moderate"),
        (0.85, 0.5999, "elevated"),
        (0.60, 0.5999, "elevated"),
        (0.5999, 0.58, "silent"),
        (0.95, 1.00, "silent"),
        (0.95, 0.0, "elevated"),
    ],
)
def test_oc1_grades_points_lost_or_a_level_that_underwriting_had(outcome_of, before, now, severity):
    outcome = outcome_of(underwritten_occupancy=before, occupancy=now)
    assert outcome.rules["OC-1"] == severity


@pytest.mark.parametrize(
    ("square_feet", "severity"),
    [(29_999, "silent"), (30_000, "moderate"), (49_999, "moderate"), (50_000, "elevated"),
     (400_000, "elevated")],
)  # fmt: skip
def test_lr1_grades_the_area_whose_leases_end_within_a_year(outcome_of, square_feet, severity):
    assert outcome_of(leases=[(square_feet, date(2027, 6, 30))]).rules["LR-1"] == severity


@pytest.mark.parametrize(
    ("ends", "severity"),
    [
        (date(2026, 9, 29), "silent"),  # ended before today: vacant or renewed, not rolling
        (date(2026, 9, 30), "moderate"),
        (date(2027, 9, 30), "moderate"),
        (date(2027, 10, 1), "silent"),
    ],
)
def test_lr1_counts_leases_that_end_from_today_to_twelve_months_hence(outcome_of, ends, severity):
    assert outcome_of(leases=[(30_000, ends)]).rules["LR-1"] == severity


def test_lr1_adds_the_leases_of_one_loan(outcome_of):
    soon, late = date(2027, 3, 31), date(2032, 3, 31)
    three = [(15_000, soon), (15_000, soon), (60_000, late)]
    assert outcome_of(leases=three).rules["LR-1"] == "moderate"
    assert outcome_of(leases=three[1:]).rules["LR-1"] == "silent"
