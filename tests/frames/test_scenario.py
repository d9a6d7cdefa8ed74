"""Scenarios as frames, against the page What if (D130, D132)."""

import pytest

from services.contract.errors import InvalidRequest, NotRescored
from services.contract.loan_filter import LoanFilter
from services.contract.paging import every
from services.contract.scenario import MovedFilter, Scenario
from tests.frames.plain import rows

SCENARIOS = [
    ({"rates": 100}, {}),
    ({"rates": 100, "noi": -10, "cap": 50}, {"property_type": "office"}),
    ({"rates": -100, "rate_10": 150}, {"state": ["TX", "NY"]}),
    ({}, {}),
]


@pytest.mark.parametrize(("shifts", "asked"), SCENARIOS, ids=str)
def test_moves_and_totals_are_those_of_the_page(of_store, shifts, asked):
    query, scenario = LoanFilter.model_validate(asked), Scenario.of(**shifts)
    found = of_store.analytics.what_if(query, scenario)
    frame = of_store.atlas.what_if(**shifts, **asked)
    assert rows(frame) == [one.model_dump() for one in found.moves]
    totals = frame.attrs["totals"]
    assert totals["loans"] == found.loans == frame["loans"].sum()
    assert totals["worse"] == found.worse.model_dump()
    assert totals["short_after"] == found.short_after.model_dump()
    worse = frame[frame["after"] > frame["before"]]
    assert worse["loans"].sum() == found.worse.loans


@pytest.mark.parametrize(("shifts", "asked"), SCENARIOS, ids=str)
def test_moved_loans_are_those_of_the_page(of_store, shifts, asked):
    query = MovedFilter.model_validate(asked)
    scenario = Scenario.of(**shifts)
    found = every(lambda one: of_store.analytics.moved_loans(one, scenario), query)
    expected = [one.model_dump() for one in found]
    assert rows(of_store.atlas.moved_loans(**shifts, **asked)) == expected


def test_the_loans_of_one_move(of_store):
    frame = of_store.atlas.what_if(rates=100)
    for row in rows(frame):
        one = of_store.atlas.moved_loans(rates=100, move=(row["before"], row["after"]))
        assert len(one) == row["loans"]
        assert one["book_value"].sum() == row["book_value"]


def test_what_was_asked_is_said(of_store):
    said = of_store.atlas.what_if(rates=100, noi=-10, cap=0, state="TX").attrs["filters"]
    assert said == "rates +100; noi -10; state TX"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"rates": 301}, "must be at most 300"),
        ({"rate": 100}, "did you mean 'rate"),
        ({"move": ["low", "severe"]}, "Unknown parameter 'move'"),
    ],
)
def test_a_scenario_at_fault_is_a_sentence(of_store, asked, said):
    with pytest.raises(InvalidRequest, match=said):
        of_store.atlas.what_if(**asked)


@pytest.mark.parametrize("which", ["live", "of_mirror"])
def test_an_api_has_no_scenarios(which, request):
    atlas = request.getfixturevalue(which).atlas
    with pytest.raises(NotRescored):
        atlas.what_if(rates=100)
    with pytest.raises(NotRescored):
        atlas.moved_loans(rates=100)
