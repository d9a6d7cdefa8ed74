"""Months, quarters and spans of days, as questions have them."""

from datetime import date

import pytest

from services.contract.months import between, months_after, months_apart, quarter_of, year_of


def test_a_span_counts_its_first_and_its_last_day_in():
    # The dates of a question are exclusive (D8).
    assert between(date(2026, 1, 1), date(2026, 3, 31)) == {
        "due_after": date(2025, 12, 31),
        "due_before": date(2026, 4, 1),
    }
    assert between(date(2026, 2, 28), date(2026, 2, 28), "originated") == {
        "originated_after": date(2026, 2, 27),
        "originated_before": date(2026, 3, 1),
    }


@pytest.mark.parametrize(
    ("one", "other", "months"),
    [
        (date(2026, 1, 31), date(2026, 2, 28), 1),
        (date(2026, 1, 15), date(2026, 2, 14), 0),
        (date(2026, 1, 15), date(2026, 2, 15), 1),
        (date(2027, 1, 1), date(2025, 12, 1), 13),
        (date(2026, 5, 5), date(2026, 5, 5), 0),
    ],
)
def test_whole_months_between_two_days_in_either_order(one, other, months):
    assert months_apart(one, other) == months_apart(other, one) == months


def test_a_quarter_and_a_year_from_their_first_to_their_last_day():
    assert quarter_of(2027 * 4) == (date(2027, 1, 1), date(2027, 3, 31))
    assert quarter_of(2027 * 4 + 3) == (date(2027, 10, 1), date(2027, 12, 31))
    assert year_of(2028) == (date(2028, 1, 1), date(2028, 12, 31))
    assert months_after(date(2028, 1, 31), 1) == date(2028, 2, 29)
