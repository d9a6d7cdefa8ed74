"""RP-1: the rate gap, then urgency, then evidence (D25, D40, D148, D275)."""

from dataclasses import replace
from datetime import date

import pytest

from services.rates.reference import Quote, ReferenceRates

WORDS = ("low", "moderate", "elevated", "severe", "critical")
#: Pro-forma DSCR 1.05x of an interest-only loan of 10,000,000 at 6.95 %, in place under the 1.40x
#: of offices: neither moves anything.
NEUTRAL = {"ncf": 730_000, "dscr": 1.3, "maturity_date": date(2028, 9, 30)}


@pytest.mark.parametrize(
    ("coupon", "severity"),
    [
        (8.00, "silent"),
        (6.95, "silent"),
        (5.9501, "silent"),
        (5.95, "moderate"),
        (4.9501, "moderate"),
        (4.95, "elevated"),
        (3.9501, "elevated"),
        (3.95, "severe"),
        (0.01, "severe"),
    ],
)
def test_rp1_grades_the_rate_gap(outcome_of, coupon, severity):
    outcome = outcome_of(interest_rate=coupon, **NEUTRAL)
    assert outcome.rules["RP-1"] == severity
    assert outcome.features["rate_pressure"] == severity.replace("silent", "low")
    assert outcome.signals.get("rate_pressure", "silent") == severity


@pytest.mark.parametrize(
    ("maturity", "steps"),
    [
        (date(2025, 9, 30), 0),
        (date(2026, 9, 30), 0),
        (date(2028, 9, 30), 0),
        (date(2028, 10, 1), 1),
        (date(2029, 9, 30), 1),
        (date(2029, 10, 1), 2),
        (date(2031, 9, 30), 2),
        (date(2031, 10, 1), 4),
        (date(2046, 9, 30), 4),
    ],
)
@pytest.mark.parametrize(("coupon", "rank"), [(6, 0), (5, 1), (4.5, 2), (3, 3)])
def test_rp1_counts_less_the_further_maturity_is(outcome_of, maturity, steps, coupon, rank):
    changes = {**NEUTRAL, "interest_rate": coupon, "maturity_date": maturity}
    found = outcome_of(**changes).features
    assert found["rate_pressure"] == WORDS[max(0, rank - steps)]


@pytest.mark.parametrize(
    ("income", "steps"),
    [
        (1_400_000, 2),
        (973_000, 2),  # 1.40x of 695,000, what lenders ask of offices
        (972_999.99, 0),
        (868_750, 0),  # 1.25x
        (764_499, 0),
        (695_000, 0),  # 1.00x
        (694_999, -1),
        (0, -1),
        (-5, -1),
        (None, 0),
    ],
)
@pytest.mark.parametrize(("coupon", "rank"), [(6, 0), (5, 1), (4.5, 2), (3, 3)])
def test_rp1_moves_by_what_income_makes_of_the_refi_rate(outcome_of, income, steps, coupon, rank):
    """Dollars and cents, for the minimum is one to the cent."""
    changes = {"interest_rate": coupon, "ncf": income, "noi": income and income + 1}
    outcome = outcome_of(**{**NEUTRAL, **changes})
    expected = WORDS[max(0, rank - steps)] if rank else "low"
    assert outcome.features["rate_pressure"] == expected
    assert outcome.signals.get("rate_pressure", "low") == expected


def test_rp1_is_never_critical_where_income_is_unknown(outcome_of):
    changes = {**NEUTRAL, "interest_rate": 0.5, "ncf": None, "noi": None}
    outcome = outcome_of(**changes)
    assert outcome.rules["RP-1"] == "severe"
    assert outcome.said["rate_pressure"].endswith("income is unknown: severe. As of 30 Sep 2026.")


def test_rp1_without_a_maturity_date_is_not_testable(outcome_of):
    """A gap of 395 bp is pressure only where somebody has to refinance, and when is not known."""
    found = outcome_of(**(NEUTRAL | {"interest_rate": 3, "maturity_date": None}))
    assert found.rules["RP-1"] == "no maturity date"
    assert found.features["rate_pressure"] is None


@pytest.mark.parametrize(
    ("kind", "dscr", "ncf", "severity"),
    [
        ("office", 1.3999, 730_000, "severe"),
        ("office", 1.40, 730_000, "elevated"),
        ("office", 1.40, 694_999, "elevated"),  # critical by the gap and 1.00x
        ("office", 1.3999, 694_999, "critical"),
        ("office", None, 730_000, "severe"),
        ("multifamily", 1.2499, 730_000, "severe"),
        ("multifamily", 1.25, 730_000, "elevated"),
        ("office", 2.0, 973_000, "moderate"),  # two steps lower already
    ],
)
def test_rp1_is_elevated_at_most_where_income_covers_the_debt(
    outcome_of, kind, dscr, ncf, severity
):
    changes = {"property_type": kind, "dscr": dscr, "ncf": ncf, "interest_rate": 3}
    assert outcome_of(**(NEUTRAL | changes)).rules["RP-1"] == severity


def test_a_dscr_of_before_the_loan_holds_no_rate_gap(outcome_of):
    made = {"origination_date": date(2026, 7, 1), "dscr": 1.6, "interest_rate": 3}
    assert outcome_of(**(NEUTRAL | made)).rules["RP-1"] == "severe"


def test_rp1_adds_the_steps_of_urgency_and_evidence(outcome_of):
    """300 bp at 30 months with a pro-forma DSCR under 1.00x: one step lower, one higher."""
    late = {"interest_rate": 3.95, "maturity_date": date(2029, 3, 30), "dscr": 1.3}
    assert outcome_of(**late, ncf=694_999).features["rate_pressure"] == "severe"
    assert outcome_of(**late, ncf=730_000).features["rate_pressure"] == "elevated"
    assert outcome_of(**late, ncf=900_000).features["rate_pressure"] == "elevated"
    assert outcome_of(**late, ncf=973_000).features["rate_pressure"] == "low"


@pytest.mark.parametrize(
    ("kind", "spread", "minimum"),
    [
        ("multifamily", 205, 1.25),
        ("self storage", 200, 1.30),
        ("retail", 225, 1.35),
        ("office", 245, 1.40),
        ("lodging", 300, 1.50),
        ("data center", 225, 1.35),  # another type
    ],
)
def test_rp1_is_eased_only_where_the_minimum_of_the_type_is_met(outcome_of, kind, spread, minimum):
    """Interest of a year on 10,000,000 at 4.50 % and the spread, times the type's minimum."""
    enough = round(10_000_000 * (0.045 + spread / 10_000) * minimum)
    changes = {**NEUTRAL, "property_type": kind, "interest_rate": 3, "dscr": 1.2}
    assert outcome_of(**changes | {"ncf": enough}).rules["RP-1"] == "moderate"
    assert outcome_of(**changes | {"ncf": enough - 1}).rules["RP-1"] == "severe"


def test_rp1_grades_in_the_convention_in_which_the_loan_pays(outcome_of):
    """NCF 730,000 is 1.05x of interest alone, 0.92x of the amortising payment."""
    level = outcome_of(interest_rate=4.95, **NEUTRAL)
    amortising = outcome_of(
        interest_rate=4.95,
        payment_type="2",
        amortization_months=36_000,  # next to nothing is repaid
        **NEUTRAL,
    )
    assert level.features["refi_convention"] == "interest only"
    assert level.features["proforma_dscr"] == pytest.approx(1.0504, abs=5e-5)
    assert level.rules["RP-1"] == "elevated"
    assert amortising.features["refi_convention"] == "amortising"
    assert amortising.features["proforma_dscr"] == pytest.approx(0.919, abs=5e-4)
    assert amortising.rules["RP-1"] == "severe"


def test_a_gap_on_its_limit_is_not_moved_off_it_by_rounding_noise(outcome_of, assumptions, as_of):
    # In floating point (5.77 - 3.77) * 100 is 199.99999999999994.
    quoted = ReferenceRates("test", (Quote("DGS10", as_of, 3.32),))
    using = replace(assumptions, rates=quoted)
    outcome = outcome_of(using=using, interest_rate=3.77, **(NEUTRAL | {"ncf": 600_000}))
    assert outcome.features["rate_gap_bp"] == 200.0
    assert outcome.rules["RP-1"] == "elevated"
