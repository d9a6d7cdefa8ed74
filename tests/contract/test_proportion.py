"""Exact intervals (D284) against published ones, and against sums of the binomial formula."""

from math import comb

import pytest

from services.contract.proportion import interval

#: (some, of) -> the interval, as tables of Clopper and Pearson have it.
PUBLISHED = {
    (0, 10): (0, 0.3085),
    (1, 10): (0.0025, 0.4450),
    (5, 10): (0.1871, 0.8129),
    (10, 10): (0.6915, 1),
    (0, 25): (0, 0.1372),
    (4, 61): (0.0182, 0.1595),
    (3, 126): (0.0049, 0.0680),
    (1, 1): (0.025, 1),
}


@pytest.mark.parametrize("seen", PUBLISHED)
def test_intervals_are_the_published_ones(seen):
    assert interval(*seen) == pytest.approx(PUBLISHED[seen], abs=5e-5)


@pytest.mark.parametrize(("some", "of"), [(1, 2), (7, 30), (29, 30), (61, 120)])
def test_beyond_an_end_such_a_result_has_a_chance_of_one_in_forty(some, of):
    low, high = interval(some, of)
    tail = sum(comb(of, n) * low**n * (1 - low) ** (of - n) for n in range(some, of + 1))
    other = sum(comb(of, n) * high**n * (1 - high) ** (of - n) for n in range(some + 1))
    assert (tail, other) == pytest.approx((0.025, 0.025))


def test_thousands_of_loans_are_no_overflow():
    low, high = interval(6_000, 10_000)
    assert 0.59 < low < 0.6 < high < 0.61
