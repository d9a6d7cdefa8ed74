import numpy as np
import pytest

from services.signals.floating_rate import floating_rate


@pytest.mark.parametrize(
    ("index", "margin", "floor", "cap", "rate"),
    [
        (3.62, 3.00, np.nan, np.nan, 6.62),
        (3.62, 3.00, 5.00, 7.00, 6.62),
        (3.62, 3.00, np.nan, 6.00, 6.00),
        (5.33, 3.00, 4.00, 7.50, 7.50),
        (0.05, 3.00, 4.00, 7.50, 4.00),
        (0.05, 3.00, 4.00, np.nan, 4.00),
        (3.62, 3.00, 6.62, 6.62, 6.62),
        (-0.30, 0.30, np.nan, np.nan, 0.0),
        (np.nan, 3.00, 4.00, 7.50, np.nan),
        (3.62, np.nan, 4.00, 7.50, np.nan),
        (3.62, 3.00, 7.50, 4.00, np.nan),
    ],
)
def test_index_and_margin_stay_between_floor_and_cap(index, margin, floor, cap, rate):
    found = floating_rate(*(np.array([figure]) for figure in (index, margin, floor, cap)))
    np.testing.assert_allclose(found, [rate], atol=1e-12)
