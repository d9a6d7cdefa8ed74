"""kill -9 at any moment of an import of many filings: the store has none of its periods or all of
them; what was scored until then lies there whole, and the next import goes on with it (D167).
"""

import random

import pytest

from services.contract.history import ChangeQuery, HistoryQuery, TrendQuery
from services.signals.rescoring import RulesRescorer
from services.store import periods
from services.store.checksums import verify
from services.store.leases import Store
from services.store.snapshot import PERIODS, STAGED, current_id, folder_of
from tests.store.test_killed_import import KILLED, Driver

MONTHS = 8


@pytest.fixture(scope="module")
def driver():
    at_work = Driver()
    yield at_work
    at_work.close()


def answers(folder):
    """All that is known of earlier dates."""
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as source:
        kept = source.periods()
        first = min(one.as_of for one in kept)
        seen = [
            kept,
            source.history("M:CA-000001", HistoryQuery()) if len(kept) > 1 else None,
            source.changes(ChangeQuery(since=first)),
            source.trends(TrendQuery(by="property_type")),
        ]
    store.close()
    return seen


#: Once all is scored, and once the snapshot has its name: the same in every run.
TOLD = [
    {"step": "joining sources", "when": "at"},
    {"step": "naming the snapshot", "when": "after"},
]


@pytest.mark.parametrize(
    "moments", [TOLD, pytest.param([None] * 40, marks=pytest.mark.long)], ids=["told", "drawn"]
)
def test_a_kill_at_any_moment_leaves_whole_periods_and_the_import_goes_on(
    driver, tmp_path, moments
):
    whole = tmp_path / "whole"
    assert driver.load(whole, "stays")["code"] == 0
    before = answers(whole)
    done = driver.load(whole, "months")
    assert done["code"] == 0
    after, seconds = answers(whole), done["seconds"]
    assert len(after[0]) == 1 + MONTHS
    draw = random.Random(84)
    kills = went_on = 0
    while kills < len(moments):
        folder = tmp_path / f"killed-{kills}"
        assert driver.load(folder, "stays")["code"] == 0
        kept = folder_of(folder, current_id(folder)) / PERIODS
        held = {path.name for path in kept.iterdir()}
        told = moments[kills]
        killed = driver.load(folder, "months", **(told or {"delay": draw.random() * seconds}))
        if killed["code"] == 0 and not told:
            seconds = killed["seconds"]
            continue
        assert killed["code"] == KILLED
        kills += 1
        found = answers(folder)
        assert found in (before, after)
        verify(folder_of(folder, current_id(folder)))
        staged = periods.staged(folder / STAGED)
        for one in staged:
            assert periods.rows(folder / STAGED / one.name).num_rows == one.loans
        scored = sorted((folder / STAGED / one.name).stat().st_ino for one in staged)
        assert driver.load(folder, "months")["code"] == 0
        assert answers(folder) == after
        assert not (folder / STAGED).exists()
        went_on += bool(scored) and found == before
        assert held <= {one.name for one in periods.listed(folder_of(folder, current_id(folder)))}
    assert went_on


def test_what_was_staged_is_not_scored_again(driver, tmp_path):
    folder = tmp_path / "store"
    assert driver.load(folder, "stays")["code"] == 0
    killed = driver.load(folder, "months", step="joining sources", when="at")
    assert killed["code"] == KILLED
    staged = periods.staged(folder / STAGED)
    assert len(staged) == MONTHS
    inodes = {one.name: _inode(folder / STAGED / one.name) for one in staged}
    assert driver.load(folder, "months")["code"] == 0
    published = folder_of(folder, current_id(folder)) / PERIODS
    assert {name: _inode(published / name) for name in inodes} == inodes


def _inode(own):
    return (own / "rows.parquet").stat().st_ino
