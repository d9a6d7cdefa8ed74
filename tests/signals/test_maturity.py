from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.signals.maturity import months_between

DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))


def months(as_of: date, maturity: date | None) -> float:
    days = np.array([maturity], dtype="datetime64[D]")
    return float(months_between(as_of, days)[0])


@pytest.mark.parametrize(
    ("as_of", "maturity", "expected"),
    [
        (date(2026, 9, 30), date(2028, 9, 30), 24.0),
        (date(2026, 9, 30), date(2026, 9, 30), 0.0),
        (date(2026, 9, 30), date(2026, 8, 30), -1.0),
        (date(2026, 9, 30), date(2026, 9, 29), -1 / 31),
        (date(2026, 9, 30), date(2026, 10, 15), 0.5),
        (date(2026, 9, 30), date(2028, 10, 1), 24 + 1 / 30),
        (date(2026, 8, 31), date(2027, 2, 28), 6.0),
        (date(2026, 8, 31), date(2028, 2, 28), 17 + 28 / 29),
        (date(2026, 8, 31), date(2028, 2, 29), 18.0),
        (date(2026, 1, 30), date(2026, 2, 28), 1.0),
        (date(2024, 2, 29), date(2026, 2, 28), 24.0),
        (date(2026, 2, 28), date(2026, 3, 28), 1.0),
    ],
)
def test_months_follow_the_calendar(as_of, maturity, expected):
    assert months(as_of, maturity) == pytest.approx(expected, abs=1e-12)
    if expected.is_integer():
        assert months(as_of, maturity) == expected


def test_no_maturity_has_no_months():
    assert np.isnan(months(date(2026, 9, 30), None))


@given(as_of=DAYS, maturity=DAYS)
def test_a_later_day_has_more_months_and_the_past_is_negative(as_of, maturity):
    here = months(as_of, maturity)
    assert (here < 0) == (maturity < as_of)
    following = maturity.fromordinal(maturity.toordinal() + 1)
    assert here < months(as_of, following) <= here + 1
