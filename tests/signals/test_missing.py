"""A missing input is counted with its reason, never guessed and never graded (D18)."""

from dataclasses import fields, replace
from datetime import date

import numpy as np
import pytest

from services.contract.facts import FACT
from services.contract.portfolio import LOANS
from services.contract.vocabulary import SIGNAL_TYPES
from services.rates.reference import Quote, ReferenceRates
from services.signals.engine import evaluate
from services.signals.features import Features, features
from services.signals.grading import NOT_TESTABLE, grade
from services.signals.rule import MISSING, Scene
from services.signals.rules import RULE_OF, RULES
from tests.signals.healthy import AS_OF, healthy_book, tables_of

READS = [(rule.id, name) for rule in RULES for name in rule.reads]

#: A loan on which every rule about one loan fires.
TROUBLED = {
    "interest_rate": 3.0,
    "dscr": 0.9,
    "noi": 270_000,
    "ncf": 260_000,
    "value": 9_000_000,
    "occupancy": 0.4,
    "payment_status": "3",
    "maturity_date": date(2026, 9, 1),
}
SOON = [(60_000, date(2027, 1, 31))]

#: Column of LOANS -> rules that it leaves untested, and the reason that is counted.
LEFT_UNTESTED = {
    "book_value": {
        "LV-1": "no book value",
        "DY-1": "no book value",
        "RG-1": "no book value",
        "MT-1": "past maturity, and no book value",
    },
    "interest_rate": {"RP-1": "no coupon"},
    "property_type": dict.fromkeys(("DY-1", "RG-1", "RP-1"), "no property type"),
    "maturity_date": dict.fromkeys(("RG-1", "MT-1", "RP-1"), "no maturity date"),
    "value": {"LV-1": "no appraised value"},
    "noi": {
        "DY-1": "no NOI",
        "RG-1": "no NOI",
    },
    "income_to": {
        "NI-1": "no NOI or DSCR of a period since the loan was made, or none underwritten"
    },
    "dscr": {"CV-1": "no DSCR of a period since the loan was made"},
    "occupancy": {"OC-1": "no occupancy"},
    "underwritten_occupancy": {"OC-1": "no underwritten occupancy"},
    "rentable_area": {"LR-1": "no dated lease, or no area"},
    "payment_status": {"ST-1": "no payment status"},
}
UNTESTED = {"no payment status", "payment status is not ranked", *MISSING.values()}


@pytest.fixture
def troubled(assumptions) -> Features:
    """The troubled loan with a sponsor of its own, as rules read it."""
    tables = tables_of(healthy_book(TROUBLED, SOON))
    tables["loans"] = tables["loans"].slice(0, 1)
    given_by = (assumptions.rates, assumptions.sizings, assumptions.limits)
    found = features(tables, AS_OF, *given_by)
    # What UW-1 reads is of loans on which CV-1 and NI-1 have nothing to say.
    before = {"income_before": np.array([True]), "underwritten_markup": np.array([0.5])}
    return replace(found, **before)


@pytest.fixture
def graded(assumptions):
    """Grades by one rule, siblings being in the worst trouble."""

    def by(rule, found):
        siblings = replace(_alone(found), rank=np.array([3.0]))
        return grade(RULE_OF[rule], Scene(found, assumptions.limits, siblings))

    return by


def _alone(found):
    from services.signals.book_rules import siblings

    return siblings(found.families, np.zeros(1, np.int8), found.as_of)


@pytest.mark.parametrize("rule", RULE_OF)
def test_every_rule_fires_on_the_troubled_loan(graded, troubled, rule):
    assert graded(rule, troubled).severity[0] > 0


@pytest.mark.parametrize(("rule", "name"), [pair for pair in READS if pair[1] != "sibling_rank"])
def test_a_rule_is_silent_without_each_feature_that_it_reads(graded, troubled, rule, name):
    grading = graded(rule, replace(troubled, **_lacking(troubled, name)))
    assert grading.severity.tolist() == [NOT_TESTABLE]
    assert grading.reasons == {MISSING[name]: 1}


def _lacking(found, name):
    if name == "family_share":
        nobody = np.array([-1])
        return {"families": replace(found.families, sponsors=nobody, owners=nobody)}
    without = {name: np.array([np.nan])}
    return without | ({"type_index": np.array([-1])} if name == "property_type" else {})


@pytest.mark.parametrize(("column", "expected"), LEFT_UNTESTED.items())
def test_a_null_column_leaves_its_rules_untested(outcome_of, column, expected):
    whole = outcome_of(**TROUBLED, leases=SOON)
    outcome = outcome_of(**{**TROUBLED, column: None}, leases=SOON)
    assert not set(whole.rules.values()) & UNTESTED
    assert {rule: word for rule, word in outcome.rules.items() if word in UNTESTED} == expected
    fired = {component["rule"] for component in outcome.components}
    assert not fired & set(expected)


@pytest.mark.parametrize(
    "leases",
    [[], [(60_000, None)], [(None, date(2027, 1, 31))]],
    ids=["none", "undated", "without area"],
)
def test_leases_that_say_too_little_are_none(outcome_of, leases):
    assert outcome_of(leases=leases).rules["LR-1"] == "no dated lease, or no area"


@pytest.mark.parametrize("structure", ["PP", "98"])
def test_the_debt_of_a_whole_loan_that_nothing_tells_is_not_guessed(outcome_of, structure):
    outcome = outcome_of(structure=structure, underwritten_dscr=None)
    for rule in ("LV-1", "DY-1", "RG-1"):
        assert outcome.rules[rule] == "the trust holds part of the loan"
    assert outcome.features["whole_loan_debt"] is None
    assert outcome.features["ltv"] is None


def test_a_balance_at_maturity_that_no_schedule_tells_leaves_the_gap_untested(outcome_of):
    changes = {"payment_type": "2", "amortization_months": None}
    outcome = outcome_of(**changes)
    assert outcome.rules["RG-1"] == "the schedule to maturity is not known"
    assert outcome.features["balance_at_maturity"] is None


@pytest.mark.parametrize("coupon", [0.0, -1.0, float("nan"), float("inf")])
def test_a_coupon_that_no_loan_has_is_missing(outcome_of, coupon):
    outcome = outcome_of(interest_rate=coupon)
    assert outcome.rules["RP-1"] == "no coupon"
    assert outcome.features["rate_pressure"] is None


def test_a_loan_of_nothing_but_its_number_is_graded_by_no_rule(loans_of, assumptions):
    empty = loans_of({name: None for name in LOANS.names if name != "loan_number"})
    scored = evaluate({"loans": empty}, AS_OF, assumptions)
    assert {entry.rule: entry.reasons for entry in scored.coverage if entry.reasons} == {
        rule: {reason: 1}
        for rule, reason in {
            "ST-1": "no payment status",
            "CV-1": "no DSCR of a period since the loan was made",
            "LV-1": "no book value",
            "DY-1": "no NOI",
            "NI-1": "no NOI or DSCR of a period since the loan was made, or none underwritten",
            "OC-1": "no occupancy",
            "LR-1": "no dated lease, or no area",
            "RG-1": "no maturity date",
            "MT-1": "no maturity date",
            "RP-1": "no coupon",
            "CN-1": "no resolved sponsor or owner",
            "CT-1": "no resolved sponsor or owner",
        }.items()
    }
    assert scored.signals.num_rows == 0
    (found,) = scored.features.to_pylist()
    # An unknown original term takes the ten-year.
    assert {name: word for name, word in found.items() if word is not None} == {
        "reference_series": "DGS10",
        "partial_note": False,
        "special_servicing": False,
        "untested_triggers": "1A | 1E | 1F | 4A | 4C | 4D | 5A",
        "sums_notes": False,
        "debt_at_least": False,
    }


def test_without_a_rate_of_the_date_the_refi_rate_is_not_testable(outcome_of, assumptions):
    later = ReferenceRates("test", (Quote("DGS10", AS_OF.replace(year=2027), 4.5),))
    outcome = outcome_of(using=replace(assumptions, rates=later), interest_rate=3.0)
    for rule in ("RP-1", "RG-1"):
        assert outcome.rules[rule] == "no reference rate on or before the as-of date"
    assert outcome.features["reference_series"] is None
    assert outcome.scored.rates == ()


def test_rules_read_features_that_exist_and_have_a_reason():
    known = {spec.name for spec in fields(Features)} | {"family_share", "sibling_rank"}
    for rule in RULES:
        assert set(rule.reads) <= known & (set(MISSING) | set(FACT))
        assert rule.signal_type in SIGNAL_TYPES
    assert set(MISSING) == {name for _, name in READS}
    assert len(RULE_OF) == len(RULES)
