"""DECISIONS.md is kept true: numbers run on, and each row names tests that exist."""

import re
from pathlib import Path

import pytest

from services.contract import decisions_text

TESTS = Path(__file__).parents[1]
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in decisions_text().splitlines()
    if line.startswith("| D")
]


def test_numbers_run_on():
    assert [row[0] for row in ROWS] == [f"D{at}" for at in range(1, len(ROWS) + 1)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_decision_names_the_tests_that_pin_it(row):
    assert len(row) == 5
    for name in row[4].split(", "):
        found = TESTS / name if name.endswith("/") else TESTS / f"{name}.py"
        assert found.exists(), f"{row[0]} names {name}"
