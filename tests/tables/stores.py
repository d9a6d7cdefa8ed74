"""A store of made-up sources and genuine records, hostile words, and periods of another source."""

import pickle
import random
from datetime import date

from services.importers.sec_absee import portfolio
from services.store.publisher import SnapshotPublisher
from tests.hostile import WORDS
from tests.periods import book, drawn, period, silent
from tests.publishing import built_once, load
from tests.store.test_notes import RECORDS, exhibit
from tests.world import BOTH, RATES, Sketch, info_of

DAYS = (date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 29))
LOANS = 120


def rows(seed=24):
    """Rows by date: some loans come, some go."""
    rng = random.Random(seed)
    made = {day: [] for day in DAYS}
    for at in range(LOANS):
        for day in DAYS:
            if rng.random() < 0.9:
                made[day].append(drawn(rng, f"one:{at:03d}", day))
    return made


def hostile():
    """A loan for each word that would be markup somewhere."""
    made = Sketch(info_of("hostile", title="'; DROP TABLE loans; --"))
    for at, word in enumerate(WORDS):
        number = f"H:{at:03d}"
        made.loan(number, property_name=word, lender_normalized=word, book_value=None)
        made.lease(number, word)
        made.tie(number, "borrower", f"{word} {at}")
    return made.portfolio()


def filled(folder, made):
    """Puts all of it into a new folder; what `made` has by date are periods of the source 'one'."""
    given = b"tables" + pickle.dumps(sorted(made.items()))
    built_once(folder, given, lambda new: _fill(new, made))


def _fill(folder, made):
    folder.mkdir()
    filing = exhibit(folder / "UBS_2017-C1__12.xml", RECORDS)
    notes = portfolio([filing])
    filing.unlink()
    own = book("one", "one:first", as_of=date(2023, 12, 29))
    load(folder, [own, hostile(), *notes, *BOTH], rates=RATES)
    add(folder, made)


def add(folder, made):
    """Publishes a snapshot with further periods of the source 'one', or corrected ones."""
    with SnapshotPublisher(folder, keep=4).build() as build:
        for day, found in made.items():
            build.add(period("one", day, found))
        build.publish(None, silent)
