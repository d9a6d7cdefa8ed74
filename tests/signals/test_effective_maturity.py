import numpy as np
import pytest

from services.signals.effective_maturity import (
    DEFEASED,
    PAID_OFF,
    SELF_AMORTISING,
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
