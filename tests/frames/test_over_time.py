"""Frames of earlier dates hold what was filed, typed by hand, and what the pages answer (D242)."""

from datetime import date

import pytest

from services.contract.errors import InvalidRequest, MirrorMissing, NotFound
from services.contract.history import ChangeQuery, HistoryQuery
from services.contract.paging import every
from services.frames import Atlas
from services.signals.rescoring import RulesRescorer
from services.sources import StoreWorkspace
from services.store.leases import Store
from tests.frames.plain import rows
from tests.history_book import L1, LOSS, RATES, file_name, portfolios
from tests.publishing import load_once


@pytest.fixture(scope="module")
def atlas(tmp_path_factory):
    folder = tmp_path_factory.mktemp("frames-over-time")
    load_once(folder, portfolios(), rates=RATES)
    with Atlas(StoreWorkspace(Store(folder, rescorer=RulesRescorer()))) as opened:
        yield opened


def test_a_loan_has_a_row_for_each_date_with_what_was_filed(atlas):
    frame = atlas.history("L1")
    found = rows(frame)
    assert [row["as_of"] for row in found] == sorted(L1)
    for row in found:
        filed = L1[row["as_of"]]
        assert (row["balance"], row["special_servicing"]) == (filed.balance, filed.special)
        assert (row["dscr"], row["noi"]) == (filed.dscr, filed.noi)
        assert row["occupancy"] == pytest.approx(filed.occupancy)
        assert row["file"] == file_name(row["as_of"])
    assert found[-1]["realized_loss"] == LOSS
    assert frame.attrs["missing"] == []
    assert frame.attrs["units"]["balance"] == "US dollars"
    assert str(frame["balance"].dtype) == "Int64"
    assert str(frame["as_of"].dtype) == "datetime64[s]"
    assert frame["worst"].cat.ordered


def test_its_events_stand_at_their_dates(atlas):
    with atlas._reading() as reading:
        events = reading.figures.history("L1", HistoryQuery()).events
    said = {row["as_of"]: row["events"] for row in rows(atlas.history("L1"))}
    assert events
    for event in events:
        assert event.sentence in said[event.as_of]
    assert said[date(2024, 1, 31)] is None


def test_dates_narrow_it(atlas):
    frame = atlas.history("L1", since="2024-03-01", until=date(2024, 6, 1))
    assert [row["as_of"] for row in rows(frame)] == [date(2024, 3, 31), date(2024, 5, 31)]
    assert frame.attrs["filters"] == "loan number L1; since 2024-03-01; until 2024-06-01"


@pytest.mark.parametrize(
    "asked",
    [{}, {"since": "2024-02-29", "until": "2024-07-31"}, {"order": "-dollars"}, {"deal": "one"}],
    ids=str,
)
def test_changes_are_those_of_the_page_in_its_order(atlas, asked):
    frame = atlas.changes(**asked)
    with atlas._reading() as reading:
        query = ChangeQuery.model_validate(asked)
        found = list(every(lambda one: reading.figures.changes(one).found, query))
        whole = reading.figures.changes(query)
    assert len(found) > 0
    assert [
        (row["loan_number"], row["dollars"], row["severity_before"], row["severity_after"])
        for row in rows(frame)
    ] == [(one.loan_number, one.dollars, one.severity_before, one.severity_after) for one in found]
    for row, one in zip(rows(frame), found, strict=True):
        assert all(event.sentence in row["events"] for event in one.events)
    assert (frame.attrs["since"], frame.attrs["until"]) == (
        whole.since.isoformat(),
        whole.until.isoformat(),
    )
    assert frame["severity_after"].cat.ordered


def test_what_is_not_known_is_said(atlas, live):
    with pytest.raises(NotFound):
        atlas.history("no such loan")
    with pytest.raises(InvalidRequest, match="until"):
        atlas.history("L1", untill="2024-03-01")
    with pytest.raises(InvalidRequest, match="first period"):
        atlas.changes(since="1999-01-01")
    with pytest.raises(MirrorMissing):
        live.atlas.changes()
