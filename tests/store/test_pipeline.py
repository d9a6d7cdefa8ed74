"""From portfolios to a snapshot: what replaces what (D27), what is merged, what is refused."""

from collections import Counter
from contextlib import contextmanager
from datetime import date

import pytest

from services import pipeline
from services.contract.errors import ImportRefused, StoreFull
from services.contract.loan_filter import LoanFilter
from services.contract.period import ENDINGS
from services.contract.portfolio import TABLES
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, Query
from services.signals import engine
from services.store import archive
from services.store.leases import Store
from services.store.snapshot import current_id
from tests.exported import loan_table
from tests.publishing import load
from tests.world import AS_OF, ASSUMPTIONS, BOTH, RATES, SHOW, Sketch, info_of, quay


def book(key, *numbers, owner=None, confidence=0.5, kind="owner", **facts):
    """A small source; `owner` is the borrower of all its loans."""
    sketch = Sketch(info_of(key, **facts))
    if owner:
        sketch.party(owner, kind, confidence)
    for number in numbers:
        sketch.loan(number)
        if owner:
            sketch.tie(number, "borrower", owner, 0.9)
    return sketch.portfolio()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "store"


def read(folder, ask):
    """What `ask` finds in the current snapshot."""
    store = Store(folder)
    try:
        with store.lease() as source:
            return ask(source)
    finally:
        store.close()


def numbers(folder):
    found = read(folder, lambda source: source.loans(LoanQuery(per_page=100)))
    return [loan.loan_number for loan in found.items]


def keys(snapshot):
    return sorted(source.key for source in snapshot.sources)


def test_the_same_source_replaces_itself_and_others_stay(folder):
    load(folder, [book("one", "1:a", "1:b"), book("two", "2:a")])
    snapshot = load(folder, [book("one", "1:b", "1:c")])
    assert keys(snapshot) == ["one", "two"]
    assert numbers(folder) == ["1:b", "1:c", "2:a"]


def test_sources_add_up_one_import_at_a_time(folder):
    for at in range(3):
        snapshot = load(folder, [book(f"source {at}", f"{at}:a")])
    assert keys(snapshot) == ["source 0", "source 1", "source 2"]
    assert numbers(folder) == ["0:a", "1:a", "2:a"]


def test_a_source_may_bring_back_a_number_that_it_gave_up(folder):
    load(folder, [book("one", "x"), book("two", "y")])
    load(folder, [book("one", "z")])
    load(folder, [book("two", "x")])
    assert numbers(folder) == ["x", "z"]


def test_the_first_reported_source_replaces_made_up_data(folder):
    assert load(folder, [SHOW]).synthetic
    snapshot = load(folder, [quay()])
    assert not snapshot.synthetic
    assert keys(snapshot) == ["quay"]
    assert numbers(folder) == ["Q/1", "Q/2", "Q/3", "Q/4"]


def test_made_up_data_replaces_everything_for_good(folder):
    load(folder, BOTH, rates=RATES)
    snapshot = load(folder, [SHOW])
    assert keys(snapshot) == ["demo"]
    assert numbers(folder) == ["S-1", "S-2", "S-3"]
    assert keys(load(folder, [book("one", "1:a")])) == ["one"]


def test_made_up_and_reported_data_are_never_loaded_together(folder):
    with pytest.raises(ImportRefused, match=r"(?i)made.up"):
        load(folder, [SHOW, quay()])
    assert not (folder / "current").exists()


def test_what_was_kept_is_what_was_said(folder):
    """A source that goes through the store's own keeping reads as if it were loaded again."""
    load(folder, [BOTH[0]], rates=RATES)
    load(folder, [BOTH[1]], rates=RATES)
    in_two_steps = read(folder, lambda source: loan_table(source, LoanFilter()))
    facts = read(folder, lambda source: source.snapshot())
    at_once = load(folder, BOTH, rates=RATES)
    assert in_two_steps.equals(read(folder, lambda source: loan_table(source, LoanFilter())))
    assert read(folder, lambda source: source.snapshot()) == at_once
    assert facts.sources == at_once.sources
    assert facts.rule_coverage == at_once.rule_coverage


def test_parties_of_one_name_are_one_party(folder):
    known = {"owner": "Ada Quill", "confidence": 0.5}
    load(folder, [book("one", "1:a", **known)])
    better = {"owner": "Ada Quill", "confidence": 0.95, "kind": "sponsor"}
    other = book("two", "2:a", "2:b", **better)
    assert load(folder, [other]).entities == 1

    def ask(source):
        (found,) = source.entities(EntityQuery()).items
        behind = source.loans_of("Ada Quill", Query())
        return found, [one.loan_number for one in behind.items]

    found, behind = read(folder, ask)
    assert (found.confidence, found.extra["kind"]) == (0.95, "owner")
    assert found.related_loan_count == 3
    assert behind == ["1:a", "2:a", "2:b"]


def test_parties_whose_names_differ_by_case_stay_two(folder):
    snapshot = load(folder, [book("one", "1", owner="Oak LLC"), book("two", "2", owner="OAK LLC")])
    assert snapshot.entities == 2


def test_edges_lead_to_the_merged_party_from_every_source(folder):
    load(folder, [book(f"source {at}", f"{at}:a", owner=f"Owner {at % 2}") for at in range(4)])
    root = PathQuery(loan_number="3:a", depth=2)
    _, page = read(folder, lambda source: source.paths(root))
    assert [path.edges[-1].source for path in page.items] == ["3:a", "1:a"]
    assert {path.edges[0].target for path in page.items} == {"Owner 1"}


def test_a_loan_number_of_two_sources_is_refused_and_the_old_snapshot_stays(folder):
    before = load(folder, [book("one", "same", "1:b")])
    with pytest.raises(ImportRefused, match="'same'"):
        load(folder, [book("two", "2:a", "same")])
    assert current_id(folder) == before.snapshot_id
    assert numbers(folder) == ["1:b", "same"]
    assert sorted(path.name for path in folder.iterdir()) == [
        "current",
        "lock",
        f"snap-{before.snapshot_id}",
    ]


@pytest.mark.parametrize(
    "given", [[], [book("empty")], [book("one", "x", "x")], [book("one", "x"), book("two", "x")]]
)
def test_what_cannot_be_a_book_is_refused_and_leaves_nothing(folder, given):
    with pytest.raises(ImportRefused):
        load(folder, given)
    assert [path.name for path in folder.iterdir()] == ["lock"]


def test_numbers_that_look_alike_are_no_double(folder):
    load(folder, [book("one", "a", "A", "a ", "\u00e9"), book("two", "e\u0301")])
    assert numbers(folder) == ["A", "a", "a ", "e\u0301", "\u00e9"]


def test_a_failure_while_writing_leaves_the_old_snapshot(folder, monkeypatch):
    before = load(folder, [book("one", "1:a")])

    def fail(*_):
        raise OSError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(archive, "save", fail)
        with pytest.raises(StoreFull, match="the disk is gone"):
            load(folder, [book("two", "2:a")])
    assert current_id(folder) == before.snapshot_id
    assert not list(folder.glob("build-*"))
    assert numbers(folder) == ["1:a"]


class Shelf:
    """A publisher that keeps books in memory."""

    def __init__(self):
        self.books, self.periods = [], []

    @contextmanager
    def build(self):
        yield self

    def reported(self):
        return list(self.books[-1].sources) if self.books else []

    def staged(self):
        return []

    def endings(self, *, came=False):  # noqa: ARG002 - as of a Build
        return ENDINGS.empty_table()

    def add(self, period):
        self.periods.append((period.source.info.key, period.source.info.as_of))
        return "new"

    def publish(self, book, progress):
        self.books.append(book)
        progress("put on the shelf", 1.0)
        return f"snapshot {len(self.books)}"


def test_the_pipeline_publishes_into_anything_that_is_a_publisher():
    shelf, heard = Shelf(), []
    hear = lambda stage, part: heard.append((stage, part))  # noqa: E731
    assert pipeline.load([BOTH[0]], into=shelf, rates=RATES) == "snapshot 1"
    assert pipeline.load([BOTH[1]], into=shelf, rates=RATES, progress=hear) == "snapshot 2"
    made = shelf.books[1]
    assert [one.info.key for one in made.sources] == ["harbour", "quay"]
    assert made.as_of == AS_OF
    assert made.source_of_loan.tolist() == [0] * 155 + [1] * 4
    assert made.scores.signals.num_rows == 69
    assert set(made.tables) == {
        *("loans", "layers", "properties", "leases", "entities", "edges", "rejects"),
        *("witnesses", "particulars", "loans_elsewhere"),
    }
    assert shelf.periods == [("harbour", AS_OF), ("quay", date(2024, 1, 31))]
    assert heard == [
        ("reading Book of quay", 0.0),
        ("scoring Book of quay", 0.25),
        ("joining sources", 0.5),
        ("put on the shelf", 1.0),
        ("done", 1.0),
    ]


def test_what_a_killed_writer_left_is_removed_by_the_next(folder):
    load(folder, [book("one", "1:a")])
    left = folder / "build-20240101-000000-abcdef"
    left.mkdir()
    (left / "atlas.duckdb").write_bytes(b"half")
    load(folder, [book("two", "2:a")])
    assert not left.exists()
    assert numbers(folder) == ["1:a", "2:a"]


def test_the_summary_counts_what_the_sources_hold(store_source):
    found = store_source.snapshot()
    loans = [row for one in BOTH for row in one.loans.to_pylist()]
    names = {name for one in BOTH for name in one.entities["entity_name"].to_pylist()}
    assert found.loans == len(loans)
    assert found.entities == len(names) < sum(one.entities.num_rows for one in BOTH)
    assert found.edges == sum(one.edges.num_rows for one in BOTH)
    assert (found.properties, found.rejected) == (4, 3)
    assert found.book_value == sum(row["book_value"] or 0 for row in loans)
    both = [row for row in loans if None not in (row["book_value"], row["interest_rate"])]
    weighted = sum(row["book_value"] * row["interest_rate"] for row in both)
    assert found.weighted_coupon == pytest.approx(weighted / sum(r["book_value"] for r in both))


def _tables(portfolio):
    return {name: getattr(portfolio, name) for name in TABLES}


def test_the_summary_counts_signals_as_the_engine_found_them(store_source):
    found = store_source.snapshot()
    signals = [
        {**row, "source": one.info.key}
        for one in BOTH
        for row in engine.evaluate(_tables(one), AS_OF, ASSUMPTIONS).signals.to_pylist()
    ]
    assert found.signals == len(signals)
    assert found.signals_by_severity == Counter(row["severity"] for row in signals)
    assert found.signals_by_type == Counter(row["signal_type"] for row in signals)
    by_source = Counter(row["source"] for row in signals)
    assert {one.key: one.signals for one in found.sources} == by_source
    for rule in found.rule_coverage:
        counts = (*rule.fired.values(), rule.silent, rule.not_applicable, rule.not_testable)
        assert sum(counts) == found.loans
        assert sum(rule.reasons.values()) == rule.not_testable


def test_the_summary_tells_of_each_source_what_it_said(store_source):
    first, second = store_source.snapshot().sources
    info = BOTH[0].info
    assert (first.key, first.files, first.unmapped) == ("harbour", info.files, info.unmapped)
    assert (first.records_read, first.rejected, first.provenance) == (130, 2, "reported")
    assert (second.loans, second.book_value, second.properties) == (4, 100_000_000, 1)
    assert (second.entities, second.edges, second.rejected) == (4, 7, 1)


def test_today_is_the_newest_of_the_sources_and_rates_are_not_after_it(folder):
    # D26
    old, new = date(2020, 5, 31), date(2023, 7, 1)
    snapshot = load(folder, [book("one", "1", as_of=new), book("two", "2", as_of=old)])
    assert snapshot.as_of == new
    assert {one.key: one.as_of for one in snapshot.sources} == {"one": new, "two": old}
    assert snapshot.rates
    assert all(rate.day <= new for rate in snapshot.rates)
    assert read(folder, lambda source: source.loan("2").extended["as_of"]) == "2020-05-31"


def test_progress_rises_from_nothing_to_all(folder):
    heard = []
    load(folder, [book("one", "1:a")], progress=lambda stage, part: heard.append((stage, part)))
    parts = [part for _, part in heard]
    assert parts == sorted(parts)
    assert (parts[0], parts[-1]) == (0.0, 1.0)
    assert all(stage for stage, _ in heard)
