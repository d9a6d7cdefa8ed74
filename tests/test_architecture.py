"""The house's rules that no linter knows: layers, sizes, names, and what must stand nowhere."""

import ast
import re
import shutil
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from components.frame import routes

ROOT = Path(__file__).parents[1]
#: Lines a file may have; guides, not law, so a file past its guide says why in PAST_ITS_GUIDE.
GUIDES = {"app.py": 60, "pages": 60, "components": 250, "services": 400, "tests": 400}
PAST_ITS_GUIDE = {
    "components/frame/filters.py": "every filter of the pages in one table",
    "services/contract/history.py": "every question to earlier dates, with its answer",
    "services/contract/source.py": "the Protocols of the waist, each method with what it answers",
    "services/store/source.py": "every read of the waist in one class, each a line",
    "tests/desk/conforming.py": "every promise of a desk, which both databases keep",
    "tests/oracle_screens.py": "every answer about results of loans, in one plain class",
    "tests/signals/rules_oracle.py": "all that the rules say of one loan, in one plain class",
    "tests/store/test_graph.py": "every rule of the walk as one drawn case, beside its oracle",
}
VAGUE = {"util", "utils", "helper", "helpers", "common", "manager", "managers", "misc", "lib"}


def sources(*folders):
    """Python files, as path relative to the project and text."""
    listed = [ROOT / "app.py"] if "app.py" in folders else []
    for folder in folders:
        listed += sorted((ROOT / folder).rglob("*.py")) if folder != "app.py" else []
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in listed}


@cache
def syntax():
    """Every piece of the product's syntax by its kind, each with its file."""
    found = defaultdict(list)
    for file, text in sources("app.py", "components", "pages", "services").items():
        for node in ast.walk(ast.parse(text)):
            found[type(node)].append((file, node))
    return found


SCREEN = sources("app.py", "pages", "components")
EVERYTHING = sources(*GUIDES)
PAGES = [name for name in SCREEN if name.startswith("pages/") and name != "pages/__init__.py"]


def found(pattern, texts, allowed=()):
    """Where a pattern occurs, as file:line."""
    return [
        f"{name}:{number}"
        for name, text in texts.items()
        if name not in allowed
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, line)
    ]


def test_no_file_is_past_its_guide_without_a_reason():
    long = [
        f"{name} has {len(text.splitlines())} lines"
        for name, text in EVERYTHING.items()
        if past_its_guide(name) and name not in PAST_ITS_GUIDE
    ]
    assert not long, "split by noun: " + "; ".join(long)


def test_make_test_looks_for_tests_of_a_browser_where_they_are():
    homes = ("tests/browser", "tests/platform")
    marked = found(r"mark\.browser$", EVERYTHING)
    assert [one for one in marked if not one.startswith(homes)] == []
    assert f'-m "browser and not team and not long" {" ".join(homes)}\n' in (
        ROOT / "Makefile"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAST_ITS_GUIDE)
def test_a_reason_to_be_long_goes_when_its_file_is_short_again(name):
    assert past_its_guide(name)


def past_its_guide(name):
    return len(EVERYTHING[name].splitlines()) > GUIDES[name.split("/")[0]]


def test_modules_are_named_by_what_they_hold():
    assert [name for name in EVERYTHING if set(Path(name).with_suffix("").parts) & VAGUE] == []


def test_answers_are_cached_in_one_place():
    pattern = r"\bcache_(data|resource)\b|\bst\.cache\b"
    assert found(pattern, SCREEN, {"components/frame/session.py"}) == []
    assert found(pattern, SCREEN) != []


def test_app_py_knows_the_frame_and_nothing_below_it():
    assert found(r"\b(import|from) services\b", sources("app.py")) == []


def test_streamlits_inside_is_named_in_one_room():
    """Private modules, test ids, classes and paths; `.st-key-` and `--st-` are for everybody."""
    elsewhere = {name: text for name, text in SCREEN.items() if "/platform/" not in name}
    elsewhere |= {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for kind in ("css", "js", "html")
        for path in sorted((ROOT / "components").rglob(f"*.{kind}"))
        if path.parent.name != "platform"
    }
    inside = r"(from|import) streamlit\.|st\.(config|runtime|proto|web)\b"
    named = r"data-testid|\bst[A-Z][a-z]+[A-Z]?\w*|st-emotion|_stcore/|__streamlit"
    assert found(f"{inside}|{named}", elsewhere) == []
    there = {name: text for name, text in SCREEN.items() if "/platform/" in name}
    assert found(inside, there) != []
    assert found(named, there) != []


def test_no_text_reaches_the_screen_as_html_of_ours():
    assert found(r"unsafe_allow_html|unsafe_allow_javascript", SCREEN) == []


def test_the_screen_names_no_other_host():
    assert found(r"https?://(?!localhost\b|127\.0\.0\.1\b)", SCREEN) == []


def test_nothing_below_the_components_knows_the_screen():
    assert found(r"\b(import|from) (streamlit|plotly|pydeck)\b", sources("services")) == []


def test_every_chart_of_plotly_comes_to_the_page_by_one_helper():
    assert found(r"\bplotly_chart\(", SCREEN, {"components/frame/charts.py"}) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_enters_by_the_frame_before_anything_else(name):
    for statement in ast.parse(SCREEN[name]).body:
        match statement:
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                continue
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id="shell"), attr="inside"),
                    args=[ast.Attribute(value=ast.Name(id="routes"), attr=route)],
                )
            ):
                assert getattr(routes, route).file == name
                return
            case _:
                pytest.fail(f"{name}: line {statement.lineno} comes before shell.inside")
    pytest.fail(f"{name} never calls shell.inside")


def test_every_page_is_in_the_navigation():
    assert sorted(route.file for route in routes.ROUTES) == PAGES


def test_pages_are_named_in_one_place():
    assert found(r"""["']pages/\w""", SCREEN, {"components/frame/routes.py"}) == []


#: Written in parts, or this file would be the first to name them.
REGISTRIES = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("proxy", "golang", "org"),
        ("crates", "io"),
        ("anaconda", "org"),
        ("deb", "debian", "org"),
        ("archive", "ubuntu", "com"),
    )
]


def test_no_tracked_file_names_the_host_of_a_registry():
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout, so there is no list of tracked files")
    asked = [word for host in REGISTRIES for word in ("-e", host)]
    done = subprocess.run(
        [git, "grep", "-lIiF", *asked], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    assert done.returncode == 1, done.stderr  # 1 is "no match", anything else a failure of git
