"""The command line as a user runs it: what it says, its exit code, and that nothing is lost."""

import json
from collections import Counter
from pathlib import Path

import pytest

from services.contract.paging import every
from services.contract.queries import EntityQuery, LoanQuery, SignalQuery
from services.settings import load
from services.sources import open_workspace
from tests import commands
from tests.commands import REFUSED, inside, process

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "tests/importers/sample_2025-1__mixed.xml"


def sentence(done):
    """The one sentence of a refusal that printed nothing before it."""
    assert done.stdout == ""
    return commands.sentence(done)


def contents(folder):
    """Every file of a store, with its bytes."""
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A store of fifty made-up loans, and how its making was told."""
    folder = tmp_path_factory.mktemp("cli") / "store"
    return folder, inside("demo", "--loans", 50, store=folder)


def test_demo_says_what_it_made(demo):
    folder, made = demo
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout == f"50 made-up loans as of 30 Sep 2026 in {folder}\n"


@pytest.fixture(scope="module")
def told(demo):
    """What status --json says of it."""
    done = inside("status", "--json", store=demo[0])
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_status_as_json_agrees_with_a_hand_count_of_the_records(demo, told):
    folder, _ = demo
    workspace = open_workspace(load(store=folder))
    with workspace.lease() as reading:
        source = reading.source
        loans = list(every(source.loans, LoanQuery(per_page=7)))
        signals = list(every(source.signals, SignalQuery(per_page=7)))
        entities = list(every(source.entities, EntityQuery(per_page=7)))
        properties = [source.loan(one.loan_number).extended["properties"] for one in loans]
    workspace.close()

    priced = [one for one in loans if one.interest_rate is not None and one.book_value is not None]
    weight = sum(one.book_value for one in priced)
    coupon = sum(one.interest_rate * one.book_value for one in priced) / weight
    assert told["loans"] == len({one.loan_number for one in loans}) == 50
    assert told["book_value"] == sum(one.book_value or 0 for one in loans)
    assert told["weighted_coupon"] == pytest.approx(coupon)
    assert told["properties"] == sum(map(len, properties))
    assert told["entities"] == len({one.entity_name for one in entities})
    assert told["signals"] == len(signals)
    assert told["signals_by_severity"] == Counter(one.severity for one in signals)
    assert told["signals_by_type"] == Counter(one.signal_type for one in signals)
    assert (told["as_of"], told["rejected"]) == ("2026-09-30", 0)
    assert [one["provenance"] for one in told["sources"]] == ["synthetic"]
    assert told["sources"][0]["loans"] == 50


def test_status_in_words_has_the_figures_of_the_json(demo, told):
    folder, _ = demo
    done = inside("status", store=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Snapshot {told['snapshot_id']}, as of 30 Sep 2026" in done.stdout
    assert f"Weighted coupon {told['weighted_coupon']:.4f} %" in done.stdout
    for label, name in (("loans", "loans"), ("book value, USD", "book_value"), ("edges", "edges")):
        row = next(line for line in done.stdout.splitlines() if line.startswith(f"│ {label} "))
        assert row.split("│")[-2].strip() == f"{told[name]:,}"


def test_status_says_which_limits_spreads_and_rates_a_snapshot_rests_on(demo, told):
    done = inside("status", store=demo[0])
    for line in ("Limits: packaged, version 4", "Spreads: packaged, version 3"):
        assert line in done.stdout.splitlines()
    assert "Reference rates: packaged" in done.stdout.splitlines()
    assert [one["table"] for one in told["rests_on"]] == ["limits", "spreads", "reference rates"]


@pytest.fixture
def own_files(tmp_path, monkeypatch):
    """Copies of the packaged files, named by the settings (D59)."""
    names = {
        "limits": "services/signals/limits.toml",
        "spreads": "services/rates/spreads.toml",
        "rates": "services/rates/reference_rates.csv",
    }
    paths = {}
    for setting, name in names.items():
        paths[setting] = tmp_path / Path(name).name
        paths[setting].write_bytes((ROOT / name).read_bytes())
        monkeypatch.setenv(f"CREDIT_ATLAS_{setting.upper()}", str(paths[setting]))
    return paths


def test_a_users_own_files_score_what_is_loaded(own_files, tmp_path):
    text = own_files["limits"].read_text("utf-8")
    text = text.replace("version = 4", "version = 11").replace('"< 1.25"', '"< 9.99"')
    own_files["limits"].write_text(text, "utf-8")
    folder = tmp_path / "store"
    assert inside("demo", "--loans", 50, store=folder).returncode == 0
    told = inside("status", store=folder).stdout.splitlines()
    assert "Limits: limits.toml, version 11" in told
    assert "Spreads: spreads.toml, version 3" in told
    assert "Reference rates: reference_rates.csv" in told
    workspace = open_workspace(load(store=folder))
    with workspace.lease() as reading:
        signals = list(every(reading.source.signals, SignalQuery(per_page=100)))
    workspace.close()
    parts = [part for one in signals for part in one.components if part.rule == "CV-1"]
    assert len(parts) > 25  # a DSCR under 9.99x
    assert {part.limits_version for part in parts} == {11}


@pytest.mark.parametrize(
    ("setting", "text", "said"),
    [
        (
            "limits",
            "version = 2\n",
            "Limits limits.toml, line 1: part_year is missing; copy it from the",
        ),
        ("spreads", "version = 2\n[default\n", "Spreads spreads.toml is not TOML: "),
        ("rates", "date;percent\n", "Reference rates reference_rates.csv, line 1: the header is"),
    ],
)
def test_a_bad_file_of_the_users_changes_nothing(own_files, tmp_path, setting, text, said):
    own_files[setting].write_text(text, "utf-8")
    folder = tmp_path / "store"
    for words in (("demo", "--loans", 5), ("import", "sec-absee", SAMPLE)):
        assert sentence(inside(*words, store=folder)).startswith(said)
    assert not folder.exists()


def test_demo_if_empty_leaves_a_filled_store_alone_and_fills_an_empty_one(demo, tmp_path):
    folder, _ = demo
    before = contents(folder)
    done = inside("demo", "--loans", 3, "--if-empty", store=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert contents(folder) == before
    done = inside("demo", "--loans", 3, "--if-empty", store=tmp_path / "new")
    assert done.stdout.startswith("3 made-up loans ")
    assert inside("status", store=tmp_path / "new").returncode == 0


@pytest.fixture(scope="module")
def filed(tmp_path_factory):
    """A store that holds a real kind of file, reported."""
    folder = tmp_path_factory.mktemp("cli") / "filed"
    return folder, inside("import", "sec-absee", SAMPLE, "--deal", "Sample", store=folder)


def test_import_says_what_it_took_and_what_it_left(filed):
    folder, done = filed
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "Sample: 5 loans, 7 properties, as of 11 Dec 2025"
    assert lines[-1] == f"The store {folder} now holds 5 loans"
    assert sum(line.startswith("rejected ") for line in lines) == 7


HOSTILE = {
    "empty": (b"", "is empty"),
    "truncated": (SAMPLE.read_bytes()[:9_000], "is not well-formed XML"),
    "entities": (
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>',
        "declares a document type (DOCTYPE)",
    ),
    "noise": (bytes(range(256)) * 40, "is not XML"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_cannot_be_used_is_refused_and_nothing_is_lost(filed, tmp_path, name):
    folder, _ = filed
    content, said = HOSTILE[name]
    file = tmp_path / f"{name}.xml"
    file.write_bytes(content)
    before = contents(folder)
    told = sentence(inside("import", "sec-absee", file, "--deal", "Sample", store=folder))
    assert told.startswith(f"{name}.xml ")
    assert said in told
    assert contents(folder) == before


def test_a_file_that_is_not_there_is_refused_together_with_one_that_is(filed, tmp_path):
    folder, _ = filed
    before = contents(folder)
    told = sentence(inside("import", "sec-absee", SAMPLE, tmp_path / "gone.xml", store=folder))
    assert told == "gone.xml: there is no such file or folder."
    assert contents(folder) == before


def test_the_name_of_a_file_cannot_write_to_the_terminal(filed, tmp_path):
    folder, _ = filed
    told = sentence(inside("import", "sec-absee", tmp_path / "a\x1b[2J\nb.xml", store=folder))
    assert "a�[2J�b.xml" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--as-of", "2026-02-30"], "--as-of is '2026-02-30' but must be a day written as"),
        (["--as-of", "1999-01-01"], "2012-01-01 to 2035-12-31"),
        (["--loans", "0"], "1 to 2,000,000 loans, not 0"),
        (["--quarters", "13"], "1 to 12 quarters, not 13"),
    ],
)
def test_demo_with_a_value_out_of_bounds_is_refused_and_makes_no_store(tmp_path, words, said):
    assert said in sentence(inside("demo", *words, store=tmp_path / "store"))
    assert not (tmp_path / "store" / "current").exists()


def test_status_of_an_empty_store_says_how_to_fill_it(tmp_path):
    told = sentence(inside("status", store=tmp_path))
    assert told.startswith(
        f"There is no data in the store '{tmp_path}' yet; run 'creditatlas demo'"
    )


@pytest.mark.parametrize("words", [[], ["import"]])
def test_without_a_command_the_help_is_shown(words):
    done = process(*words)
    shown = done.stdout + done.stderr
    assert "Usage: " in shown
    assert "Commands" in shown
    assert "Traceback" not in shown


def test_made_up_loans_replace_reported_ones_only_if_asked_to(tmp_path):
    assert inside("import", "sec-absee", SAMPLE, store=tmp_path).returncode == 0
    before = contents(tmp_path)
    said = sentence(inside("demo", "--loans", 3, store=tmp_path))
    assert "holds reported data (" in said
    assert said.endswith("name another folder by --store, or pass --replace")
    assert contents(tmp_path) == before
    done = inside("demo", "--loans", 3, "--replace", store=tmp_path)
    assert done.stdout.startswith("3 made-up loans ")


def test_an_unknown_command_is_named():
    done = process("stats")
    assert done.returncode == REFUSED
    assert "No such command 'stats'" in done.stderr
    assert "Traceback" not in done.stderr


def test_verify_reads_every_file_and_rebuild_mends_what_it_found(tmp_path):
    """D74, D76."""
    assert inside("demo", "--loans", 30, "--seed", 3, store=tmp_path).returncode == 0
    whole = inside("verify", store=tmp_path)
    assert whole.returncode == 0
    (snapshot,) = tmp_path.glob("snap-*")
    files = [path for path in snapshot.rglob("*") if path.is_file()]
    assert f"as it was written: {len(files) - 1} files" in whole.stdout  # all but the checksums
    rows = snapshot / "details" / "rows.lz4"
    rows.write_bytes(rows.read_bytes()[:-1] + b"\x00")
    said = sentence(inside("verify", store=tmp_path))
    assert said.startswith("'details/rows.lz4' of snapshot")
    assert said.endswith("run 'creditatlas rebuild', or copy the store back from a backup")
    assert sentence(inside("status", store=tmp_path)) == said
    mended = inside("rebuild", store=tmp_path)
    assert (mended.returncode, mended.stderr) == (0, "")
    assert mended.stdout.startswith("Rebuilt: 30 loans of ")
    assert inside("verify", store=tmp_path).returncode == 0


def test_verify_and_rebuild_of_an_empty_store_say_how_to_fill_it(tmp_path):
    for command in ("verify", "rebuild"):
        assert "run 'creditatlas demo'" in sentence(inside(command, store=tmp_path))
