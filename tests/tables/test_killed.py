"""kill -9 while tables are written: the shelf stands where it stood, its tables' versions of that
snapshot read as before, and the next publisher goes on (D180).
"""

import random
import shutil
import signal
import subprocess
import sys

import pytest

from services.store.snapshot import current_id
from services.tables.schema import TABLES
from services.tables.writing import SNAPSHOT
from tests.shelf.small import opened, published
from tests.tables import stores
from tests.tables.killed import PLACES
from tests.tables.test_tables import opened as table_of
from tests.tables.test_tables import written
from tests.test_architecture import ROOT


def read(shelf, snapshot_id):
    """Rows of every table's newest version of a snapshot, as text in order."""
    found = {}
    for table in TABLES:
        there = table_of(shelf, table.name)
        for commit in there.history():
            if commit[SNAPSHOT] == snapshot_id:
                there.load_as_version(commit["version"])
                found[table.name] = sorted(map(str, there.to_pyarrow_table().to_pylist()))
                break
    return found


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """A store with a further snapshot than its shelf has."""
    folder = tmp_path_factory.mktemp("before")
    store, shelf = folder / "store", folder / "shelf"
    rows = stores.rows()
    stores.filled(store, {day: rows[day] for day in stores.DAYS[:2]})
    published(opened(shelf), store, beside=lambda _: written(store, shelf))
    old = current_id(store)
    stores.add(store, {stores.DAYS[2]: rows[stores.DAYS[2]]})
    return store, shelf, old, read(shelf, old)


def kills():
    drawn = random.Random(184)
    every = [(table.name, place) for table in TABLES for place in PLACES[:3]]
    more = [pytest.param(*one, marks=pytest.mark.long) for one in drawn.sample(every, 30)]
    return [("history", "within"), ("events", "before the move"), *more]


@pytest.mark.parametrize(("table", "place"), kills())
def test_a_publisher_killed_while_it_writes_tables_leaves_the_old_ones(
    before, tmp_path, table, place
):
    store, shelf, old, rows = before
    copied = tmp_path / "shelf"
    shutil.copytree(shelf, copied)
    words = ["-m", "tests.tables.killed", str(store), str(copied), table, place]
    killed = subprocess.run(
        [sys.executable, *words], cwd=ROOT, timeout=120, check=False, capture_output=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert opened(copied).stands().snapshot_id == old
    assert read(copied, old) == rows
    published(opened(copied), store, beside=lambda _: written(store, copied))
    new = current_id(store)
    assert opened(copied).stands().snapshot_id == new
    after = read(copied, new)
    assert set(after) == {one.name for one in TABLES}
    assert {one: table_of(copied, one).version() for one in after} == dict.fromkeys(after, 1)
    assert len(after["history"]) > len(rows["history"])
