"""A missing input is counted, never guessed and never graded (signals.md)."""

from dataclasses import fields, replace

import numpy as np
import pytest

from services.contract.portfolio import LOANS
from services.contract.vocabulary import SIGNAL_TYPES
from services.rates.reference import Quote, ReferenceRates
from services.signals.features import Features, features
from services.signals.grading import NOT_TESTABLE, grade
from services.signals.rules import MISSING, RULE_OF, RULES

READS = [(rule.id, name) for rule in RULES for name in rule.reads]

#: A loan on which every rule fires.
TROUBLED = {
    "interest_rate": 3.0,
    "dscr": 0.9,
    "noi": 270_000,
    "value": 9_000_000,
    "payment_status": "3",
    "maturity_date": "2026-09-01",
}

#: Column of LOANS behind a feature that rules read, where it is one column.
COLUMNS = {
    "interest_rate": "no coupon",
    "property_type": "no property type",
    "maturity_date": "no maturity date",
    "noi": "no NOI",
    "dscr": "no DSCR",
    "value": "no appraised value",
    "payment_status": "no payment status",
}


@pytest.fixture
def troubled(loans_of, rates, as_of) -> Features:
    return features(loans_of({**TROUBLED, "maturity_date": as_of.replace(day=1)}), as_of, rates)


def test_every_rule_fires_on_the_troubled_loan(troubled):
    assert all(grade(rule, troubled).severity[0] > 0 for rule in RULES)


@pytest.mark.parametrize(("rule", "name"), READS)
def test_a_rule_is_silent_without_each_feature_that_it_reads(troubled, rule, name):
    changes = {name: np.array([np.nan])}
    if name == "property_type":
        changes["type_index"] = np.array([-1])
    grading = grade(RULE_OF[rule], replace(troubled, **changes))
    assert grading.severity.tolist() == [NOT_TESTABLE]
    assert grading.reasons == {MISSING[name]: 1}


@pytest.mark.parametrize(("column", "reason"), COLUMNS.items())
def test_a_null_column_leaves_its_rules_untested(outcome_of, as_of, column, reason):
    loan = {**TROUBLED, "maturity_date": as_of.replace(day=1), column: None}
    outcome = outcome_of(**loan)
    feature = {"maturity_date": "months_to_maturity"}.get(column, column)
    readers = {rule.id for rule in RULES if feature in rule.reads}
    assert readers
    assert {rule for rule, word in outcome.rules.items() if word == reason} == readers
    fired = {component["rule"] for component in outcome.components}
    assert not fired & readers


@pytest.mark.parametrize("coupon", [0.0, -1.0, float("nan"), float("inf")])
def test_a_coupon_that_no_loan_has_is_missing(outcome_of, coupon):
    outcome = outcome_of(interest_rate=coupon)
    assert outcome.rules["RP-1"] == "no coupon"
    assert outcome.features["rate_pressure"] is None


def test_a_loan_of_nothing_but_its_number_is_graded_by_no_rule(outcome_of):
    outcome = outcome_of(**{name: None for name in LOANS.names if name != "loan_number"})
    assert outcome.rules == {
        "RP-1": "no coupon",
        "RP-4": "no DSCR",
        "MT-1": "no maturity date",
        "DY-1": "no NOI",
        "CV-1": "no DSCR",
        "LV-1": "no book value",
        "ST-1": "no payment status",
    }
    assert outcome.signals == {}
    found = {name: word for name, word in outcome.features.items() if word is not None}
    # An unknown original term takes the ten-year.
    assert found == {"reference_series": "DGS10", "partial_note": False}


def test_without_a_rate_of_the_date_the_refi_rate_is_not_testable(outcome_of, as_of):
    later = ReferenceRates("test", (Quote("DGS10", as_of.replace(year=2027), 4.5),))
    outcome = outcome_of(using=later, interest_rate=3.0)
    assert outcome.rules["RP-1"] == MISSING["refi_rate"]
    assert outcome.features["reference_series"] is None
    assert outcome.rates == ()


def test_rules_read_features_that_exist_and_have_a_reason():
    known = {spec.name for spec in fields(Features)}
    for rule in RULES:
        assert set(rule.reads) <= known & set(MISSING)
        assert rule.signal_type in SIGNAL_TYPES
    assert len(RULE_OF) == len(RULES)
