"""The stage of a loan by its codes: typed by hand from the meaning of Schedule AL's (D183)."""

import pytest

from services.contract.events import stage_of


@pytest.mark.parametrize(
    ("status", "stage"),
    [
        ("0", "current"), ("A", "current"), ("B", "current"), ("1", "30 days"), ("2", "60 days"),
        ("3", "90 days"), ("4", "current"), ("5", "default"), (None, None), ("Z", None), ("", None),
    ],
)  # fmt: skip
def test_a_payment_status_is_a_stage(status, stage):
    assert stage_of(1, None, status) == stage
    assert stage_of(None, "1", status) == stage


@pytest.mark.parametrize("workout", ["2", "7", "10"])
def test_foreclosure_reo_and_deed_in_lieu_are_default_whatever_is_paid(workout):
    assert stage_of(1, workout, "0") == "default"
    assert stage_of(0, workout, "0") == "ended"


def test_what_owes_nothing_has_ended():
    assert stage_of(0, None, "3") == "ended"
