"""Income of a part of a year carries no worse than its length allows (D145, D245)."""

from datetime import date

import pytest

#: First day of a period that ends on 30 June 2026, by its length in months.
FROM = {
    3: date(2026, 4, 1),
    5: date(2026, 2, 1),
    6: date(2026, 1, 1),
    9: date(2025, 10, 1),
    11: date(2025, 8, 1),
    12: date(2025, 7, 1),
}
#: Due in four months: a DSCR under 1.00x and a gap of over half, which income alone opens, are
#: critical by themselves.
SOON = {"maturity_date": date(2027, 1, 30), "value": 40_000_000, "dscr": 0.5, "noi": 500_000}

OTHER = [(3, "elevated"), (5, "elevated"), (6, "severe"), (9, "severe"), (11, "severe"),
         (12, "critical")]  # fmt: skip
LODGING = [(3, "elevated"), (6, "elevated"), (11, "elevated"), (12, "critical")]


@pytest.mark.parametrize(
    ("kind", "months", "worst"),
    [
        *[("office", *pair) for pair in OTHER],
        *[("health care", *pair) for pair in OTHER],
        *[(None, *pair) for pair in OTHER],
        *[("lodging", *pair) for pair in LODGING],
    ],
)
def test_what_rests_on_a_part_of_a_year_is_no_worse_than_it_carries(
    outcome_of, kind, months, worst
):
    rules = outcome_of(**SOON, property_type=kind, income_from=FROM[months]).rules
    assert rules["CV-1"] == worst
    assert rules["NI-1"] == {"critical": "severe"}.get(worst, worst)  # it has no critical
    if kind is not None:
        assert rules["RG-1"] == worst


@pytest.mark.parametrize(
    ("value", "found", "why"),
    [
        # Of 70 % 5,600,000 are lent: 44 % are missing, whatever the other months earn.
        (8_000_000, "critical", "bound by an LTV of 70% on a value of $8,000,000"),
        (40_000_000, "elevated", "no worse than elevated, as the income covers 3 months"),
    ],
)
def test_a_gap_that_the_value_alone_opens_does_not_rest_on_income(outcome_of, value, found, why):
    earns = {"noi": 700_000, "ncf": 680_000} if value > 9_000_000 else {}
    asked = {"maturity_date": date(2027, 1, 30), "income_from": FROM[3], "value": value}
    outcome = outcome_of(**asked, **earns)
    assert outcome.rules["RG-1"] == found
    sentence = outcome.said["maturity_timing"]
    assert why in sentence
    assert ("as the income covers" in sentence) == (found != "critical")


def test_a_gap_that_the_value_opens_stays_when_a_higher_rate_binds(outcome_of):
    """Of 70 % of 9,000,000, 6,300,000, 37 % are missing: severe, whatever income would lend."""
    asked = {"maturity_date": date(2027, 1, 30), "income_from": FROM[3], "value": 9_000_000}
    for income, bound in ((1_450_000, "an LTV"), (700_000, "a DSCR")):
        found = outcome_of(**asked, noi=income, ncf=income - 50_000)
        assert found.rules["RG-1"] == "severe"
        assert f"bound by {bound}" in found.said["maturity_timing"]
    assert "no worse than severe, as the income covers 3 months" in found.said["maturity_timing"]


@pytest.mark.parametrize("months", [3, 12])
def test_other_rules_do_not_ask_how_long_the_period_is(outcome_of, months):
    worse = {"maturity_date": date(2026, 8, 1), "value": 6_000_000, "occupancy": 0.1}
    found = outcome_of(**SOON | worse, income_from=FROM[months], payment_status="3")
    named = {rule: found.rules[rule] for rule in ("ST-1", "LV-1", "DY-1", "OC-1", "MT-1")}
    assert named == {
        "ST-1": "critical",
        "LV-1": "severe",
        "DY-1": "elevated",
        "OC-1": "elevated",
        "MT-1": "severe",
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"income_from": None},
        {"income_from": FROM[3], "income_basis": "NCF, Apr-Jun 2026, 3 months, amounts of a year"},
        {"income_from": None, "income_to": None, "income_basis": "NCF, underwritten"},
    ],
    ids=["not dated", "amounts of a year", "underwriting"],
)
def test_income_of_which_no_part_year_is_known_carries_all(outcome_of, changes):
    rules = outcome_of(**SOON, **changes).rules
    assert (rules["CV-1"], rules["RG-1"]) == ("critical", "critical")


@pytest.mark.parametrize("kind", ["office", "lodging"])
def test_the_mild_is_as_mild_in_a_part_of_a_year(outcome_of, kind):
    """1.24x is moderate whatever the period."""
    for start in FROM.values():
        found = outcome_of(dscr=1.24, property_type=kind, income_from=start)
        assert found.rules["CV-1"] == "moderate"
        assert "no worse than" not in found.said["stress_indicator"]
