"""Known holes, by files that were carried here (D121)."""

import json
import zipfile

import pytest

from tests.supply import holes
from tests.supply.holes import covers, main


def advisory(name="streamlit", ecosystem="PyPI", **of):
    of = of or {"ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}]}
    affected = {"package": {"ecosystem": ecosystem, "name": name}, **of}
    return {
        "id": "GHSA-1", "aliases": ["CVE-2026-1"], "modified": "2026-11-01T00:00:00Z",
        "summary": "Bad\nthing", "affected": [affected],
    }  # fmt: skip


@pytest.fixture
def said(tmp_path, capsys, monkeypatch):
    """Exit code and output, over two packages."""
    lock = tmp_path / "requirements.txt"
    sha = "sha256:" + "0" * 64
    lock.write_text(f"streamlit==1.67.0 --hash={sha}\nzope-event==5.0 --hash={sha}\n")
    monkeypatch.setattr(holes, "LOCKS", (lock,))
    monkeypatch.setattr(holes, "ROOT", tmp_path)
    monkeypatch.setattr(holes, "locked_versions", lambda real=holes.locked_versions: real((lock,)))

    def run(content, name="osv.json"):
        path = tmp_path / name
        if isinstance(content, (str, bytes)):
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        elif content is not None:
            path.write_text(json.dumps(content), encoding="utf-8")
        code = main([str(path)])
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    return run


def ranged(*events, kind="ECOSYSTEM"):
    return {"ranges": [{"type": kind, "events": [dict([event]) for event in events]}]}


@pytest.mark.parametrize(
    ("affected", "hit"),
    [
        ({"versions": ["1.66.0", "1.67.0"]}, True),
        ({"versions": ["1.66.0"]}, False),
        (ranged(("introduced", "0")), True),
        (ranged(("introduced", "0"), ("fixed", "1.67.0")), False),
        (ranged(("introduced", "0"), ("fixed", "1.67.1")), True),
        (ranged(("introduced", "1.9"), ("fixed", "1.100")), True),
        (ranged(("introduced", "1.67.0"), ("last_affected", "1.67.0")), True),
        (ranged(("introduced", "1.0"), ("last_affected", "1.66.9")), False),
        (ranged(("introduced", "1.68")), False),
        (ranged(("introduced", "0"), ("fixed", "1.0"), ("introduced", "1.50")), True),
        (ranged(("introduced", "1.50"), ("introduced", "0"), ("fixed", "1.0")), True),
        (ranged(("introduced", "0"), kind="GIT") | {"versions": ["1.0"]}, False),
        # What cannot be compared, and what says nothing, is looked at by somebody.
        (ranged(("introduced", "what?")), True),
        ({}, True),
    ],
)
def test_a_version_is_covered_as_osv_says(affected, hit):
    """D121."""
    assert covers(affected, "1.67.0") is hit


def test_a_hole_is_named_with_its_package_lock_and_names_and_ends_with_1(said):
    """D121."""
    code, shown = said(advisory("Streamlit"))
    assert code == 1
    assert shown.splitlines() == [
        "streamlit 1.67.0 (requirements.txt): GHSA-1, CVE-2026-1: Bad\ufffdthing",
        "1 holes in 2 packages, by 1 advisories, the newest of 2026-11-01",
    ]
    assert "zope-event 5.0" in said(advisory("zope.event"))[1]


@pytest.mark.parametrize(
    "other",
    [advisory("flask"), advisory(ecosystem="npm"), {**advisory(), "withdrawn": "2026-01-01"}],
)
def test_what_is_of_another_package_or_withdrawn_is_none(said, other):
    assert said([other])[0] == 0


def test_a_folder_an_archive_and_answers_of_several_are_read(said, tmp_path):
    folder = tmp_path / "all"
    (folder / "PyPI").mkdir(parents=True)
    (folder / "PyPI" / "GHSA-1.json").write_text(json.dumps(advisory()))
    assert said(None, "all")[0] == 1
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("GHSA-1.json", json.dumps(advisory()))
        archive.writestr("GHSA-2.json", json.dumps(advisory("flask")))
    code, shown = said(None, "all.zip")
    assert (code, "by 2 advisories" in shown) == (1, True)
    assert said({"vulns": [advisory()]})[0] == 1
    assert said({"vulns": []})[0] == 0


def test_a_report_of_pip_audit_counts_for_the_version_that_it_looked_at(said):
    hole = {"id": "PYSEC-1", "aliases": [], "fix_versions": ["1.68"], "description": "Bad."}

    def report(version, *vulns):
        return {"dependencies": [{"name": "streamlit", "version": version, "vulns": [*vulns]}]}

    assert said(report("1.67.0", hole))[0] == 1
    assert said(report("1.66.0", hole))[0] == 0
    assert said(report("1.67.0"))[0] == 0


@pytest.mark.parametrize(
    "content", ["", "no JSON", "[]", '"text"', '{"a": 1}', b"PK\x03\x04", "[1]"]
)
def test_a_file_that_holds_none_does_not_pass_for_one_that_found_none(said, content):
    """D121."""
    code, shown = said(content)
    assert code == 2
    assert "does not read: " in shown


def test_a_file_that_is_not_there_or_not_named_is_said(said, tmp_path):
    (tmp_path / "empty").mkdir()
    assert said(None, "empty")[0] == 2
    assert said(None, "nothing.json")[0] == 2
    assert main([]) == 2
