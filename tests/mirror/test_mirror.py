"""Filling a mirror: whole, within the quota, interrupted and gone on, words kept as given."""

from dataclasses import dataclass, field
from datetime import date

import pytest

from services.contract.errors import RateLimited, StoreMissing, Unreachable
from services.contract.queries import LoanQuery, SignalQuery
from services.contract.records import ChainElement, Loan, OwnershipChain, Page, Signal
from services.mirror import Stopped, fill, requests_needed
from services.store.leases import Store
from services.store.publisher import SnapshotPublisher

TODAY = date(2026, 9, 30)


def loan(number: int, **more) -> Loan:
    given = {
        "loan_number": f"L{number:04d}",
        "book_value": 1_000_000 + number,
        "interest_rate": 4.0,
        "property_type": "office",
        "property_state": "TX",
        "maturity_date": date(2027, 6, 30),
        "rate_pressure": "elevated",
    }
    return Loan(**(given | more))


def signal(number: int, **more) -> Signal:
    given = {
        "loan_number": f"L{number:04d}",
        "signal_type": "rate_pressure",
        "severity": "elevated",
        "property_state": "TX",
        "book_value": 1_000_000 + number,
        "description": f"As the vendor says of {number}.",
    }
    return Signal(**(given | more))


@dataclass
class Api:
    """An API in memory that counts requests, and fails when told to."""

    loans_: list[Loan]
    signals_: list[Signal]
    daily_remaining: int | None = None
    requests: int = 0
    fail: dict[int, Exception] = field(default_factory=dict)
    #: Loans that the second page repeats from the first, as an unstable order does.
    overlap: int = 0

    def _page(self, items, query, *, shifted: bool = False) -> Page:
        self.requests += 1
        if self.daily_remaining is not None:
            self.daily_remaining -= 1
        if error := self.fail.pop(self.requests, None):
            raise error
        start = query.offset - (self.overlap if shifted and query.page == 2 else 0)
        part = tuple(items[start : start + query.per_page])
        return Page(items=part, page=query.page, per_page=query.per_page, total=len(items))

    def loans(self, query: LoanQuery) -> Page:
        shifted = bool(self.overlap)
        page = self._page(self.loans_, query, shifted=shifted)
        if page.is_last:
            self.overlap = 0  # the next pass sees the list in order
        return page

    def signals(self, query: SignalQuery) -> Page:
        return self._page(self.signals_, query)

    def ownership(self, number: str) -> OwnershipChain:
        self.requests += 1
        chain = (
            ChainElement(entity_name=f"SPE {number} LLC", role="borrower", confidence=0.95),
            ChainElement(entity_name="Alder Capital", role="sponsor", confidence=0.8),
        )
        return OwnershipChain(loan_number=number, chain=chain, confidence_tier="probable")


def run(api: Api, folder, **more):
    given = {"title": "vendor", "today": TODAY, "quota": lambda: api, "sleep": lambda _s: None}
    return fill(api, SnapshotPublisher(folder, keep=1), folder / "partial", **(given | more))


@pytest.fixture
def api() -> Api:
    return Api([loan(n) for n in range(250)], [signal(n) for n in range(130)])


@pytest.fixture
def mirrored():
    """Opens a mirror; closes it after the test."""
    opened: list[Store] = []

    def at(folder):
        opened.append(Store(folder))
        return opened[-1].lease()

    yield at
    for store in opened:
        store.close()


def test_a_fill_takes_one_request_for_each_hundred_records(api, tmp_path):
    filled = run(api, tmp_path)
    assert filled.complete
    assert filled.counts == {"loans": (250, 250), "signals": (130, 130)}
    assert api.requests == filled.requests == 3 + 2


def test_the_cost_is_told_before_with_and_without_chains(api):
    # D34
    assert requests_needed(api) == (5, 255)


def test_words_and_sentences_stay_as_given(tmp_path, mirrored):
    # D2, D44
    api = Api(
        [loan(0), loan(1, rate_pressure="acute"), loan(2, rate_pressure=None)],
        [signal(0, severity="acute"), signal(1), signal(1, signal_type="weather risk")],
    )
    run(api, tmp_path)
    with mirrored(tmp_path) as source:
        assert [one.rate_pressure for one in source.loans(LoanQuery()).items] == [
            "elevated",
            "acute",
            None,
        ]
        found = source.signals(SignalQuery()).items
        assert [(s.loan_number, s.signal_type, s.severity) for s in found] == [
            ("L0000", "rate_pressure", "acute"),
            ("L0001", "rate_pressure", "elevated"),
            ("L0001", "weather risk", "elevated"),
        ]
        assert found[0].description == "As the vendor says of 0."
        assert source.signals(SignalQuery(severity="acute")).total == 1
        # An unranked word never counts as worse than a known one.
        assert source.totals().critical_signals == 0


def test_an_unstable_order_is_read_once_more_and_then_whole(api, tmp_path):
    # D34
    api.overlap = 7
    filled = run(api, tmp_path)
    assert filled.complete
    assert filled.counts["loans"] == (250, 250)
    assert api.requests == 3 + 3 + 2


def test_what_stays_incomplete_says_so(tmp_path, mirrored):
    # D34
    twice = [loan(n) for n in range(120)] + [loan(5)]
    filled = run(Api(twice, [signal(1)]), tmp_path)
    assert not filled.complete
    assert filled.counts["loans"] == (120, 121)
    with mirrored(tmp_path) as source:
        snapshot = source.snapshot()
        assert snapshot.counted_by_source == {"loans": 121, "signals": 1}
        assert not snapshot.whole


@pytest.mark.parametrize("at", [1, 2, 3, 4, 5])
def test_a_lost_connection_loses_no_page_and_the_next_fill_goes_on(api, at, tmp_path):
    api.fail = {at: Unreachable("The API did not answer")}
    with pytest.raises(Unreachable):
        run(api, tmp_path)
    with pytest.raises(StoreMissing):
        Store(tmp_path).lease().__enter__()
    filled = run(api, tmp_path)
    assert filled.complete
    assert api.requests == 5 + 1


def test_a_row_cut_short_by_a_kill_is_asked_for_again(api, tmp_path):
    api.fail = {3: Unreachable("gone")}
    with pytest.raises(Unreachable):
        run(api, tmp_path)
    partial = tmp_path / "partial" / "loans-0.jsonl"
    text = partial.read_text(encoding="utf-8")
    partial.write_text(text[: len(text) - 40], encoding="utf-8")
    assert run(api, tmp_path).complete


def test_the_days_quota_is_never_exceeded(api, tmp_path):
    api.daily_remaining = 3
    with pytest.raises(RateLimited, match="goes on from here tomorrow"):
        run(api, tmp_path)
    assert api.requests == 3
    api.daily_remaining = 2
    assert run(api, tmp_path).complete
    assert api.requests == 5


def test_a_minutes_limit_is_waited_out_second_by_second(api, tmp_path):
    slept = []
    api.fail = {2: RateLimited("slow down", retry_after=4)}
    filled = run(api, tmp_path, sleep=slept.append)
    assert filled.complete
    assert slept == [1, 1, 1, 1]


def test_a_longer_limit_ends_the_fill(api, tmp_path):
    api.fail = {2: RateLimited("tomorrow", retry_after=4_000)}
    with pytest.raises(RateLimited):
        run(api, tmp_path)


def test_a_cancelled_fill_keeps_what_came(api, tmp_path):
    with pytest.raises(Stopped):
        run(api, tmp_path, cancelled=lambda: api.requests >= 2)
    assert run(api, tmp_path).complete
    assert api.requests == 5


def test_chains_become_entities_and_edges(tmp_path, mirrored):
    api = Api([loan(n) for n in range(3)], [])
    run(api, tmp_path, chains=True)
    with mirrored(tmp_path) as source:
        chain = source.ownership("L0001").chain
        assert [(one.entity_name, one.confidence) for one in chain] == [
            ("SPE L0001 LLC", 0.95),
            ("Alder Capital", 0.8),
        ]
        assert source.entity("Alder Capital").book.loans == 3


def test_a_signal_on_an_unlisted_loan_is_a_reject_not_a_loan(tmp_path, mirrored):
    run(Api([loan(1)], [signal(1), signal(9)]), tmp_path)
    with mirrored(tmp_path) as source:
        assert source.snapshot().loans == 1
        assert source.signals(SignalQuery()).total == 1
        assert [one.record for one in source.rejects()] == ["signals of loan L0009"]
