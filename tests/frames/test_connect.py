"""How an atlas is opened, holds a snapshot for a call, keeps to a quota, is closed (D131, D132)."""

import dataclasses
from types import SimpleNamespace

import pytest

from services.contract.errors import (
    InvalidRequest,
    RateLimited,
    SettingsInvalid,
    StoreMissing,
    Unauthorized,
)
from services.contract.lease import Lease
from services.contract.queries import LoanQuery
from services.contract.records import Loan, Page
from services.frames import connect
from services.frames.reading import Reading
from tests.publishing import load
from tests.world import BOTH, RATES


def test_a_folder_and_the_settings_store_are_the_same(world_store, monkeypatch):
    monkeypatch.setenv("CREDIT_ATLAS_STORE", str(world_store))
    with connect() as ours, connect(str(world_store)) as named, connect(world_store) as path:
        first = ours.loans(columns="loan_number")
        assert first.equals(named.loans(columns="loan_number"))
        assert first.equals(path.loans(columns="loan_number"))
    assert repr(ours) == repr(path)


def test_frames_stay_when_their_atlas_is_closed(world_store):
    with connect(world_store) as atlas:
        found = atlas.loans()
    assert found["loan_number"].notna().all()
    assert found.sort_values("book_value").shape == found.shape


def test_an_api_is_named_by_address_and_key(live, tmp_path, monkeypatch):
    monkeypatch.setenv("CREDIT_ATLAS_STORE", str(tmp_path))
    address = live.source.base_url
    with connect(address, key="nosuchkey") as atlas, pytest.raises(Unauthorized):
        atlas.loans()
    with pytest.raises(SettingsInvalid, match="CREDIT_ATLAS_API_KEY"):
        connect(address)
    assert "nosuchkey" not in repr(atlas)


def test_a_key_without_an_address_is_refused(world_store):
    with pytest.raises(SettingsInvalid, match="address"):
        connect(key="k")
    with pytest.raises(SettingsInvalid, match="folder"):
        connect(world_store, key="k")


def test_an_atlas_says_what_is_loaded(world_store, tmp_path):
    with connect(world_store) as atlas:
        loans, dated = atlas.totals()["loans"], atlas.snapshot().dated
        assert repr(atlas) == f"Atlas('{world_store}', {loans:,} loans as of {dated})"
    with connect(tmp_path) as nothing:
        assert repr(nothing) == f"Atlas('{tmp_path}', nothing loaded)"


def test_a_folder_that_is_not_there_is_said_at_once(tmp_path):
    with pytest.raises(StoreMissing, match=r"no folder '.*nosuch'"):
        connect(tmp_path / "nosuch")


def test_an_empty_folder_is_said_when_it_is_read(tmp_path):
    with connect(tmp_path) as atlas, pytest.raises(StoreMissing):
        atlas.loans()


def test_a_call_after_an_import_reads_the_new_snapshot(tmp_path):
    load(tmp_path, BOTH[:1], rates=RATES)
    with connect(tmp_path) as atlas:
        before = atlas.snapshot()
        load(tmp_path, BOTH, rates=RATES)
        after = atlas.snapshot()
        assert before.snapshot_id != after.snapshot_id
        assert len(atlas.loans()) == after.loans > before.loans


@pytest.mark.parametrize("name", ["page", "per_page"])
def test_a_frame_has_no_pages(of_store, name):
    with pytest.raises(InvalidRequest, match=f"no '{name}'"):
        of_store.atlas.signals(**{name: 1})


class Limited:
    """An API of so many loans, that refuses some requests."""

    def __init__(self, total, refusals=()):
        self.total, self.refusals, self.asked = total, list(refusals), 0

    def loans(self, query):
        self.asked += 1
        if self.refusals and (wait := self.refusals.pop(0)):
            raise RateLimited("too fast", retry_after=wait)
        last = min(query.offset + query.per_page, self.total)
        items = tuple(Loan(loan_number=f"{at:04}") for at in range(query.offset, last))
        return Page(items=items, page=query.page, per_page=query.per_page, total=self.total)


def reading(source, left=None):
    slept = []
    upstream = SimpleNamespace(label="API x", budget=SimpleNamespace(daily_remaining=left))
    lease = Lease(source, None, "", "API x")
    return Reading(lease, "api", upstream, slept.append, lambda: sum(slept)), slept


def test_a_minute_s_limit_is_waited_out():
    source = Limited(250, [0, 30, 2])
    one, slept = reading(source)
    assert len(one.every(source.loans, LoanQuery())) == 250
    assert (slept, source.asked) == ([30, 2], 5)


def test_a_longer_limit_is_the_callers():
    source = Limited(250, [91])
    one, slept = reading(source)
    with pytest.raises(RateLimited, match="too fast"):
        one.every(source.loans, LoanQuery())
    assert slept == []


def test_a_limit_that_does_not_end_is_the_callers_after_a_minute_and_a_half():
    source = Limited(250, [1] * 200)
    one, slept = reading(source)
    with pytest.raises(RateLimited, match="too fast"):
        one.every(source.loans, LoanQuery())
    assert slept == [1] * 90


def test_what_the_client_waited_before_it_gave_up_counts():
    source = Limited(250, [1] * 200)
    one, slept = reading(source)

    def patient(query):
        slept.append(29)
        return source.loans(query)

    with pytest.raises(RateLimited, match="too fast"):
        one.every(patient, LoanQuery())
    assert slept == [29, 1, 29, 1, 29, 1, 29]  # two minutes, and not 90 times thirty seconds


def test_a_list_that_changes_while_it_is_read_is_said(monkeypatch):
    source = Limited(250)
    one, _ = reading(source)
    asked = source.loans

    def growing(query):
        page = asked(query)
        source.total = 251
        return page

    monkeypatch.setattr(source, "loans", growing)
    words = "250 records at first, 251 at last, 251 read; ask again"
    with pytest.warns(UserWarning, match=words):
        assert len(one.every(source.loans, LoanQuery())) == 251


@pytest.mark.parametrize(("left", "fits"), [(2, True), (1, False), (None, True)])
def test_requests_that_the_day_does_not_have_are_not_begun(left, fits):
    source = Limited(250)
    one, _ = reading(source)
    # What is left goes down as requests are made.
    budget = SimpleNamespace(daily_remaining=left)
    one = dataclasses.replace(one, upstream=SimpleNamespace(label="API x", budget=budget))

    def asked(query):
        if left is not None and source.asked:
            budget.daily_remaining -= 1
        return source.loans(query)

    if fits:
        assert len(one.every(asked, LoanQuery())) == 250
        return
    with pytest.raises(RateLimited, match="2 requests, and the key has 1 left today"):
        one.every(asked, LoanQuery())
    assert source.asked == 1
