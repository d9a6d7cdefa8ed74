"""Loans that rules are not about: defeased, fully amortising and paid off (D57)."""

from datetime import date

import pytest

#: Every rule but those of its family would fire.
TROUBLED = {
    "interest_rate": 3.0,
    "dscr": 0.9,
    "noi": 270_000,
    "ncf": 260_000,
    "value": 9_000_000,
    "occupancy": 0.4,
    "payment_status": "3",
    "workout": "2",
    "special_servicing_since": date(2026, 5, 1),
    "maturity_date": date(2026, 9, 1),
    "leases": [(60_000, date(2027, 1, 31))],
}
OF_REFINANCING = {"RG-1", "MT-1", "RP-1"}
OF_ITS_FAMILY = {"CN-1", "CT-1"}
#: About loans without income of their own yet.
OF_ITS_START = {"UW-1"}


def test_the_troubled_loan_fires_every_rule_about_one_loan(outcome_of):
    found = outcome_of(**TROUBLED).rules
    assert {rule for rule, word in found.items() if word == "silent"} == OF_ITS_FAMILY


@pytest.mark.parametrize(
    "change", [{"defeasance": "F"}, {"defeasance": "f"}, {"book_value": 0}], ids=str
)
def test_a_loan_defeased_in_full_or_paid_off_concerns_no_rule(outcome_of, change):
    outcome = outcome_of(**TROUBLED, **change)
    assert set(outcome.rules.values()) == {"not applicable"}
    assert (outcome.signals, outcome.components) == ({}, [])
    assert outcome.features["rate_pressure"] is None


def test_a_defeased_loan_says_why_no_rule_looks_at_it(outcome_of):
    assert outcome_of(defeasance="F").features["exemption"] == "defeased in full"
    assert outcome_of().features["exemption"] is None


@pytest.mark.parametrize("defeasance", ["IP", "P", "N", "X", "", None])
def test_a_loan_that_is_not_defeased_in_full_is_not_exempt(outcome_of, defeasance):
    outcome = outcome_of(**TROUBLED, defeasance=defeasance)
    assert outcome.rules == outcome_of(**TROUBLED).rules
    assert outcome.features["exemption"] is None


@pytest.mark.parametrize(
    ("terms", "exempt"),
    [
        ({"payment_type": "1", "balloon": False}, True),
        ({"payment_type": "1", "balloon": None}, True),
        ({"payment_type": "4", "balloon": None}, True),
        ({"payment_type": None, "balloon": False}, True),
        ({"payment_type": "1", "balloon": True}, False),
        ({"payment_type": "2", "balloon": False}, False),
        ({"payment_type": "5", "balloon": None}, False),
        ({"payment_type": None, "balloon": None}, False),
    ],
)
def test_a_loan_that_its_schedule_repays_concerns_no_rule_of_refinancing(outcome_of, terms, exempt):
    schedule = {"amortization_months": 240, "interest_only_months": 0}
    outcome = outcome_of(**TROUBLED, **schedule, **terms)
    exempted = {rule for rule, word in outcome.rules.items() if word == "not applicable"}
    assert exempted == (OF_REFINANCING if exempt else set()) | OF_ITS_START
    assert outcome.features["exemption"] == ("repaid by its schedule" if exempt else None)
    for rule in ("ST-1", "CV-1", "LV-1", "DY-1", "NI-1", "OC-1", "LR-1"):
        assert outcome.rules[rule] in {"elevated", "severe", "critical"}


def test_what_is_missing_from_an_exempt_loan_is_not_counted_as_missing(outcome_of):
    defeased = outcome_of(defeasance="F", dscr=None, noi=None, value=None, interest_rate=None)
    assert all(not entry.reasons for entry in defeased.scored.coverage)
