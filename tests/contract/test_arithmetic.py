"""Arithmetic that citations are written in (D246): what it allows, and nothing else."""

import pytest

from services.contract.arithmetic import evaluated, gives, plain


@pytest.mark.parametrize(
    ("filled", "value"),
    [
        ("4213000 / 3120000", 4_213_000 / 3_120_000),
        ("12 × (6 / 1200) / (1 − (1 + 6 / 1200) ^ −360)", 0.0719461),
        ("min(3, 2, 5)", 2),
        ("round(452177.1 × 365 / 91)", 1_813_677),
        ("(-5) + 2", -3),
    ],
)
def test_a_filled_formula_has_the_value_typed_here(filled, value):
    assert evaluated(filled) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(
    "filled",
    ["", "1 /", "1 / 0", "9 ^ 9 ^ 9", "__import__('os')", "open('x')", "a + 1", "'5'", "[1]",
     "min()", "1 if 1 else 2", "(1).real", "10 % 3"],
)  # fmt: skip
def test_what_is_no_arithmetic_has_no_value(filled):
    assert evaluated(filled) is None


def test_a_figure_near_another_is_not_the_same():
    assert gives("1 + 1", 2.0)
    assert not gives("1 + 1", 2.0001)


def test_a_figure_is_written_whole():
    assert plain(1_720_326.1111111) == "1720326.1111111"
    assert plain(-5.5) == "(-5.5)"
    assert plain(0.00000123) == "0.00000123"
