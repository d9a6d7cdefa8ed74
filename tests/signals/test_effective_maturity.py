from datetime import date

import numpy as np
import pytest

from services.signals.effective_maturity import (
    DEFEASED,
    NOT_URGENT,
    PAID_OFF,
    SELF_AMORTISING,
    effective_maturity,
    exemptions,
    months_to_effective_maturity,
    urgency_steps,
)


def days(*texts):
    return np.array(texts, dtype="datetime64[D]")


def test_the_anticipated_repayment_date_comes_before_maturity():
    found = effective_maturity(
        days("2049-04-01", "2029-04-01", "2029-04-01", "NaT", "NaT"),
        days("2029-04-01", "NaT", "2039-04-01", "2029-04-01", "NaT"),
    )
    assert found.astype(str).tolist() == ["2029-04-01"] * 4 + ["NaT"]
    assert found.dtype == np.dtype("datetime64[D]")


def test_months_are_counted_to_the_effective_maturity():
    until = days("2028-09-11", "2026-08-11", "NaT")
    found = months_to_effective_maturity(date(2026, 9, 11), until)
    np.testing.assert_array_equal(found, [24.0, -1.0, np.nan])


@pytest.mark.parametrize(
    ("months", "steps"),
    [
        (-12.0, 0),
        (0.0, 0),
        (23.99, 0),
        (24.0, 0),
        (24.01, 1),
        (36.0, 1),
        (36.01, 2),
        (60.0, 2),
        (60.01, NOT_URGENT),
        (120.0, NOT_URGENT),
        (np.nan, 0),
    ],
)
def test_urgency_below_at_and_above_each_limit(months, steps):
    assert urgency_steps(np.array([months])).tolist() == [steps]


def test_the_limits_of_urgency_can_be_others():
    found = urgency_steps(
        np.array([12.0, 13.0, 25.0, 37.0]), full_to=12, one_step_to=24, two_steps_to=36
    )
    assert found.tolist() == [0, 1, 2, NOT_URGENT]


@pytest.mark.parametrize(
    ("balance", "defeased", "payment_type", "balloon", "why"),
    [
        (1e6, False, 2, 1, 0),
        (1e6, True, 2, 1, DEFEASED),
        (1e6, False, 1, 0, SELF_AMORTISING),
        (1e6, False, 1, 1, 0),
        (0.0, False, 2, 1, PAID_OFF),
        (np.nan, False, 2, 1, 0),
        (0.0, True, 1, 0, DEFEASED | SELF_AMORTISING | PAID_OFF),
    ],
)
def test_who_is_exempt(balance, defeased, payment_type, balloon, why):
    found = exemptions(
        balance=np.array([balance]),
        fully_defeased=np.array([defeased]),
        payment_type=np.array([float(payment_type)]),
        balloon=np.array([float(balloon)]),
    )
    assert found.tolist() == [why]
