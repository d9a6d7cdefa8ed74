import numpy as np
import pytest

from services.signals.effective_maturity import (
    DEFEASED,
    PAID_OFF,
    SELF_AMORTISING,
    TAKEN_OVER,
    effective_maturity,
    exemptions,
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


def test_an_extension_takes_the_place_of_a_repayment_date_that_has_passed():
    # D156. Repayment was anticipated on 6 July 2026; the loan was extended on 30 July 2026.
    found = effective_maturity(
        days("2028-07-06", "2028-07-06", "2028-07-06", "2028-07-06", "NaT"),
        days("2026-07-06", "2026-07-30", "2027-01-06", "2026-07-06", "2026-07-06"),
        days("2026-07-30", "2026-07-30", "2026-07-30", "NaT", "2026-07-30"),
    )
    assert found.astype(str).tolist() == [
        "2028-07-06",  # extended after it
        "2028-07-06",  # extended on its day
        "2027-01-06",  # still to come
        "2026-07-06",  # never extended
        "2026-07-06",  # no maturity is filed
    ]


@pytest.mark.parametrize(
    ("balance", "defeased", "payment_type", "balloon", "reo", "why"),
    [
        (1e6, False, 2, 1, False, 0),
        (1e6, True, 2, 1, False, DEFEASED),
        (1e6, False, 1, 0, False, SELF_AMORTISING),
        (1e6, False, 1, 1, False, 0),
        (0.0, False, 2, 1, False, PAID_OFF),
        (np.nan, False, 2, 1, False, 0),
        (1e6, False, 2, 1, True, TAKEN_OVER),
        (0.0, True, 1, 0, True, DEFEASED | SELF_AMORTISING | PAID_OFF | TAKEN_OVER),
    ],
)
def test_who_is_exempt(balance, defeased, payment_type, balloon, reo, why):
    found = exemptions(
        balance=np.array([balance]),
        fully_defeased=np.array([defeased]),
        payment_type=np.array([float(payment_type)]),
        balloon=np.array([float(balloon)]),
        reo=np.array([reo]),
    )
    assert found.tolist() == [why]
