"""Figures and dates as they are written on screen, case by case."""

from datetime import date

import pytest

from components.kit.formatting import (
    area,
    axis_money,
    basis_points,
    count,
    day,
    distance,
    dollars,
    money,
    multiple,
    percent,
    place,
    quarter,
    share,
    words,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "—"),
        (0, "$0"),
        (12, "$12"),
        (600, "$600"),
        (999, "$999"),
        (999.6, "$1K"),
        (1_000, "$1K"),
        (1_501, "$2K"),
        (850_000, "$850K"),
        (960_000, "$960K"),
        (999_499, "$999K"),
        (999_950, "$1.0M"),
        (1_000_000, "$1.0M"),
        (1_249_999, "$1.2M"),
        (12_400_000, "$12.4M"),
        (995_000_000, "$995.0M"),
        (999_949_999, "$999.9M"),
        (999_960_000, "$1.00B"),
        (1_250_000_000, "$1.25B"),
        (41_500_000_000, "$41.50B"),
        (1_250_000_000_000, "$1,250.00B"),
        (-4.2e6, "−$4.2M"),
        (-1, "−$1"),
        (-999_950, "−$1.0M"),
    ],
)
def test_money_has_three_or_four_digits_and_a_scale(value, text):
    # D18
    assert money(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "$0"),
        (500, "$500"),
        (100_000, "$100K"),
        (500_000_000, "$500M"),
        (2_500_000, "$2.5M"),
        (1_500_000_000, "$1.5B"),
        (1_250_000_000, "$1.25B"),
        (10_000_000_000, "$10B"),
        (100_000_000_000, "$100B"),
        (-20_000_000, "−$20M"),
    ],
)
def test_an_axis_has_no_zeros_after_the_point(value, text):
    assert axis_money(value) == text


def test_dollars_have_every_digit():
    assert dollars(12_400_000) == "$12,400,000"
    assert dollars(-1_234) == "−$1,234"
    assert (dollars(0), dollars(None)) == ("$0", "—")


def test_percent_takes_a_percent_figure():
    assert percent(6.056) == "6.06%"
    assert (percent(5.25), percent(0), percent(None)) == ("5.25%", "0.00%", "—")
    assert percent(17.25, 1) == "17.3%"
    assert (percent(3.505), percent(-0.001), percent(1_234.5, 1)) == ("3.51%", "0.00%", "1,234.5%")


def test_a_share_of_nothing_is_not_zero():
    # D18
    assert share(173, 1_000) == "17.3%"
    assert share(0, 1_000) == "0.0%"
    assert share(0, 0) == "—"


def test_basis_points_always_have_a_sign():
    assert basis_points(250) == "+250 bp"
    assert basis_points(-40.4) == "−40 bp"
    assert basis_points(1_250) == "+1,250 bp"
    assert (basis_points(0), basis_points(None)) == ("+0 bp", "—")


def test_areas_are_in_square_feet():
    assert (area(41_208), area(None)) == ("41,208 sq ft", "—")


def test_multiples_and_counts():
    assert (multiple(1.25), multiple(0.9), multiple(None)) == ("1.25x", "0.90x", "—")
    assert (count(41_208), count(0), count(None)) == ("41,208", "0", "—")


def test_a_day_has_no_leading_zero():
    assert day(date(2027, 3, 5)) == "5 Mar 2027"
    assert day(date(2027, 12, 31)) == "31 Dec 2027"
    assert day(None) == "—"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2027, 1, 1), "2027 Q1"),
        (date(2027, 3, 31), "2027 Q1"),
        (date(2027, 4, 1), "2027 Q2"),
        (date(2027, 6, 30), "2027 Q2"),
        (date(2027, 7, 1), "2027 Q3"),
        (date(2027, 9, 30), "2027 Q3"),
        (date(2027, 10, 1), "2027 Q4"),
        (date(2027, 12, 31), "2027 Q4"),
    ],
)
def test_a_quarter_begins_in_january_april_july_and_october(value, text):
    assert quarter(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "—"),
        (date(2026, 9, 30), "today"),
        (date(2026, 10, 1), "in 1 d"),
        (date(2026, 10, 29), "in 29 d"),
        (date(2026, 10, 30), "in 30 d"),
        (date(2026, 11, 29), "in 60 d"),
        (date(2026, 11, 30), "in 2 mo"),
        (date(2027, 9, 29), "in 11 mo"),
        (date(2027, 9, 30), "in 12 mo"),
        # Beyond a limit: rules and windows of 12 months leave it out.
        (date(2027, 10, 1), "in over 12 mo"),
        (date(2027, 10, 29), "in over 12 mo"),
        (date(2027, 10, 30), "in 13 mo"),
        (date(2028, 9, 30), "in 24 mo"),
        (date(2028, 10, 1), "in over 24 mo"),
        (date(2027, 3, 31), "in 6 mo"),
        (date(2029, 9, 29), "in 35 mo"),
        (date(2029, 9, 30), "in 3.0 y"),
        (date(2029, 10, 1), "in over 3.0 y"),
        (date(2029, 10, 30), "in 3.1 y"),
        (date(2030, 9, 29), "in 4.0 y"),
        (date(2030, 9, 30), "in 4.0 y"),
        (date(2031, 9, 20), "in 5.0 y"),
        (date(2031, 6, 30), "in 4.7 y"),
        (date(2026, 9, 29), "1 d ago"),
        (date(2026, 8, 31), "30 d ago"),
        (date(2026, 8, 30), "31 d ago"),
        (date(2026, 7, 31), "61 d ago"),
        (date(2026, 7, 30), "2 mo ago"),
        (date(2025, 9, 30), "12 mo ago"),
        (date(2025, 9, 29), "over 12 mo ago"),
        (date(2025, 8, 30), "13 mo ago"),
        (date(2023, 10, 1), "35 mo ago"),
        (date(2023, 9, 30), "3.0 y ago"),
    ],
)
def test_a_distance_counts_days_then_whole_months_then_years(value, text):
    assert distance(value, date(2026, 9, 30)) == text


def test_a_distance_over_the_end_of_a_short_month():
    assert distance(date(2027, 2, 28), date(2027, 1, 31)) == "in 28 d"
    assert distance(date(2027, 3, 1), date(2027, 1, 31)) == "in 29 d"
    # Twelve months after 28 February 2023 is 28 February 2024.
    assert distance(date(2024, 2, 28), date(2023, 2, 28)) == "in 12 mo"
    assert distance(date(2024, 2, 29), date(2023, 2, 28)) == "in over 12 mo"
    assert distance(date(2025, 2, 28), date(2024, 2, 29)) == "in 11 mo"
    assert distance(date(2023, 2, 28), date(2024, 2, 29)) == "over 12 mo ago"
    assert distance(date(2025, 1, 1), date(2024, 12, 31)) == "in 1 d"


def test_words_are_labels():
    assert words("mixed use") == "Mixed use"
    assert words("rate_pressure") == "Rate pressure"
    assert words("CMBS servicer") == "CMBS servicer"
    assert (words(""), words(None)) == ("—", "—")


def test_a_place_is_what_is_known_of_it():
    assert place("Dallas", "TX") == "Dallas, TX"
    assert place(None, "TX") == "TX"
    assert place("Hamilton", None) == "Hamilton"
    assert (place(None, None), place("", "")) == ("—", "—")
