"""Each measured fact of components/README.md about Streamlit is pinned by a test that names it."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
README = (TESTS.parent / "components" / "README.md").read_text(encoding="utf-8")
FACTS = README[README.index("## Measured facts about Streamlit") :]
#: Of other programs, or figures that the benchmark measures.
NOT_STREAMLITS = ("A dataclass", "A box with", "A first visit on the wire", "Plotly's scripts")


def bullets():
    """Every fact but those of charts, as number and words."""
    groups = re.split(r"^\*\*(?=[A-Z])", FACTS, flags=re.MULTILINE)[1:]
    lines = [
        line
        for group in groups
        if not group.startswith("Charts")
        for line in group.splitlines()
        if line.startswith("- ") and not line[2:].startswith(NOT_STREAMLITS)
    ]
    return [re.fullmatch(r"- (?:\*\*(S\d+)\*\* )?(.*)", line).groups() for line in lines]


def named():
    """Facts that test files name: S12, and each of S12, S13 and S14."""
    texts = (path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    said = " ".join(re.findall(r'"""(.*?)"""', "".join(texts), re.DOTALL))
    return set(re.findall(r"\bS[1-9]\d?\b", said))


def test_numbers_run_on():
    found = [number for number, _ in bullets()]
    assert found == [f"S{at}" for at in range(1, len(found) + 1)]
    assert len(found) > 30


@pytest.mark.parametrize(("number", "words"), bullets())
def test_a_fact_is_pinned_by_a_test_that_names_it(number, words):
    assert number in named(), words
