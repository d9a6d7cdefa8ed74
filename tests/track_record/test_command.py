"""The command `creditatlas track-record` as a user runs it."""

import json
import sys

import pytest

from services import cli
from services.contract import track_record_wording as wording
from services.track_record.saved import FILE, last_run, save
from tests.track_record.planted import TODAY, write


@pytest.fixture
def called(monkeypatch, capsys):
    """The command line, in this process: exit code, what it printed, its complaint."""

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["creditatlas", "track-record", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code, *capsys.readouterr()

    return call


def test_the_command_prints_the_run_and_leaves_it_in_the_store(called, folder, tmp_path, run):
    code, out, err = called(folder, "--store", tmp_path)
    assert (code, err) == (0, "")
    assert out.startswith(wording.headline(run))
    assert out.endswith(f"Written to {tmp_path / FILE}\n")
    found = last_run(tmp_path)
    assert found.model_copy(update={"ran_on": TODAY}) == run


def test_the_command_writes_elsewhere_when_told_to(called, folder, tmp_path):
    code, _, _ = called(folder, "--store", tmp_path / "store", "--out", tmp_path / "run.json")
    assert code == 0
    assert json.loads((tmp_path / "run.json").read_text("utf-8"))["loans"] == 14
    assert not (tmp_path / "store").exists()


def test_the_command_grades_by_limits_of_ones_own(called, tmp_path, monkeypatch):
    packaged = cli.Path(cli.__file__).parent / "signals" / "limits.toml"
    text = packaged.read_text("utf-8").replace("version = 4", "version = 7", 1)
    house = tmp_path / "house.toml"
    house.write_text(text.replace('moderate = "< 1.25"', 'moderate = "< 1.75"', 1), "utf-8")
    monkeypatch.setenv("CREDIT_ATLAS_LIMITS", str(house))
    code, _, _ = called(write(tmp_path / "files", range(18)), "--store", tmp_path)
    found = last_run(tmp_path)
    assert code == 0
    assert found.rests_on[0].source == "house.toml, version 7"
    assert {one.limits_version for one in found.rules} == {7}
    # At 1.60x loan 4 had no signal by the packaged limits.
    assert found.distressed[-1].severity_before == "moderate"


def test_a_refused_file_leaves_the_last_run_as_it_was(called, folder, tmp_path, run):
    save(run, tmp_path / FILE)
    (tmp_path / "bad.xml").write_text("", "utf-8")
    code, out, err = called(folder, tmp_path / "bad.xml", "--store", tmp_path)
    assert (code, out) == (2, "")
    assert err.startswith("creditatlas: bad.xml is empty;")
    assert err.count("\n") == 1
    assert last_run(tmp_path) == run


def test_an_interrupted_run_changes_nothing(called, folder, tmp_path, monkeypatch):
    def interrupted(*_given, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr("services.track_record.history.score", interrupted)
    code, _, err = called(folder, "--store", tmp_path)
    assert code == 130
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
