"""The documents tell the truth: the settings, commands and targets of README.md and of the
operator's page, services/README.md, exist, and so do the files that any document links or names.
"""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from services.cli import app
from services.settings import BESIDE, PREFIX, Settings

ROOT = Path(__file__).parents[1]
ROOMS = ("components", "pages", "services", "tests")
PAGES = {
    page: (ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "services/README.md")
}
README = "\n".join(PAGES.values())
#: Every page of documentation: README files of the rooms, and the pages at the top.
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("*.md"), *(p for f in ROOMS for p in (ROOT / f).rglob("*.md")))
)
LINKS = [
    (page, link)
    for page in DOCUMENTS
    for link in re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text(encoding="utf-8"))
    if "://" not in link and link != "..."
]


def test_every_setting_is_documented_and_every_documented_one_exists():
    table = set(re.findall(rf"^\| `{PREFIX}([A-Z_]+)`", README, re.MULTILINE))
    serve = get_command(app).commands["serve"]
    options = {one.envvar.removeprefix(PREFIX).lower() for one in serve.params if one.envvar}
    assert {name.lower() for name in table} == {*Settings.model_fields, *options}


def test_documented_defaults_are_the_defaults():
    for name, default in re.findall(rf"^\| `{PREFIX}([A-Z_]+)` \| `([^`]+)`", README, re.MULTILINE):
        assert str(Settings.model_fields[name.lower()].default).lower() == default.lower()


def test_every_command_is_documented_and_every_documented_one_exists():
    written = set(re.findall(r"`creditatlas ([a-z-]+)", README))
    assert written == set(get_command(app).commands)


@pytest.mark.parametrize("target", re.findall(r"^make ([a-z]+)", README, re.MULTILINE))
def test_a_make_target_exists(target):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.parametrize(("page", "link"), LINKS)
def test_a_link_leads_to_a_file_and_a_heading_of_it(page, link):
    path, _, part = link.partition("#")
    target = (ROOT / page).parent / path if path else ROOT / page
    assert target.exists()
    if part:
        headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        assert part in {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", [page for page in DOCUMENTS if page != "CHANGELOG.md"])
def test_a_file_that_a_document_names_exists(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for name in re.findall(rf"`((?:{'|'.join(ROOMS)})/[\w/.-]+\.(?:py|js|css|toml|md))`", text):
        rooms = (ROOT, ROOT / "tests") if page.startswith("tests/") else (ROOT,)
        assert any((room / name).is_file() for room in rooms), name


def test_the_readme_is_short():
    """Settings and commands stand on the operator's page alone, each once."""
    assert len(PAGES["README.md"].splitlines()) < 120
    assert not re.search(rf"^\| `({PREFIX}|creditatlas )", PAGES["README.md"], re.MULTILINE)


def test_every_name_with_our_prefix_is_one_that_a_start_takes():
    """A start refuses any other (D118): tests and scripts have names of their own."""
    known = {name.upper() for name in (*Settings.model_fields, *BESIDE)}
    bad = ROOT / "tests/test_bad_settings.py"
    for folder in ("services", "components", "pages", "tests", ".ci"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path != bad and path.suffix not in {".pyc", ".gz"}:
                text = path.read_bytes().decode(errors="ignore")
                names = set(re.findall(rf"\b{PREFIX}([A-Z][A-Z_]*[A-Z])\b", text))
                assert names <= known, path
