"""A run as a file: read as it was written, whole or not at all."""

import pytest

from services.contract.errors import StoreDamaged
from services.track_record import saved
from services.track_record.saved import FILE, last_run, save


def test_a_run_is_read_as_it_was_saved(run, tmp_path):
    save(run, tmp_path / "new" / FILE)
    assert last_run(tmp_path / "new") == run
    assert last_run(tmp_path / "none") is None


def test_a_run_that_cannot_be_written_leaves_the_one_before(run, tmp_path, monkeypatch):
    save(run, tmp_path / FILE)

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saved.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(run.model_copy(update={"loans": 1}), tmp_path / FILE)
    assert [one.name for one in tmp_path.iterdir()] == [FILE]
    assert last_run(tmp_path) == run


@pytest.mark.parametrize("content", ["", "{}", '{"file_format": 1}', "\x00"])
def test_a_file_that_does_not_read_gives_one_sentence(tmp_path, content):
    (tmp_path / FILE).write_text(content, "utf-8")
    with pytest.raises(StoreDamaged, match="run 'creditatlas track-record' over its filings again"):
        last_run(tmp_path)
