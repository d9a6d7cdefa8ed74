"""Periods of a store (D163, D164, D185): in any order of import, corrected, replaced, shared,
dropped, scored again; and what a byte that changed in one of them does.
"""

import json
import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from services.contract.errors import InvalidRequest, NoHistory, StoreDamaged
from services.contract.history import ChangeQuery, HeatQuery, HistoryQuery, TrendQuery
from services.contract.period import Filing
from services.contract.queries import LoanQuery, SignalQuery
from services.period_upkeep import drop, rescore
from services.pipeline import Scoring, load_filings
from services.rates.reference import Quote, ReferenceRates
from services.rebuilding import rebuild
from services.signals.limits import Limits
from services.signals.rescoring import RulesRescorer
from services.store.checksums import verify
from services.store.leases import Store
from services.store.publisher import SnapshotPublisher
from services.store.snapshot import HISTORY_FILE, PERIODS, current_id, folder_of, tidy
from tests.periods import silent
from tests.publishing import load
from tests.world import ASSUMPTIONS, RATES, SHOW, Sketch, info_of

DAYS = [date(2023, 10, 31), date(2023, 11, 30), date(2023, 12, 29), date(2024, 1, 31)]


def filing(key, as_of, sha, **facts):
    """A source of three loans as of a date, as if read of a file."""
    files = {"files": (f"{key} {as_of}.xml",), "sha256": (sha,)}
    sketch = Sketch(info_of(key, as_of, **files))
    for at in range(3):
        sketch.loan(f"{key}:{at}", property_name=f"Mill {at}", **(facts if at == 0 else {}))
    return sketch.portfolio()


#: Two sources, of which the second starts later; a loan that gets worse, and one that is repaid.
FILINGS = [
    filing("one", DAYS[0], "1", dscr=1.4, noi=900_000, payment_status="0"),
    filing("one", DAYS[1], "2", dscr=1.1, noi=700_000, payment_status="1"),
    filing("one", DAYS[2], "3", dscr=0.9, noi=600_000, payment_status="3", workout="2"),
    filing("two", DAYS[1], "4", dscr=1.4),
    filing("two", DAYS[3], "5", book_value=0),
]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "store"


def read(folder, ask):
    store = Store(folder, rescorer=RulesRescorer())
    try:
        with store.lease() as source:
            return ask(source)
    finally:
        store.close()


def over_time(source):
    """Every answer about earlier dates, as bytes."""
    said = [
        *source.periods(),
        *(source.history(f"{key}:{at}", HistoryQuery()) for key in ("one", "two") for at in (0, 1)),
        *(source.changes(ChangeQuery(since=day, until=DAYS[-1])) for day in DAYS),
        *(source.trends(TrendQuery(by=by)) for by in ("all", "property_type", "vintage")),
        source.heat_over_time(HeatQuery(at_least="moderate")),
    ]
    return b"\n".join(one.model_dump_json().encode() for one in said)


def today(source):
    """Today's book."""
    return (
        source.totals(),
        source.loans(LoanQuery(per_page=100)),
        source.signals(SignalQuery(per_page=100)),
        source.snapshot().as_of,
        source.snapshot().sources,
    )


def of(folder):
    return folder_of(folder, current_id(folder))


def listed(folder):
    return read(
        folder, lambda source: [(one.title, one.as_of, one.counts) for one in source.periods()]
    )


def test_any_order_of_import_gives_the_same_bytes_of_answers(tmp_path):
    load(tmp_path / "at once", FILINGS, rates=RATES)
    expected = read(tmp_path / "at once", lambda source: (over_time(source), today(source)))
    assert b"status_worse" in expected[0]
    assert b"paid_off" in expected[0]
    rng = random.Random(5)
    for at in range(3):
        shuffled = rng.sample(FILINGS, len(FILINGS))
        folder, first = tmp_path / str(at), rng.randint(1, 4)
        for part in (shuffled[:first], shuffled[first:]):
            load(folder, part, rates=RATES)
        assert read(folder, lambda source: (over_time(source), today(source))) == expected


def test_an_older_filing_adds_a_period_and_changes_nothing_of_today(folder):
    load(folder, FILINGS[1:3], rates=RATES)
    before, was = read(folder, today), of(folder)
    load(folder, FILINGS[:1], rates=RATES)
    assert read(folder, today) == before
    assert of(folder) != was
    assert (of(folder) / "atlas.duckdb").samefile(was / "atlas.duckdb")
    assert listed(folder) == [("Book of one", day, True) for day in DAYS[:3]]
    assert verify(of(folder))


def test_a_new_month_writes_only_itself_and_shares_the_others(folder):
    load(folder, FILINGS[:2], rates=RATES)
    was = of(folder) / PERIODS
    load(folder, FILINGS[2:3], rates=RATES)
    now = of(folder) / PERIODS
    old = {path.name for path in was.iterdir()}
    assert len(old) == 2
    assert len(list(now.iterdir())) == 3
    for path in filter(lambda path: path.is_file(), was.rglob("*")):
        assert path.samefile(now / path.relative_to(was))


def test_a_snapshot_that_goes_takes_no_period_that_another_names(folder):
    load(folder, FILINGS[:2], rates=RATES)
    load(folder, FILINGS[2:3], rates=RATES)
    before = read(folder, over_time_of_one)
    tidy(folder, keep=1)
    assert len(list(folder.glob("snap-*"))) == 1
    assert read(folder, over_time_of_one) == before
    assert verify(of(folder))


def over_time_of_one(source):
    return source.history("one:0", HistoryQuery()), source.periods()


def test_the_same_filing_replaces_itself_and_a_correction_keeps_both(folder):
    load(folder, FILINGS[:2], rates=RATES)
    corrected = filing("one", DAYS[0], "1 again", dscr=0.8)
    load(folder, [corrected], rates=RATES)
    three = [("Book of one", DAYS[0], True), ("Book of one", DAYS[0], False)]
    assert listed(folder) == [*three, ("Book of one", DAYS[1], True)]
    dscr = lambda source: source.history("one:0", HistoryQuery()).rows[0].dscr  # noqa: E731
    assert read(folder, dscr) == 0.8
    # The earlier file again: it is what was filed last now, and no third period.
    load(folder, FILINGS[:1], rates=RATES)
    assert listed(folder) == [*three, ("Book of one", DAYS[1], True)]
    assert read(folder, dscr) == 1.4


def test_what_an_import_says_of_each_filing(folder):
    heard = []
    publisher = SnapshotPublisher(folder)

    def arrive(portfolios):
        load_filings(
            [Filing.of(one) for one in portfolios],
            into=publisher,
            scoring=Scoring(ASSUMPTIONS),
            arrived=lambda _, as_of, arrival, __: heard.append((as_of, arrival)),
        )
        said, heard[:] = list(heard), []
        return said

    assert arrive(FILINGS[:2]) == [(DAYS[0], "new"), (DAYS[1], "new")]
    assert arrive(FILINGS[:1]) == [(DAYS[0], "there")]
    assert arrive([filing("one", DAYS[0], "other")]) == [(DAYS[0], "corrected")]
    assert arrive([filing("one", DAYS[1], "2", dscr=2.0)]) == [(DAYS[1], "replaced")]


def test_each_period_is_scored_at_the_rates_of_its_own_date(folder):
    rates = ReferenceRates(
        "test",
        (Quote("DGS10", DAYS[0] - timedelta(1), 1.0), Quote("DGS10", DAYS[2], 9.0)),
    )
    soon = {"maturity_date": date(2024, 9, 30)}
    filings = [filing("one", day, str(day), **soon) for day in DAYS[:3]]
    load(folder, filings, assumptions=replace(ASSUMPTIONS, rates=rates))
    line = read(folder, lambda source: source.history("one:0", HistoryQuery()))
    assert [one.signals.get("rate_pressure") is None for one in line.rows] == [True, True, False]
    assert len({one.rules_version for one in line.rows}) == 1
    marks = {path.name.rpartition("_")[2] for path in (of(folder) / PERIODS).iterdir()}
    assert len(marks) == 2


def test_ratios_are_kept_with_as_many_digits_as_anybody_reads(folder):
    """D185: 10 of 15.5 million is 64.516 %, 1.234567 of 10 million 12.34567 %."""
    facts = {"book_value": 10_000_000, "value": 15_500_000, "noi": 1_234_567}
    load(folder, [filing("one", DAYS[0], "1", **facts)], rates=RATES)
    number = "one:0"
    (row,) = read(folder, lambda source: source.history(number, HistoryQuery()).rows)
    assert (row.ltv, row.debt_yield, row.noi) == (0.6452, 12.346, 1_234_567)
    said = read(folder, lambda source: source.loan(number).extended)
    assert said["ltv"] == pytest.approx(10 / 15.5, abs=1e-9)


def test_todays_period_is_not_dropped_and_others_are(folder):
    load(folder, FILINGS[:3], rates=RATES)
    names = {one.as_of: one.name for one in read(folder, lambda source: source.periods())}
    with pytest.raises(InvalidRequest, match="today's figures rest on"):
        drop(folder, {names[DAYS[2]]}, keep=2)
    before = read(folder, today)
    drop(folder, {names[DAYS[1]]}, keep=2)
    assert [as_of for _, as_of, _ in listed(folder)] == [DAYS[0], DAYS[2]]
    assert read(folder, today) == before
    rolls = read(folder, lambda source: source.trends(TrendQuery()).rolls)
    assert {(one.month, one.before, one.after) for one in rolls if one.after != one.before} == {
        (date(2023, 12, 1), "current", "default")
    }


def test_other_limits_score_periods_again_and_each_says_by_which_it_was(folder):
    load(folder, FILINGS[:3], assumptions=ASSUMPTIONS)
    text = ASSUMPTIONS.limits.text.replace('moderate = "< 1.25"', 'moderate = "< 1.45"')
    other = replace(ASSUMPTIONS, limits=Limits.parsed(text))
    load(folder, [filing("one", DAYS[3], "9", payment_status="2")], assumptions=other)
    versions = [one.rules_version for one in read(folder, lambda source: source.periods())]
    assert len(set(versions[:3])) == 1
    assert versions[3] != versions[0]
    changed = lambda source: source.changes(ChangeQuery(since=DAYS[0])).rules_changed  # noqa: E731
    assert read(folder, changed)
    before = read(folder, today)
    assert rescore(folder, keep=2, assumptions=other) == (3, ())
    assert {one.rules_version for one in read(folder, lambda source: source.periods())} == {
        versions[3]
    }
    assert not read(folder, changed)
    assert read(folder, today) == before
    assert rescore(folder, keep=2, assumptions=other) == (0, ())
    load(folder.with_name("fresh"), FILINGS[:3], assumptions=other)
    again = read(folder.with_name("fresh"), over_time_of_one)[0].rows
    assert read(folder, over_time_of_one)[0].rows[:3] == again


def test_made_up_data_has_its_own_period_and_replaces_all(folder):
    load(folder, FILINGS[:2], rates=RATES)
    load(folder, [SHOW], rates=RATES)
    ((title, _, counts),) = listed(folder)
    assert (title, counts) == (SHOW.info.title, True)
    load(folder, FILINGS[:1], rates=RATES)
    assert listed(folder) == [("Book of one", DAYS[0], True)]


def test_a_period_that_changed_on_disk_stops_an_import_and_rebuild_passes_it_over(folder):
    load(folder, FILINGS[:3], rates=RATES)
    (own,) = (of(folder) / PERIODS).glob(f"*_{DAYS[0]}_*")
    content = bytearray((own / "rows.parquet").read_bytes())
    content[100] ^= 1
    (own / "rows.parquet").write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"rows\.parquet"):
        load(folder, FILINGS[3:4], rates=RATES)
    said = []
    rebuild(folder, keep=2, assumptions=ASSUMPTIONS, say=said.append)
    assert said[0].startswith("The period of Book of one as of 2023-10-31 does not read")
    assert [as_of for _, as_of, _ in listed(folder)] == DAYS[1:3]
    assert verify(of(folder))


def test_rebuild_keeps_the_periods_and_makes_their_tables_again(folder):
    load(folder, FILINGS, rates=RATES)
    before = read(folder, over_time)
    path = of(folder) / HISTORY_FILE
    content = bytearray(path.read_bytes())
    content[20_000:20_100] = bytes(100)
    path.write_bytes(content)
    rebuild(folder, keep=1, assumptions=ASSUMPTIONS)
    assert read(folder, over_time) == before


def test_a_snapshot_without_periods_says_that_it_knows_no_earlier_date(folder):
    """D168."""
    load(folder, FILINGS[:1], rates=RATES)
    with SnapshotPublisher(folder).build() as build:
        for one in build.periods():
            build.drop(one)
        build.publish(None, silent)
    with pytest.raises(NoHistory, match="keeps no period"):
        read(folder, lambda source: source.trends(TrendQuery()))
    assert json.loads((of(folder) / "periods.json").read_text()) == []
