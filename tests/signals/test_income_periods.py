import numpy as np
import pytest

from services.signals.income_periods import (
    annualised,
    covers_a_year,
    is_before_reserves,
    period_days,
    period_dscr,
)


def day(text):
    return np.array([text], dtype="datetime64[D]")


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2025-01-01", "2025-12-31", 365),
        ("2024-12-31", "2025-12-31", 366),
        ("2025-01-01", "2025-09-30", 273),
        ("2025-09-30", "2025-09-30", 1),
        ("2025-10-01", "2025-09-30", np.nan),
        ("NaT", "2025-09-30", np.nan),
        ("2025-01-01", "NaT", np.nan),
    ],
)
def test_both_ends_of_a_period_count(start, end, days):
    np.testing.assert_array_equal(period_days(day(start), day(end)), [days])


def test_a_year_is_360_to_371_days():
    days = np.array([359.0, 360.0, 365.0, 371.0, 372.0, np.nan])
    assert covers_a_year(days).tolist() == [False, True, True, True, False, False]


@pytest.mark.parametrize(
    ("days", "service", "yearly", "expected"),
    [
        (273, 750_000.0, 1_000_000.0, 730_000.0 / 273 * 365),
        (366, 1_000_000.0, 1_000_000.0, 730_000.0),
        (92, 1_000_000.0, 1_000_000.0, 730_000.0),  # three months, amounts of a year
        (92, 1_099_000.0, 1_000_000.0, 730_000.0),
        (92, 1_101_000.0, 1_000_000.0, 730_000.0 / 92 * 365),
        (92, 252_000.0, 1_000_000.0, 730_000.0 / 92 * 365),
        (92, np.nan, np.nan, 730_000.0 / 92 * 365),
        (92, 1_000_000.0, 0.0, 730_000.0 / 92 * 365),
        (np.nan, 1_000_000.0, 1_000_000.0, np.nan),
    ],
)
def test_a_part_of_a_year_is_scaled_once(days, service, yearly, expected):
    figures = (np.array([float(figure)]) for figure in (730_000, days, service, yearly))
    np.testing.assert_allclose(annualised(*figures), [expected])


def test_a_loss_is_annualised_too():
    none = np.array([np.nan])
    found = annualised(np.array([-90_000.0]), np.array([182.5]), none, none)
    assert found.tolist() == [-180_000.0]


def test_dscr_is_as_filed_or_of_the_same_months():
    income = np.array([800.0, 800.0, -400.0, 800.0, np.nan])
    service = np.array([500.0, 500.0, 500.0, 0.0, 500.0])
    filed = np.array([1.57, np.nan, np.nan, np.nan, np.nan])
    np.testing.assert_allclose(
        period_dscr(income, service, filed), [1.57, 1.6, -0.8, np.nan, np.nan]
    )


def test_ncf_equal_to_noi_to_the_cent_has_no_reserves_in_it():
    noi = np.array([26_227_930.00, 26_227_930.00, np.nan])
    ncf = np.array([26_227_930.00, 26_227_929.99, np.nan])
    assert is_before_reserves(noi, ncf).tolist() == [True, False, False]
