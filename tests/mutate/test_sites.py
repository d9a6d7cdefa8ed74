"""Which changes a mutation run makes, on a few lines of each kind of file."""

import pytest

from tests.mutate.__main__ import ROOT, TESTS, about
from tests.mutate.sites import sites

pytestmark = pytest.mark.tools


def changed(name, text):
    return {site.on(text) for site in sites(name, text)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a < b", {"a <= b"}),
        ("a == b", {"a != b"}),
        ("a in b", {"a not in b"}),
        ("a and b", {"a or b"}),
        ("not a", {"(a)"}),
        ("a + b", {"a - b"}),
        ("True", {"False"}),
        ("7", {"8"}),
        ("1.25", {"1.26", "1.24"}),
        ("a if b else c", {"c if b else a"}),
        ("'text'", set()),
        ("f'{a + 1}'", set()),
        ("zip(a, strict=True)", set()),
        ("'SELECT a FROM b WHERE c >= 1'", {"'SELECT a FROM b WHERE c > 1'"}),
    ],
)
def test_python_is_changed_by_its_syntax(before, after):
    assert changed("a.py", f"x = {before}") == {f"x = {one}" for one in after}


def test_docstrings_and_types_are_left_alone():
    text = (
        '"""Says 1 < 2."""\n\ndef f(a: Literal[1]) -> Literal[2]:\n    """3."""\n    b: Final[4]\n'
    )
    assert changed("a.py", text) == set()


def test_a_change_stands_where_its_line_says_behind_wide_letters_too():
    text = "a = 'é漢'; b = 1\nc = 2\n"
    assert [(site.line(text), site.on(text)) for site in sites("a.py", text)] == [
        (1, "a = 'é漢'; b = 2\nc = 2\n"),
        (2, "a = 'é漢'; b = 1\nc = 3\n"),
    ]


def test_numbers_words_and_limits_of_a_table_are_changed():
    text = '# 1 "one"\n[part]\na = 1.20 # 3\nb = ">= 200"\n"WFB" = "Wells"\n'
    assert changed("a.toml", text) == {
        text.replace("1.20", "1.21"),
        text.replace("1.20", "1.19"),
        text.replace(">= 200", "> 200"),
        text.replace(">= 200", ">= 201"),
        text.replace(">= 200", ">= 199"),
        text.replace("WFB", "WFBq"),
        text.replace("Wells", "Wellsq"),
    }


def test_what_does_not_read_any_more_is_no_change():
    assert changed("a.toml", "1 = 'a'\n2 = 'b'\n") == {"1 = 'a'\n3 = 'b'\n", "0 = 'a'\n2 = 'b'\n"}


def test_every_file_of_the_product_has_tests_that_are_about_it():
    files = [
        path.relative_to(ROOT).as_posix()
        for room in ("services", "components", "pages")
        for path in (ROOT / room).rglob("*.py")
    ]
    assert [one for one in files if not about(one, ROOT)] == []


def test_no_row_names_tests_that_are_not_there():
    named = {one for row in TESTS.values() for one in row.split()}
    assert [one for one in named if not list(ROOT.glob(f"tests/{one}"))] == []
