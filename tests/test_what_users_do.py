"""The list of what a user can do (tests/README.md) names every page, and tests that there are."""

import re
from pathlib import Path

from components.frame.routes import ROUTES

TESTS = Path(__file__).parent
ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in (TESTS / "README.md")
    .read_text(encoding="utf-8")
    .partition("## Lines")[0]
    .splitlines()
    if line.startswith("| ") and not line.startswith("| page |")
]


def test_every_page_has_a_row():
    assert {one.title for one in ROUTES} <= {page for page, *_ in ROWS}


def test_each_row_names_tests_that_there_are():
    for page, _, tests in ROWS:
        named = re.findall(r"`([^`]+)`", tests)
        assert named, page
        for name in named:
            assert (TESTS / name).is_file(), name


def test_each_page_is_visited_by_one_of_its_tests():
    for route in ROUTES:
        (row,) = (row for row in ROWS if row[0] == route.title)
        name = Path(route.file).stem
        texts = [(TESTS / one).read_text("utf-8") for one in re.findall(r"`([^`]+)`", row[2])]
        assert any(name in text for text in texts), route.title
