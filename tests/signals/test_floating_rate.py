"""What holds the coupon of a floating loan (D280)."""

import numpy as np
import pytest

from services.signals.floating_rate import held


@pytest.mark.parametrize(
    ("rate", "floor", "cap", "found"),
    [
        (6.62, np.nan, np.nan, 6.62),
        (6.62, 5.00, 7.00, 6.62),
        (6.62, np.nan, 6.00, 6.00),
        (8.33, 4.00, 7.50, 7.50),
        (3.05, 4.00, 7.50, 4.00),
        (3.05, 4.00, np.nan, 4.00),
        (6.62, 6.62, 6.62, 6.62),
        (0.0, np.nan, np.nan, 0.0),
        (np.nan, 4.00, 7.50, np.nan),
        (6.62, 7.50, 4.00, np.nan),
    ],
)
def test_index_and_margin_stay_between_floor_and_cap(rate, floor, cap, found):
    got = held(*(np.array([figure]) for figure in (rate, floor, cap)))
    np.testing.assert_allclose(got, [found], atol=1e-12)
