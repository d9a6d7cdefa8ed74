"""How far a command is."""

import pytest

from services import terminal
from services.importers.sec_absee import histories
from services.pipeline import Scoring, load_filings
from services.signals.assumptions import Assumptions
from services.store.publisher import SnapshotPublisher
from tests.test_cli import SAMPLE


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "reading a.xml: 25% done\nscoring: 50% done\n"), (3600, "")]
)
def test_work_without_a_terminal_says_now_and_then_how_far_it_is(
    seconds, said, monkeypatch, capsys
):
    monkeypatch.setattr(terminal, "BETWEEN_LINES", seconds)
    with terminal.progress_bar() as report:
        report("reading a.xml", 0.25)
        report("scoring", 0.5)
    assert capsys.readouterr() == ("", said)


def test_a_filing_that_is_read_says_how_far(tmp_path):
    heard = []
    load_filings(
        histories([SAMPLE]),
        into=SnapshotPublisher(tmp_path),
        scoring=Scoring(Assumptions.packaged()),
        progress=lambda stage, part: heard.append((stage, part)),
    )
    reading = [part for stage, part in heard if stage == f"reading {SAMPLE.name}"]
    assert reading[0] == 0
    assert reading[-1] == 0.25
    assert [part for _, part in heard] == sorted(part for _, part in heard)
