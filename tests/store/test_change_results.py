"""Changes between two dates, beside the rows of the periods themselves."""

import pickle
from collections import Counter
from datetime import date

import pyarrow.parquet as pq
import pytest

from services.contract.errors import InvalidRequest
from services.contract.events import KIND
from services.contract.history import NOT_IN_FILE, ChangeQuery, SeenQuery
from services.contract.vocabulary import NO_SIGNAL, NOTHING_OWED, SIGNAL_TYPES
from services.importers import demo
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.oracle_notes import ungraded
from tests.publishing import load, load_once
from tests.two_dates import AUGUST, DEAL, HOSTILE, JULY, LATE, LOANS, SEPTEMBER, book, late_source
from tests.world import RATES

#: Two demonstrations, three months apart, one loan fewer in the second.
JUNE = date(2026, 6, 30)
DEMO = ([demo.portfolio(loans=250, as_of=JUNE), demo.portfolio(loans=249, as_of=SEPTEMBER)],)
DRAWN = ([book(AUGUST)], [book(SEPTEMBER), late_source()])


def rows_of(folder):
    """The rows of the periods as their files have them, by as-of date, then loan number."""
    found = {}
    current = (folder / "current").read_text().splitlines()[0]
    for file in (folder / f"snap-{current}" / "periods").glob("*/rows.parquet"):
        day = next(part for part in file.parent.name.split("_") if part[:2] == "20")
        for row in pq.read_table(file).to_pylist():
            found.setdefault(date.fromisoformat(day), {})[row["loan_number"]] = row
    return found


@pytest.fixture(scope="module", params=["demo", "drawn"])
def stage(request, tmp_path_factory):
    """A snapshot that knows two dates, and the rows of either."""
    folder = tmp_path_factory.mktemp(request.param)
    for portfolios in {"demo": DEMO, "drawn": DRAWN}[request.param]:
        load_once(folder, portfolios, rates=RATES)
    rows = rows_of(folder)
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as source:
        was, now = (rows[day] for day in sorted(rows))
        now = {number: row for number, row in now.items() if number != "only now"}
        yield source, was, now
    store.close()


def worst(row):
    if row is None:
        return NOT_IN_FILE
    without = ungraded(row)
    if without == NOTHING_OWED:
        return without
    return row["worst"] or without


def dollars(before, after):
    now = after["balance"] if after else None
    return now or (before["balance"] if before else None) or 0


def moves(was, now, keep=lambda _: True):
    """Loans and dollars by worst severity before and after."""
    loans, sums = Counter(), Counter()
    for number in was.keys() | now.keys():
        before, after = was.get(number), now.get(number)
        if keep(after or before):
            cell = worst(before), worst(after)
            loans[cell] += 1
            sums[cell] += dollars(before, after)
    return {cell: (loans[cell], sums[cell]) for cell in loans}


def every(source, **asked):
    """All loans of a result, page after page."""
    query = ChangeQuery(**asked, per_page=100)
    first = source.changes(query)
    items = list(first.found.items)
    for page in range(2, first.found.pages + 1):
        items += source.changes(query.at(page)).found.items
    assert len(items) == first.found.total
    assert sum(one.dollars for one in items) == first.dollars
    return items


@pytest.mark.parametrize(
    ("asked", "keep"),
    [
        ({}, lambda _: True),
        ({"state": ("NY", "TX")}, lambda row: row["state"] in {"NY", "TX"}),
        ({"property_type": ("office",)}, lambda row: row["property_type"] == "office"),
        ({"kind": ("status_worse",), "severity_after": ("none",)}, lambda _: True),
    ],
    ids=("everything", "two states", "offices", "a kind and a cell"),
)
def test_the_matrix_has_every_loan_once_whatever_is_listed(stage, asked, keep):
    source, was, now = stage
    found = source.changes(ChangeQuery(**asked))
    counted = moves(was, now, keep)
    assert {(one.before, one.after): (one.loans, one.dollars) for one in found.moves} == counted
    assert found.compared == sum(loans for loans, _ in counted.values())


def test_a_cell_lists_its_loans_whether_anything_happened_or_not(stage):
    """D173: every cell, and every row of cells, is as long as the list that it leads to."""
    source, was, now = stage
    found = source.changes(ChangeQuery())
    for one in found.moves:
        cell = {"severity_before": (one.before,), "severity_after": (one.after,)}
        listed = every(source, **cell)
        assert (len(listed), sum(loan.dollars for loan in listed)) == (one.loans, one.dollars)
        for loan in listed:
            number = loan.loan_number
            assert worst(was.get(number)) == one.before == loan.severity_before
            assert worst(now.get(number)) == one.after == loan.severity_after
        places = [bool(loan.events) for loan in listed]
        assert places == sorted(places, reverse=True)  # those to which nothing happened come last
    before = Counter()
    for one in found.moves:
        before[one.before] += one.loans
    for word, loans in before.items():
        assert len(every(source, severity_before=(word,))) == loans


def test_a_kind_lists_as_many_loans_and_dollars_as_are_counted_of_it(stage):
    source, _, _ = stage
    found = source.changes(ChangeQuery())
    assert found.counts
    for one in found.counts:
        listed = every(source, kind=(one.kind,))
        assert (len(listed), sum(loan.dollars for loan in listed)) == (one.loans, one.dollars)
        assert all(one.kind in {event.kind for event in loan.events} for loan in listed)
    changed = every(source)
    for direction, count in (("worse", found.worse), ("better", found.better)):
        those = [
            loan
            for loan in changed
            if direction in {KIND[event.kind].direction for event in loan.events}
        ]
        assert (len(those), sum(loan.dollars for loan in those)) == (count.loans, count.dollars)


#: What some kinds mean, in plain Python over a row before and a row after.
ORACLE = {
    "new": lambda b, _: b is None,
    "gone": lambda b, a: a is None and b["balance"] != 0,
    "paid_off": lambda b, a: a and b and a["balance"] == 0 and (b["balance"] or 0) > 0
    and not a["realized_loss"],
    "special_in": lambda b, a: alive(b, a) and a["special_servicing"]
    and not b["special_servicing"],
    "status_worse": lambda b, a: alive(b, a) and rank(a) is not None and rank(b) is not None
    and rank(a) > rank(b),
    "status_cured": lambda b, a: alive(b, a) and rank(a) is not None and rank(b) is not None
    and rank(a) < rank(b),
    "signal_new": lambda b, a: alive(b, a) and any(a[k] and not b[k] for k in SIGNAL_TYPES),
    "signal_gone": lambda b, a: alive(b, a) and any(b[k] and not a[k] for k in SIGNAL_TYPES),
    "noi_down_20": lambda b, a: alive(b, a) and (b["noi"] or 0) > 0 and a["noi"] is not None
    and (b["noi"] - a["noi"]) / b["noi"] >= 0.2,
}  # fmt: skip


def alive(before, after):
    return before and after and after["balance"] != 0


def rank(row):
    return {"0": 0, "A": 0, "B": 0, "1": 1, "2": 2, "4": 0, "3": 3, "5": 4}.get(
        row["payment_status"]
    )


@pytest.mark.parametrize("kind", ORACLE)
def test_loans_and_dollars_of_a_kind_are_those_of_the_rows(stage, kind):
    source, was, now = stage
    those = [
        dollars(was.get(number), now.get(number))
        for number in was.keys() | now.keys()
        if ORACLE[kind](was.get(number), now.get(number))
    ]
    found = {one.kind: (one.loans, one.dollars) for one in source.changes(ChangeQuery()).counts}
    assert found.get(kind, (0, 0)) == (len(those), sum(those))


def test_what_is_written_of_the_newest_dates_is_what_changes_counts(stage):
    source, _, _ = stage
    found, written = source.changes(ChangeQuery()), source.newest_changes()
    for name in ("since", "until", "counts", "worse", "better"):
        assert getattr(written, name) == getattr(found, name)


def test_a_file_has_the_loans_of_all_pages_in_their_order(stage):
    source, _, _ = stage
    for asked in ({}, {"order": "-dollars"}, {"severity_after": (NO_SIGNAL,)}):
        listed = every(source, **asked)
        rows = [
            row for one in source.change_batches(ChangeQuery(**asked)) for row in one.to_pylist()
        ]
        assert [row["loan_number"] for row in rows] == [one.loan_number for one in listed]
        for row, one in zip(rows, listed, strict=True):
            assert row["events"] == " ".join(event.sentence for event in one.events)
            assert (row["dollars"], row["deal"]) == (one.dollars, one.deal)
    (empty,) = source.change_batches(ChangeQuery(numbers=()))
    assert empty.num_rows == 0


def test_an_answer_can_be_kept_by_the_pages(stage):
    source, _, _ = stage
    found = source.changes(ChangeQuery())
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own


def test_what_happened_since_each_was_seen_is_what_changes_say(stage):
    source, was, now = stage
    changed = {one.loan_number: one.events for one in every(source)}
    days = sorted({one.as_of for one in source.periods()})
    both = was.keys() | now.keys()
    found = source.events_since(SeenQuery(seen=tuple((one, days[0]) for one in sorted(both))))
    ended = {number for number in was if number not in now and was[number]["balance"] == 0}
    assert found.keys() >= both - ended
    assert {number: events for number, events in found.items() if events} == changed
    # Nothing is compared of what nobody knows, of today, and of before the first date.
    assert source.events_since(SeenQuery(seen=(("nobody's", days[0]),))) == {}
    number = min(both)
    assert source.events_since(SeenQuery(seen=((number, days[-1]),))) == {}
    assert source.events_since(SeenQuery(seen=((number, JULY.replace(year=2020)),))) == {}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawn")
    for portfolios in DRAWN:
        load_once(folder, portfolios, rates=RATES)
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as source:
        yield source
    store.close()


def test_the_newest_dates_stay_the_newest_whatever_comes_in_between(tmp_path):
    """An older date changes nothing of the line; the same date filed again is counted again."""

    def newest():
        with Store(tmp_path, rescorer=RulesRescorer()).lease() as source:
            found, asked = source.newest_changes(), source.changes(ChangeQuery())
            assert (found.since, found.until) == (asked.since, asked.until)
            assert (found.counts, found.worse) == (asked.counts, asked.worse)
            return found

    load(tmp_path, [book(SEPTEMBER)], rates=RATES)
    alone = newest()
    assert (alone.since, alone.until, alone.counts) == (SEPTEMBER, SEPTEMBER, ())
    load(tmp_path, [book(AUGUST)], rates=RATES)
    first = newest()
    assert first.since == AUGUST
    load(tmp_path, [book(JULY)], rates=RATES)
    assert newest() == first
    refiled = {number: sides for number, sides in LOANS.items() if number != "special"}
    load(tmp_path, [book(SEPTEMBER, loans=refiled)], rates=RATES)
    assert newest().counts != first.counts
    load(tmp_path, [book(date(2026, 10, 31), LATE, {"only now": (None, {})})], rates=RATES)
    assert newest().since == SEPTEMBER


def test_a_book_drawn_by_hand_changed_as_it_was_drawn(drawn):
    found = drawn.changes(ChangeQuery())
    assert (found.since, found.until) == (AUGUST, SEPTEMBER)
    assert found.not_compared == ("Late",)
    counts = {one.kind: (one.loans, one.dollars) for one in found.counts}
    typed = {
        "special_in": (1, 41_000_000), "status_worse": (2, 30_000_000),
        "status_cured": (1, 10_000_000), "dscr_below_100": (1, 10_000_000),
        "noi_down_20": (1, 10_000_000), "occupancy_down": (1, 10_000_000),
        "paid_off": (1, 5_000_000), "gone": (1, 3_000_000), "new": (1, 4_000_000),
    }  # fmt: skip
    assert {kind: counts.get(kind) for kind in typed} == typed
    first = found.found.items[0]
    assert (first.loan_number, first.events[0].kind) == ("special", "special_in")
    listed = {one.loan_number for one in found.found.items}
    assert "quiet" not in listed
    assert HOSTILE in listed
    assert drawn.changes(ChangeQuery(deal=(LATE,))).compared == 1
    assert {one.deal for one in every(drawn, deal=(DEAL,))} == {"Deal <b>One</b>"}
    with pytest.raises(InvalidRequest, match="the first period is of 2026-08-31"):
        drawn.changes(ChangeQuery(since=JULY))
