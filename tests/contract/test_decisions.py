"""DECISIONS.md is kept true: numbers run on, and each row names the test files that pin it.

A test says in a comment or docstring which decision it pins ("D24").
"""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

from services.contract import decisions_text

TESTS = Path(__file__).parents[1]
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in decisions_text().splitlines()
    if line.startswith("| D")
]


def mentioned(path):
    """Decisions that a test file names in its comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    told = [
        token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]
    told += [
        ast.get_docstring(node) or ""
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
    ]
    found = set()
    for words in told:
        for first, last in re.findall(r"\bD([1-9]\d*)(?: to D([1-9]\d*))?\b", words):
            found |= {f"D{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_numbers_run_on():
    assert [row[0] for row in ROWS] == [f"D{at}" for at in range(1, len(ROWS) + 1)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_files_that_a_decision_names_say_that_they_pin_it(row):
    assert len(row) == 5
    assert row[4], f"{row[0]} names no test"
    for name in row[4].split(", "):
        path = TESTS / f"{name}.py"
        assert path.is_file(), f"{row[0]} names {name}, which is no test file"
        assert row[0] in mentioned(path), f"{name} does not say where it pins {row[0]}"


def test_no_test_pins_a_decision_that_there_is_not():
    known = {row[0] for row in ROWS}
    stray = {
        f"{path.relative_to(TESTS)} {number}"
        for path in sorted(TESTS.rglob("test_*.py"))
        for number in mentioned(path) - known
    }
    assert stray == set()
