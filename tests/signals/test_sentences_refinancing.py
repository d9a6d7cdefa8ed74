"""What rules of maturity, refinancing and rates say, typed by hand (D25, D149, D275)."""

from dataclasses import replace
from datetime import date

import pytest

OFFICE = "10-year Treasury 4.50% on 31 Aug 2026 + 245 bp for office"
RATE = "at a refi rate of 6.95%,"
YEAR = "(Jul 2025-Jun 2026, 12 months)"
#: 21 months to maturity, and income that moves nothing.
SHORT = "is short of the 1.40x that lenders ask of office"
NEAR = {"maturity_date": date(2028, 6, 30), "ncf": 730_000, "dscr": 1.3}


def says(outcome, signal_type, sentence):
    assert outcome.said[signal_type] == f"{sentence} As of 30 Sep 2026."


@pytest.mark.parametrize(
    ("maturity", "value", "sentence"),
    [
        (
            date(2029, 3, 30),
            12_500_000,
            (
                f"New proceeds of $8,750,000, bound by an LTV of 70% on a value of $12,500,000 "
                f"{RATE} leave 12.5% of the balance at "
                "maturity uncovered, $1,250,000 short, at or over the 10% limit for moderate; "
                "due in 30 months."
            ),
        ),
        (
            date(2029, 3, 30),
            10_000_000,
            (
                f"New proceeds of $7,000,000, bound by an LTV of 70% on a value of $10,000,000 "
                f"{RATE} leave 30% of the balance at "
                "maturity uncovered, $3,000,000 short, at or over the 25% limit for elevated; "
                "due in 30 months."
            ),
        ),
        (
            date(2027, 6, 30),
            10_000_000,
            (
                f"New proceeds of $7,000,000, bound by an LTV of 70% on a value of $10,000,000 "
                f"{RATE} leave 30% of the balance at "
                "maturity uncovered, $3,000,000 short, at or over the 25% limit for severe inside "
                "12 months; due in 9 months. "
                "Matures on 30 Jun 2027, in 9 months, at or under the 12-month limit for moderate."
            ),
        ),
        (
            date(2027, 1, 30),
            8_000_000,
            (
                f"New proceeds of $5,600,000, bound by an LTV of 70% on a value of $8,000,000 "
                f"{RATE} leave 44% of the balance at "
                "maturity uncovered, $4,400,000 short, at or over the 40% limit for critical "
                "inside 6 months; due in 4 months. "
                "Matures on 30 Jan 2027, in 4 months, at or under the 12-month limit for moderate."
            ),
        ),
        (
            date(2026, 8, 30),
            10_000_000,
            (
                f"New proceeds of $7,000,000, bound by an LTV of 70% on a value of $10,000,000 "
                f"{RATE} leave 30% of the balance at "
                "maturity uncovered, $3,000,000 short, at or over the 25% limit for critical past "
                "maturity; due 31 days ago. "
                "Matured on 30 Aug 2026, 31 days ago, with a book value of $10,000,000: past "
                "maturity with a balance is severe."
            ),
        ),
    ],
)
def test_rg1_names_proceeds_what_binds_them_gap_and_window(outcome_of, maturity, value, sentence):
    says(outcome_of(maturity_date=maturity, value=value), "maturity_timing", sentence)


@pytest.mark.parametrize(("structure", "least"), [("PP", ""), ("A1", "at least ")])
def test_rg1_of_a_note_names_the_share_of_the_note(outcome_of, structure, least):
    """A whole loan of 1,400,000 / 1.00 / 6.95 % = 20,143,885, of which the note is 10,000,000."""
    says(
        outcome_of(structure=structure, underwritten_dscr=1.0),
        "maturity_timing",
        f"New proceeds of $12,589,107, bound by a DSCR of 1.40x on NCF of $1,400,000 {YEAR} {RATE} "
        f"leave {least}37.5% of the balance at maturity uncovered, {least}$3,750,407 short on this "
        "note, at or over the 25% limit for elevated; due in 30 months.",
    )


@pytest.mark.parametrize(
    ("changes", "bound"),
    [
        ({"ncf": 700_000}, f"a DSCR of 1.40x on NCF of $700,000 {YEAR} at"),
        (
            {"noi": 700_000, "ncf": None},
            f"a DSCR of 1.40x on NOI of $700,000 {YEAR}, without an NCF after reserves, at",
        ),
        ({"noi": 700_000}, f"a debt yield of 11.00% on NOI of $700,000 {YEAR} at"),
        ({"value": 9_000_000}, "an LTV of 70% on a value of $9,000,000 at"),
        ({"ncf": 700_000, "income_basis": None}, "a DSCR of 1.40x on NCF of $700,000 at"),
    ],
)
def test_rg1_names_the_limit_that_binds_and_what_it_is_sized_on(outcome_of, changes, bound):
    found = outcome_of(**changes).said["maturity_timing"]
    assert f", bound by {bound} a refi rate of 6.95%, leave " in found


def test_rg1_says_what_a_part_of_a_year_keeps_it_from(outcome_of):
    """A gap of 46 % four months before maturity would be critical: 428,571 a year at 6.95% over 30
    years carries $5,395,332 of 10 million.
    """
    of = {"income_basis": "NCF, Apr-Jun 2026, 3 months", "income_from": date(2026, 4, 1)}
    found = outcome_of(**of, maturity_date=date(2027, 1, 30), ncf=600_000)
    assert found.rules["RG-1"] == "elevated"
    assert (
        "$4,604,668 short, at or over the 25% limit for elevated; due in 4 months; no "
        "worse than elevated, as the income covers 3 months. Matures"
        in found.said["maturity_timing"]
    )


def test_rg1_by_value_does_not_mind_a_part_of_a_year(outcome_of):
    """70 % of $8,000,000 is $5,600,000: no income would change that (D245)."""
    of = {"income_basis": "NCF, Apr-Jun 2026, 3 months", "income_from": date(2026, 4, 1)}
    found = outcome_of(**of, maturity_date=date(2027, 1, 30), value=8_000_000)
    assert found.rules["RG-1"] == "critical"
    assert "as the income covers" not in found.said["maturity_timing"].partition("short,")[2]


def test_rg1_says_where_the_ten_year_stands_in(outcome_of):
    outcome = outcome_of(value=12_500_000, original_term_months=None)
    assert (
        "at a refi rate of 6.95% (10-year, as the original term is not known), leave"
        in (outcome.said["maturity_timing"])
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"maturity_date": date(2027, 6, 30)},
            "Matures on 30 Jun 2027, in 9 months, at or under the 12-month limit for moderate.",
        ),
        (
            {"maturity_date": date(2027, 9, 29)},
            "Matures on 29 Sep 2027, in 11 months, at or under the 12-month limit for moderate.",
        ),
        (
            {"maturity_date": date(2049, 6, 30), "ard_date": date(2027, 6, 30)},
            (
                "Anticipated repayment on 30 Jun 2027, in 9 months, at or under the 12-month limit "
                "for moderate."
            ),
        ),
        (
            {"maturity_date": date(2026, 6, 30), "noi": None},
            (
                "Matured on 30 Jun 2026, 3 months ago, with a book value of $10,000,000: past "
                "maturity with a balance is severe."
            ),
        ),
        (
            {"maturity_date": date(2049, 6, 30), "ard_date": date(2026, 6, 30), "noi": None},
            (
                "Anticipated repayment on 30 Jun 2026, 3 months ago, with a book value of "
                "$10,000,000: past maturity with a balance is severe."
            ),
        ),
    ],
)
def test_mt1_names_the_date_and_the_limit(outcome_of, changes, sentence):
    says(outcome_of(**changes), "maturity_timing", sentence)


@pytest.mark.parametrize(
    ("coupon", "ncf", "gap", "limit", "evidence"),
    [
        (5.50, 730_000, "145 bp", "100 bp limit for moderate", f"1.05x {SHORT}: moderate"),
        (4.50, 730_000, "245 bp", "200 bp limit for elevated", f"1.05x {SHORT}: elevated"),
        (3.50, 730_000, "345 bp", "300 bp limit for severe", f"1.05x {SHORT}: severe"),
        (3.50, 900_000, "345 bp", "300 bp limit for severe", f"1.29x {SHORT}: severe"),
        # 695,000 of interest x 1.40 is 973,000.
        (3.50, 972_000, "345 bp", "300 bp limit for severe", f"1.399x {SHORT}: severe"),
        (
            3.50,
            600_000,
            "345 bp",
            "300 bp limit for severe",
            f"0.86x {SHORT}, so one step higher: critical",
        ),
        (
            3.50,
            973_000,
            "345 bp",
            "300 bp limit for severe",
            "1.40x meets the 1.40x that lenders ask of office, so 2 steps lower: moderate",
        ),
    ],
)
def test_rp1_names_rate_gap_urgency_and_evidence(outcome_of, coupon, ncf, gap, limit, evidence):
    says(
        outcome_of(**(NEAR | {"interest_rate": coupon, "ncf": ncf})),
        "rate_pressure",
        f"Refi rate 6.95% ({OFFICE}) is {gap} above the {coupon:.2f}% coupon, at or over the "
        f"{limit}; due in 21 months, so it counts in full; DSCR at the refi rate {evidence}.",
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"maturity_date": date(2029, 3, 30)}, "; due in 30 months, so one step lower; DSCR"),
        ({"maturity_date": date(2028, 10, 1)}, "; due in over 24 months, so one step lower; DSCR"),
        ({"maturity_date": date(2031, 3, 30)}, "; due in 54 months, so two steps lower; DSCR"),
        ({"maturity_date": date(2026, 8, 30)}, "; due 31 days ago, so it counts in full; DSCR"),
        ({"ncf": None, "noi": None}, "; income is unknown: severe. As of"),
        (
            {"amortization_months": None, "payment_type": "2"},
            "; DSCR at the refi rate is unknown: severe. As of",
        ),
    ],
)
def test_rp1_says_how_far_off_maturity_is_and_what_is_unknown(outcome_of, changes, said):
    outcome = outcome_of(**(NEAR | {"interest_rate": 3.5} | changes))
    assert said in outcome.said["rate_pressure"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"dscr": 1.6}, f"1.05x {SHORT}; DSCR in place, 1.60x, meets it: no worse than elevated."),
        (
            {"dscr": 1.4, "ncf": 600_000},
            (
                f"0.86x {SHORT}, so one step higher; DSCR in place, 1.40x, meets it: no worse than "
                "elevated."
            ),
        ),
        (
            {"dscr": 1.6, "ncf": None, "noi": None},
            (
                "income is unknown; DSCR in place, 1.60x, meets the 1.40x that lenders ask of "
                "office: no worse than elevated."
            ),
        ),
        # Elevated by itself: nothing is held.
        ({"dscr": 1.6, "interest_rate": 4.5}, f"1.05x {SHORT}: elevated."),
    ],
)
def test_rp1_says_what_the_dscr_in_place_holds_it_to(outcome_of, changes, said):
    outcome = outcome_of(**(NEAR | {"interest_rate": 3.5} | changes))
    assert outcome.said["rate_pressure"].endswith(f"{said} As of 30 Sep 2026.")


def test_rp1_names_the_treasury_of_the_tenor_and_the_default_spread(outcome_of):
    five = outcome_of(**NEAR, interest_rate=4.0, original_term_months=60)
    treasury = "5-year Treasury 4.00% on 31 Aug 2026 + 245 bp for office"
    assert f"Refi rate 6.45% ({treasury}) is" in five.said["rate_pressure"]
    other = outcome_of(
        **NEAR, interest_rate=4.0, original_term_months=None, property_type="data center"
    )
    treasury = "10-year Treasury 4.50% on 31 Aug 2026 + 225 bp for data center, the default"
    unknown = "10-year, as the original term is not known"
    assert f"Refi rate 6.75% ({treasury}; {unknown}) is" in other.said["rate_pressure"]


def test_rp1_says_which_tenor_the_date_lacks(outcome_of, assumptions):
    quotes = tuple(one for one in assumptions.rates.quotes if one.series == "DGS10")
    ten_only = replace(assumptions, rates=replace(assumptions.rates, quotes=quotes))
    seven = outcome_of(**NEAR, using=ten_only, interest_rate=4.0, original_term_months=84)
    missing = "10-year, as there is no 7-year Treasury of that date"
    assert f"({OFFICE}; {missing}) is" in seven.said["rate_pressure"]


@pytest.mark.parametrize(
    ("maturity", "far"),
    [
        (date(2026, 9, 30), "today"),
        (date(2026, 10, 1), "in 1 day"),
        (date(2026, 10, 5), "in 5 days"),
        (date(2026, 11, 29), "in 60 days"),
        (date(2026, 11, 30), "in 2 months"),
        (date(2027, 1, 25), "in 3 months"),
        (date(2026, 9, 29), "1 day ago"),
        (date(2026, 9, 25), "5 days ago"),
        (date(2026, 7, 31), "61 days ago"),
        (date(2026, 7, 30), "2 months ago"),
        (date(2025, 6, 15), "15 months ago"),
    ],
)
def test_a_time_is_told_in_days_under_two_months_and_in_whole_months_beyond(
    outcome_of, maturity, far
):
    said = outcome_of(maturity_date=maturity, value=6_000_000, dscr=0.9, interest_rate=3.5).said
    assert f" {maturity.day} " in said["maturity_timing"]
    assert f", {far}, " in said["maturity_timing"]
    assert f"; due {far}. " in said["maturity_timing"]
    assert f"; due {far}, so it counts in full;" in said["rate_pressure"]
    assert f", with the loan due {far}." in said["stress_indicator"]


def test_a_dscr_is_as_filed_where_income_is_made_a_year_s(outcome_of):
    said = outcome_of(
        dscr=0.9,
        noi=700_000,
        income_basis="NCF, 1 Oct 2025 to 30 Jun 2026, 9 months, annualised",
        income_from=date(2025, 10, 1),
    ).said["stress_indicator"]
    filed = "(NCF, 1 Oct 2025 to 30 Jun 2026, 9 months, as filed)"
    scaled = "(1 Oct 2025 to 30 Jun 2026, 9 months, annualised)"
    assert f"DSCR 0.90x {filed} is under" in said
    assert f"NOI $700,000 {scaled}" in said
    assert said.count("annualised") == said.count(f" {scaled}")
