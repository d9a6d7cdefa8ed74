"""What commands say of a store that is damaged, or is none; and that they remove nothing of it."""

import pytest

from services import cli
from services.settings import load as settings
from tests.commands import inside
from tests.periods import book
from tests.publishing import load
from tests.test_cli import SAMPLE, contents, sentence


@pytest.fixture
def pointerless(tmp_path):
    """A store that lost the 23 bytes which name its snapshots."""
    assert inside("import", "sec-absee", SAMPLE, store=tmp_path).returncode == 0
    (tmp_path / "current").unlink()
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("demo", "--loans", 3),
        ("demo", "--loans", 3, "--if-empty"),
        ("demo", "--loans", 3, "--replace"),
        ("import", "sec-absee", SAMPLE, "--deal", "another"),
        ("status",),
        ("verify",),
        ("snapshots", "list"),
        ("snapshots", "gc"),
        ("snapshots", "use", "20240101-000000-abcdef"),
        ("up",),
    ],
    ids=lambda words: " ".join(map(str, words[:3])),
)
def test_snapshots_that_nothing_names_are_damage_to_every_command(pointerless, words):
    """D99."""
    before = contents(pointerless)
    said = sentence(inside(*words, store=pointerless))
    assert said == (
        f"'{pointerless}/current' is missing, and snapshots lie beside it; run 'creditatlas"
        " rebuild', or copy the store back from a backup"
    )
    assert contents(pointerless) == before


def test_a_newer_snapshot_that_current_does_not_list_is_said_beside_what_is_read(tmp_path):
    """A `current` from a backup: 58 loans were shown where there were 93, and nothing was said."""
    older, newer = (load(tmp_path, [book(key, key)]).snapshot_id for key in "ab")
    (tmp_path / "current").write_text(f"{older}\n")
    for words in ("status",), ("status", "--json"), ("verify",):
        done = inside(*words, store=tmp_path)
        assert done.returncode == 2
        assert older in done.stdout
        assert done.stderr.startswith(
            f"creditatlas: '{tmp_path}/current' does not list snapshot {newer};"
        )
    assert inside("rebuild", store=tmp_path).returncode == 0
    assert inside("status", store=tmp_path).stderr == ""


def test_a_damaged_snapshot_is_not_gone_back_to(tmp_path):
    older, newer = (load(tmp_path, [book(key, key)]).snapshot_id for key in "ab")
    file = tmp_path / f"snap-{older}" / "atlas.duckdb"
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    before = contents(tmp_path)
    assert f"'atlas.duckdb' of snapshot {older}" in sentence(
        inside("snapshots", "use", older, store=tmp_path)
    )
    assert contents(tmp_path) == before
    file.write_bytes(whole)
    assert inside("snapshots", "use", older, store=tmp_path).returncode == 0
    assert (tmp_path / "current").read_text().split() == [older, newer]


def test_where_what_was_imported_does_not_read_the_whole_snapshot_beside_it_is_named(tmp_path):
    older, newer = (load(tmp_path, [book(key, key)]).snapshot_id for key in "ab")
    back = f"; run 'creditatlas snapshots use {older}' to go back to a snapshot that is whole, or"
    # The second file is of both snapshots.
    for at, named in ("0001", True), ("0000", False):
        (tmp_path / f"snap-{newer}/archive/{at}/loans.parquet").write_bytes(b"")
        before = contents(tmp_path)
        for words in ("rebuild",), ("import", "sec-absee", SAMPLE):
            said = sentence(inside(*words, store=tmp_path))
            assert said.startswith("What was imported before cannot be used: ")
            assert (back in said) is named
        assert contents(tmp_path) == before


def test_rebuild_makes_what_lost_its_name_current_again(pointerless):
    """D76."""
    (snapshot,) = pointerless.glob("snap-*")
    done = inside("rebuild", store=pointerless)
    assert (done.returncode, done.stderr) == (0, "")
    again = f"Snapshot {snapshot.name[5:]} is as it was written, and current again: "
    assert done.stdout.startswith(again)
    assert inside("verify", store=pointerless).returncode == 0


def test_a_bit_that_flipped_in_reported_data_does_not_let_made_up_loans_replace_it(tmp_path):
    """D100."""
    assert inside("import", "sec-absee", SAMPLE, store=tmp_path).returncode == 0
    (snapshot,) = tmp_path.glob("snap-*")
    file = snapshot / "atlas.duckdb"
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1
    file.write_bytes(whole)
    before = contents(tmp_path)
    for words in (("demo", "--loans", 3), ("snapshots", "gc", "--keep", 1)):
        assert sentence(inside(*words, store=tmp_path)).startswith("'atlas.duckdb' of snapshot")
    assert contents(tmp_path) == before
    for _ in range(2):
        assert inside("demo", "--loans", 3, "--replace", store=tmp_path).returncode == 0
    assert not snapshot.exists()  # the second found a store that reads, and was told to replace


def test_what_replaces_a_damaged_store_removes_nothing_of_it(tmp_path, monkeypatch):
    """D100."""
    monkeypatch.setenv("CREDIT_ATLAS_KEEP_SNAPSHOTS", "1")
    assert inside("import", "sec-absee", SAMPLE, store=tmp_path).returncode == 0
    (snapshot,) = tmp_path.glob("snap-*")
    (snapshot / "atlas.duckdb").write_bytes(b"")
    before = contents(snapshot)
    assert inside("demo", "--loans", 3, "--replace", store=tmp_path).returncode == 0
    assert contents(snapshot) == before


@pytest.mark.parametrize("blank", ["", " "])
def test_a_store_that_is_not_named_is_not_the_folder_one_stands_in(monkeypatch, tmp_path, blank):
    """D102."""
    monkeypatch.chdir(tmp_path)
    assert "--store is blank" in sentence(inside("demo", "--loans", 3, store=blank))
    monkeypatch.setenv("CREDIT_ATLAS_STORE", blank)
    monkeypatch.setattr(cli, "load", lambda **_: settings())
    assert "CREDIT_ATLAS_STORE cannot be used: it is blank; name a folder" in sentence(
        inside("demo", "--loans", 3, store="unused")
    )
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_other_files_is_not_made_a_store(tmp_path):
    """D102."""
    (tmp_path / "letter.txt").write_text("x")
    said = sentence(inside("demo", "--loans", 3, store=tmp_path))
    assert said == (
        f"The folder '{tmp_path}' is no store and holds other files (letter.txt); name an empty or"
        " a new one by --store or CREDIT_ATLAS_STORE"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
