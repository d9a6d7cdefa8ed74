"""kill -9 at any moment of an import: the old snapshot stays whole, and the next import works
(D27, D99).
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery
from services.store.leases import Store
from services.store.reader import Reader
from tests.tiers import amounts

ROOT = Path(__file__).parents[2]
KILLED = -9
OTHER = {"small": "large", "large": "small"}


class Driver:
    """killed_import_driver.py, at work."""

    def __init__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.killed_import_driver"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def load(self, store, book, **how):
        order = {"store": str(store), "book": book, **how}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self):
        try:
            self._process.stdin.close()
            self._process.stdout.close()
            assert self._process.wait(30) == 0
        finally:
            self._process.kill()


@pytest.fixture(scope="module")
def driver():
    at_work = Driver()
    yield at_work
    at_work.close()


def answers(folder):
    """All that a reader can see of the current snapshot."""
    store = Store(folder)
    with store.lease() as source:
        chain = source.ownership("B:CA-000001")
        seen = [
            source.totals(),
            source.loans(LoanQuery(per_page=100)),
            source.signals(SignalQuery(per_page=100)),
            source.entities(EntityQuery(per_page=100)),
            source.entities(EntityQuery(name=chain.chain[0].entity_name)),
            source.paths(PathQuery(loan_number="B:CA-000001")),
            chain,
        ]
    store.close()
    return seen


class Book:
    """A store of two sources, one of which is imported again and again, and now and then killed."""

    def __init__(self, folder, driver):
        self.folder = folder
        self.driver = driver
        assert driver.load(folder, "stays")["code"] == 0
        self.expected = {}
        for name in ("large", "small"):
            done = driver.load(folder, name)
            assert done["code"] == 0
            self.expected[name] = answers(folder)
        self.holds = "small"
        #: What the last import took that came to its end.
        self.seconds = done["seconds"]

    def published(self):
        return (self.folder / "current").read_text().split()

    def interrupted(self, **how):
        """Kills an import of the other book, and checks what is there afterwards.

        Returns whether it was killed, and whether the new snapshot was current by then.
        """
        before, other = self.published(), OTHER[self.holds]
        done = self.driver.load(self.folder, other, **how)
        assert done["code"] in {0, KILLED}
        if done["code"] == 0:
            self.seconds = done["seconds"]
        after = self.published()
        swapped = after != before
        assert after == ([after[0], before[0]] if swapped else before)
        self.holds = other if swapped else self.holds
        assert answers(self.folder) == self.expected[self.holds]
        return done["code"] == KILLED, swapped

    def imported(self):
        """Imports the other book undisturbed: it works, and nothing half-done is left.

        That the new snapshot answers is seen after the next kill, whose old snapshot it is.
        """
        before, self.holds = self.published(), OTHER[self.holds]
        assert self.driver.load(self.folder, self.holds)["code"] == 0
        newest, previous = self.published()
        assert newest not in before
        assert previous == before[0]
        whole = {"current", "lock", f"snap-{newest}", f"snap-{previous}"}
        assert {path.name for path in self.folder.iterdir()} == whole


@pytest.fixture(scope="module")
def book(driver, tmp_path_factory):
    return Book(tmp_path_factory.mktemp("killed"), driver)


def test_the_two_books_differ_so_that_a_swap_can_be_seen(book):
    loans = {name: answer[1].total for name, answer in book.expected.items()}
    assert loans == {"small": 12 + 5, "large": 12 + 9}


@pytest.mark.parametrize("most", amounts(6, 30))
def test_a_kill_at_a_random_moment_leaves_the_old_snapshot_or_the_new_one_whole(book, most):
    draw = random.Random(20260930)
    kills = 0
    while kills < most:
        # An import that comes to its end first was faster than thought: moments are drawn again.
        killed, _ = book.interrupted(delay=draw.random() * book.seconds)
        kills += killed
        if killed and kills % 3 == 0:  # so what up to three kills leave behind comes together
            book.imported()


#: When an import is killed, and whether its snapshot is current by then: at steps of the merge ...
STEPS = [
    ("at", "writing signals", False),  # in the middle of a transaction
    ("at", "indexing names", False),
    ("amid", "writing the summary", False),
    ("after", "naming the snapshot", False),
    ("amid", "writing the manifest", False),
    ("after", "replacing the manifest", True),
    ("amid", "removing the oldest", True),
]
#: ... and at what lies between them.
BETWEEN = [
    ("after", "making the build folder", False),
    ("at", "writing the capital graph", False),  # the database is whole and closed
    ("at", "written", False),
    ("at", "publishing", False),
    ("after", "writing the manifest", False),
    ("after", "removing the oldest", True),
]


@pytest.mark.parametrize(
    ("when", "step", "swapped"),
    [*STEPS, *(pytest.param(*one, marks=pytest.mark.long) for one in BETWEEN)],
)
def test_a_kill_at_a_step_of_the_writer_leaves_the_snapshot_whole(book, when, step, swapped):
    assert book.interrupted(step=step, when=when) == (True, swapped)
    book.imported()


def test_a_snapshot_that_was_never_published_takes_no_older_ones_place(book):
    previous = book.published()[0]
    for _ in range(2):
        assert book.interrupted(step="naming the snapshot", when="after") == (True, False)
    book.imported()
    assert book.published()[1] == previous
    Reader(book.folder / f"snap-{previous}").close()
    assert answers(book.folder) == book.expected[book.holds]


def test_a_kill_during_the_first_import_ever_leaves_an_empty_store(driver, tmp_path):
    for step in ("writing loans", "publishing", "replacing the manifest"):
        assert driver.load(tmp_path, "stays", step=step, when="before")["code"] == KILLED
        assert not (tmp_path / "current").exists()
    assert driver.load(tmp_path, "stays")["code"] == 0
    assert len([path for path in tmp_path.iterdir() if path.is_dir()]) == 1
