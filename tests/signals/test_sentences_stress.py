"""What the rules of a property's trouble say, typed by hand: every severity."""

from datetime import date

import pytest

INCOME = "(NCF, Jul 2025-Jun 2026, 12 months)"
NINE = "(NCF, Oct 2025-Jun 2026, 9 months)"
PERIOD = "(Jul 2025-Jun 2026, 12 months)"
FAR = date(2031, 9, 30)


def says(outcome, sentence):
    assert outcome.said["stress_indicator"] == f"{sentence} As of 30 Sep 2026."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"payment_status": "b"},
            "Payment status B (late, less than 30 days) is graded moderate.",
        ),
        (
            {"payment_status": "1"},
            "Payment status 1 (30-59 days delinquent) is graded elevated.",
        ),
        (
            {"payment_status": "4"},
            "Payment status 4 (performing matured balloon) is graded severe.",
        ),
        (
            {"payment_status": "3"},
            "Payment status 3 (90 or more days delinquent) is graded critical.",
        ),
        ({"workout": "7", "payment_status": None}, "Workout 7 (REO) is graded critical."),
        (
            {"workout": "7", "payment_status": "5"},
            (
                "Payment status 5 (non-performing matured balloon) and workout 7 (REO) are graded "
                "critical."
            ),
        ),
        (
            {"modification": "10", "modified_on": date(2026, 5, 1)},
            "Modification (forbearance) of 1 May 2026 is graded severe.",
        ),
        (
            {"modification": "2", "modified_on": date(2021, 3, 15)},
            "Modification (amortization change) of 15 Mar 2021 is graded moderate.",
        ),
        ({"modification": "10"}, "Modification (forbearance) without a date is graded moderate."),
        (
            {"special_servicing_since": date(2026, 5, 1)},
            "Special servicing since 1 May 2026 is graded severe.",
        ),
        (
            {"payment_status": "1", "special_servicing_since": date(2026, 5, 1)},
            "Special servicing since 1 May 2026 is graded severe.",
        ),
        (
            {
                "payment_status": "2",
                "workout": "13",
                "special_servicing_since": date(2026, 5, 1),
            },
            (
                "Payment status 2 (60-89 days delinquent), workout 13 (to be determined) and "
                "special servicing since 1 May 2026 are graded severe."
            ),
        ),
    ],
)
def test_st1_names_what_grades_the_loan(outcome_of, changes, sentence):
    says(outcome_of(**changes), sentence)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"dscr": 1.2496}, f"DSCR 1.2496x {INCOME} is under the 1.25x limit for moderate."),
        ({"dscr": 1.05}, f"DSCR 1.05x {INCOME} is under the 1.10x limit for elevated."),
        (
            {"dscr": 1.15, "property_type": "lodging"},
            f"DSCR 1.15x {INCOME} is under the 1.20x limit for elevated (lodging).",
        ),
        ({"dscr": 0.95}, f"DSCR 0.95x {INCOME} is under the 1.00x limit for severe."),
        (
            {"dscr": -0.1, "maturity_date": date(2028, 9, 30)},
            (
                f"DSCR −0.10x {INCOME} is under the 1.00x limit for critical, with the loan due in "
                "24 months."
            ),
        ),
        (
            {"dscr": 0.95, "maturity_date": date(2026, 8, 30)},
            (
                f"DSCR 0.95x {INCOME} is under the 1.00x limit for critical, with the loan due "
                "31 days ago."
            ),
        ),
        (
            {"dscr": 0.95, "noi": 800_000, "underwritten_noi": None},
            (
                f"DSCR 0.95x {INCOME} is under the 1.00x limit for critical, with a debt yield of "
                f"8.00% (minimum 11.00%). Debt yield 8.00%, NOI $800,000 {PERIOD} / book value "
                "$10,000,000, is at or under the 8.00% limit for elevated (minimum for office "
                "11.00%)."
            ),
        ),
        (
            {"dscr": 1.249, "income_basis": None},
            "DSCR 1.249x is under the 1.25x limit for moderate.",
        ),
    ],
)
def test_cv1_names_the_income_and_why_it_is_critical(outcome_of, changes, sentence):
    # NI-1 has its own sentences below.
    terms = {"maturity_date": FAR, "underwritten_dscr": None}
    says(outcome_of(**terms | changes), sentence)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"value": 14_000_000},
            (
                "LTV 71.4% (book value $10,000,000 / value $14,000,000 of 31 Jan 2026) is over the "
                "70% limit for moderate."
            ),
        ),
        (
            {"value": 14_285_000, "value_date": None},
            (
                "LTV 70.004% (book value $10,000,000 / value $14,285,000) is over the 70% limit "
                "for moderate."
            ),
        ),
        (
            {"value": 12_000_000, "value_date": date(2024, 9, 29)},
            (
                "LTV 83.3% (book value $10,000,000 / value $12,000,000 of 29 Sep 2024, stale) is "
                "over the 80% limit for elevated."
            ),
        ),
        (
            {"value": 12_000_000, "value_date": date(2024, 9, 30)},
            (
                "LTV 83.3% (book value $10,000,000 / value $12,000,000 of 30 Sep 2024) is over the "
                "80% limit for elevated."
            ),
        ),
        (
            {"value": 9_000_000},
            (
                "LTV 111.1% (book value $10,000,000 / value $9,000,000 of 31 Jan 2026) is over the "
                "100% limit for severe."
            ),
        ),
    ],
)
def test_lv1_names_debt_value_and_the_day_of_the_appraisal(outcome_of, changes, sentence):
    says(outcome_of(maturity_date=FAR, **changes), sentence)


@pytest.mark.parametrize(
    ("structure", "basis", "least", "most"),
    [
        ("PP", "implied by underwriting", "", ""),
        ("A1", "senior part only, by underwriting", "at least ", "at most "),
    ],
)
def test_a_note_is_measured_as_the_larger_loan_that_it_is_of(
    outcome_of, structure, basis, least, most
):
    """1,400,000 / 1.00 / 6.95 % = 20,143,885."""
    debt = f"whole-loan debt $20,143,885, {basis}"
    says(
        outcome_of(structure=structure, underwritten_dscr=1.0),
        f"LTV {least}100.7% ({debt} / value $20,000,000 of 31 Jan 2026) is over the 100% limit for "
        f"severe. Debt yield {most}7.20%, NOI $1,450,000 {PERIOD} / {debt}, is at or under the "
        "8.00% limit for elevated (minimum for office 11.00%).",
    )


@pytest.mark.parametrize(
    ("noi", "sentence"),
    [
        (
            1_000_000,
            (
                f"Debt yield 10.00%, NOI $1,000,000 {PERIOD} / book value $10,000,000, is at or "
                "under the 10.00% limit for moderate (minimum for office 11.00%)."
            ),
        ),
        (
            -5_000,
            (
                f"Debt yield −0.05%, NOI −$5,000 {PERIOD} / book value $10,000,000, is at or under "
                "the 8.00% limit for elevated (minimum for office 11.00%)."
            ),
        ),
    ],
)
def test_dy1_names_income_debt_and_the_minimum_of_the_type(outcome_of, noi, sentence):
    says(outcome_of(noi=noi, underwritten_noi=None, maturity_date=FAR), sentence)


@pytest.mark.parametrize(
    ("noi", "sentence"),
    [
        (
            1_305_000,
            (
                f"NOI $1,305,000 {PERIOD} is 10% under the underwritten $1,450,000, at or over the "
                "10% limit for moderate."
            ),
        ),
        (
            1_160_000,
            (
                f"NOI $1,160,000 {PERIOD} is 20% under the underwritten $1,450,000, at or over the "
                "20% limit for elevated."
            ),
        ),
        (
            870_000,
            (
                f"NOI $870,000 {PERIOD} is 40% under the underwritten $1,450,000, at or over the "
                "40% limit for severe."
            ),
        ),
    ],
)
def test_ni1_names_both_incomes(outcome_of, noi, sentence):
    says(outcome_of(noi=noi, property_type=None), sentence)


def test_ni1_names_the_one_that_fell_further(outcome_of):
    fallen = f"DSCR 1.50x {INCOME} is 25% under the underwritten 2.00x, at or over the 20% limit"
    says(outcome_of(noi=1_300_000, dscr=1.5, property_type=None), f"{fallen} for elevated.")
    says(outcome_of(noi=None, dscr=1.5, property_type=None), f"{fallen} for elevated.")
    noi = f"NOI $1,000,000 {PERIOD} is 31% under the underwritten $1,450,000"
    says(
        outcome_of(noi=1_000_000, dscr=1.5, property_type=None),
        f"{noi}, at or over the 20% limit for elevated.",
    )


def test_ni1_of_more_debt_names_both_incomes(outcome_of):
    of_all = {"ncf": 1_120_000, "filed_debt_service": 860_000, "dscr": 1.3}
    says(
        outcome_of(property_type=None, **of_all),
        f"NCF $1,120,000 {PERIOD} is 20% under the underwritten $1,400,000, at or over the 20% "
        "limit for elevated.",
    )


def test_uw1_names_both_incomes_and_the_period(outcome_of):
    says(
        outcome_of(noi=1_160_000, property_type=None, origination_date=date(2026, 7, 1)),
        f"Underwritten NOI $1,450,000 is 25% above the $1,160,000 {PERIOD[:-1]}, before the "
        "loan), at or over the 25% limit for elevated.",
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"dscr": 0.95, "property_type": "lodging"},
            (
                f"DSCR 0.95x {NINE} is under the 1.20x limit for elevated "
                "(lodging); no worse than elevated, as the income covers 9 months."
            ),
        ),
        (
            {"dscr": 0.95, "maturity_date": date(2028, 9, 30)},
            (
                f"DSCR 0.95x {NINE} is under the 1.00x limit for severe; no "
                "worse than severe, as the income covers 9 months."
            ),
        ),
        (
            {"dscr": 0.95},
            f"DSCR 0.95x {NINE} is under the 1.00x limit for severe.",
        ),
    ],
)
def test_a_part_of_a_year_says_what_it_keeps_a_rule_from(outcome_of, changes, sentence):
    of = {
        "income_basis": NINE[1:-1],
        "income_from": date(2025, 10, 1),
        "underwritten_dscr": None,
        "maturity_date": FAR,
    }
    says(outcome_of(**of | changes), sentence)


@pytest.mark.parametrize(
    ("before", "now", "sentence"),
    [
        (
            0.95,
            0.80,
            (
                "Occupancy 80% is 15 points under the underwritten 95%, at or over the 15-point "
                "limit for moderate."
            ),
        ),
        (0.90, 0.79, "Occupancy 79% is under the 80% level for moderate (90% when underwritten)."),
        (
            0.95,
            0.55,
            (
                "Occupancy 55% is 40 points under the underwritten 95%, at or over the 30-point "
                "limit for elevated."
            ),
        ),
        (0.85, 0.59, "Occupancy 59% is under the 60% level for elevated (85% when underwritten)."),
    ],
)
def test_oc1_names_the_points_lost_or_the_level(outcome_of, before, now, sentence):
    says(outcome_of(underwritten_occupancy=before, occupancy=now), sentence)


@pytest.mark.parametrize(
    ("square_feet", "share", "limit", "severity"),
    [(31_300, "31.3%", "30%", "moderate"), (50_000, "50%", "50%", "elevated")],
)
def test_lr1_names_the_share_of_the_area(outcome_of, square_feet, share, limit, severity):
    says(
        outcome_of(leases=[(square_feet, date(2027, 3, 31))]),
        f"{share} of the area is let to the largest tenants by leases that end within 12 months, "
        f"at or over the {limit} limit for {severity}.",
    )


def test_the_sentences_of_one_signal_come_worst_first_then_by_rule(outcome_of):
    outcome = outcome_of(
        dscr=1.2, underwritten_dscr=1.2, payment_status="1", occupancy=0.75, maturity_date=FAR
    )
    assert outcome.signals == {"stress_indicator": "elevated"}
    says(
        outcome,
        "Payment status 1 (30-59 days delinquent) is graded elevated. "
        f"DSCR 1.20x {INCOME} is under the 1.25x limit for moderate. "
        "Occupancy 75% is 20 points under the underwritten 95%, at or over the 15-point limit for "
        "moderate.",
    )


@pytest.mark.parametrize(
    ("ends", "marked"), [(date(2025, 9, 30), ""), (date(2025, 9, 29), ", stale")]
)
def test_income_that_ended_over_12_months_ago_is_marked(outcome_of, ends, marked):
    of = {"income_basis": "NCF, a year", "income_from": None, "income_to": ends}
    said = outcome_of(**of, dscr=1.2, noi=1_000_000).said["stress_indicator"]
    assert f"DSCR 1.20x (NCF, a year{marked}) is under the 1.25x" in said
    assert f"NOI $1,000,000 (a year{marked}) / book value" in said
