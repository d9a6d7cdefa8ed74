"""ST-1: which codes are graded how, modifications, special servicing (D24, D147)."""

from datetime import date

import pytest


@pytest.mark.parametrize(
    ("payment", "result"),
    [
        ("0", "silent"),
        ("A", "silent"),
        ("a", "silent"),
        ("B", "moderate"),
        ("b", "moderate"),
        ("1", "elevated"),
        ("2", "severe"),
        ("4", "severe"),
        ("3", "critical"),
        ("5", "critical"),
        ("6", "payment status is not ranked"),
        ("30", "payment status is not ranked"),
        ("", "no payment status"),
        (" ", "no payment status"),
        (None, "no payment status"),
    ],
)
def test_payment_status_is_graded_by_code_and_never_read_as_a_number(outcome_of, payment, result):
    outcome = outcome_of(payment_status=payment)
    assert outcome.rules["ST-1"] == result
    for component in outcome.components:
        assert (component["rule"], component["value"], component["limit"]) == ("ST-1", None, None)


@pytest.mark.parametrize("payment", ["0", None, "6"])
@pytest.mark.parametrize(
    ("workout", "result"),
    [
        ("1", "severe"),
        ("3", "severe"),
        ("4", "severe"),
        ("5", "severe"),
        ("6", "severe"),
        ("9", "severe"),
        ("13", "severe"),
        ("2", "critical"),
        ("7", "critical"),
        ("10", "critical"),
    ],
)
def test_a_workout_is_graded_whatever_the_payment_status(outcome_of, payment, workout, result):
    assert outcome_of(payment_status=payment, workout=workout).rules["ST-1"] == result


@pytest.mark.parametrize("workout", ["8", "11", "12", "98", "", None])
def test_a_workout_that_is_over_or_says_nothing_grades_nothing(outcome_of, workout):
    assert outcome_of(workout=workout).rules["ST-1"] == "silent"
    assert outcome_of(workout=workout, payment_status="1").rules["ST-1"] == "elevated"
    unstated = outcome_of(workout=workout, payment_status=None)
    assert unstated.rules["ST-1"] == "no payment status"


@pytest.mark.parametrize(
    ("on", "result"),
    [
        (date(2026, 9, 30), "severe"),
        (date(2026, 7, 30), "severe"),
        (date(2024, 9, 30), "severe"),  # 24 months to the day
        (date(2024, 9, 29), "moderate"),
        (date(2020, 6, 1), "moderate"),
        (None, "moderate"),
    ],
)
@pytest.mark.parametrize("code", ["1", "2", "3", "5", "6", "7", "8", "10"])
def test_a_modification_or_forbearance_is_graded_by_its_date(outcome_of, code, on, result):
    assert outcome_of(modification=code, modified_on=on).rules["ST-1"] == result


@pytest.mark.parametrize("code", ["98", "4", "9", "", None])
def test_a_code_that_says_no_change_grades_nothing_whatever_its_date(outcome_of, code):
    found = outcome_of(modification=code, modified_on=date(2026, 9, 1))
    assert found.rules["ST-1"] == "silent"


MAY = date(2026, 5, 1)


@pytest.mark.parametrize(
    ("since", "returned", "result"),
    [
        (MAY, None, "severe"),
        (MAY, date(2026, 4, 30), "severe"),  # transferred again after a return
        (MAY, MAY, "silent"),
        (MAY, date(2026, 5, 2), "silent"),
        (None, MAY, "silent"),
        (None, None, "silent"),
    ],
)
def test_a_loan_in_special_servicing_is_severe_until_it_returns(
    outcome_of, since, returned, result
):
    dates = {"special_servicing_since": since, "special_servicing_returned": returned}
    outcome = outcome_of(**dates)
    assert outcome.rules["ST-1"] == result
    assert outcome.features["special_servicing"] is (result == "severe")
    assert outcome_of(payment_status=None, **dates).rules["ST-1"] == (
        "severe" if result == "severe" else "no payment status"
    )


def test_the_worst_of_status_workout_and_special_servicing_counts(outcome_of):
    in_special = {"special_servicing_since": MAY}
    assert outcome_of(payment_status="3", **in_special).rules["ST-1"] == "critical"
    assert outcome_of(payment_status="1", **in_special).rules["ST-1"] == "severe"
    assert outcome_of(payment_status="B", workout="2").rules["ST-1"] == "critical"
    recent = {"modification": "10", "modified_on": MAY}
    assert outcome_of(payment_status="B", **recent).rules["ST-1"] == "severe"
    assert outcome_of(payment_status="1", modification="10").rules["ST-1"] == "elevated"
    assert outcome_of(payment_status=None, modification="10").rules["ST-1"] == "moderate"
