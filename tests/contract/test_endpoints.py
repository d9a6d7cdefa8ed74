"""The table of the six endpoints: what each one is is typed by hand from spec 4 and 8.4."""

from typing import get_args, get_type_hints

import pytest

from services.contract.access import LICENCE_TIERS, Read
from services.contract.endpoints import ENDPOINTS, EXTENSIONS, LOAN, LOANS, for_query
from services.contract.errors import NotOffered
from services.contract.history import ChangeQuery, HistoryQuery
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, Query, SignalQuery
from services.contract.records import Page
from services.contract.source import CreditSource

SPECIFIED = {
    "loans": ("/v1/loans", LoanQuery, ("Base", "Complete")),
    "loan": ("/v1/loans/{loan_number}", None, ("Base", "Complete")),
    "entities": ("/v1/entities", EntityQuery, ("Resolution", "Complete")),
    "ownership": ("/v1/entities/{loan_number}/ownership", None, ("Resolution", "Complete")),
    "paths": ("/v1/graph/paths", PathQuery, ("Capital Graph", "Complete")),
    "signals": ("/v1/signals", SignalQuery, ("Base", "Complete")),
}


def test_the_table_is_that_of_the_specification():
    table = {one.read: (one.path, one.query, one.tier_names) for one in ENDPOINTS}
    assert table == SPECIFIED


def test_the_extensions_are_typed_by_hand_too_and_one_for_each_method():
    table = {one.read: (one.path, one.query, one.tier_names, one.paged) for one in EXTENSIONS}
    assert table == {
        "history": ("/v1/loans/{loan_number}/history", HistoryQuery, ("Base", "Complete"), False),
        "changes": ("/v1/changes", ChangeQuery, ("Base", "Complete"), True),
    }
    assert not {one.name for one in EXTENSIONS} & {one.name for one in ENDPOINTS}
    assert for_query(ChangeQuery) is EXTENSIONS[1]


def test_what_names_parties_needs_the_tier_that_opens_them():
    history, changes = EXTENSIONS
    assert history.tiers_for(("1", HistoryQuery(sponsors=True))) == ("complete",)
    assert history.tiers_for(("1", HistoryQuery(sponsors=False))) == ("base", "complete")
    assert changes.tiers_for((ChangeQuery(sponsors=True),)) == ("complete",)
    assert changes.tiers_for((ChangeQuery(),)) == ("base", "complete")


def test_a_source_without_an_extension_says_so():
    asked = [("1", HistoryQuery()), (ChangeQuery(),)]
    for endpoint, question in zip(EXTENSIONS, asked, strict=True):
        with pytest.raises(NotOffered, match="is an extension"):
            endpoint.ask(object(), *question)


def test_there_is_one_endpoint_for_each_method_of_the_waist():
    methods = {name for name in vars(CreditSource) if not name.startswith("_")}
    assert methods == set(get_args(Read)) == {one.read for one in ENDPOINTS}
    assert len({one.name for one in ENDPOINTS}) == len(ENDPOINTS)


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda one: one.read)
def test_question_and_record_are_those_of_the_method(endpoint):
    hints = get_type_hints(endpoint.method)
    answer = hints.pop("return")
    assert list(hints.values()) == [endpoint.query or str]
    listed = getattr(answer, "__pydantic_generic_metadata__", {}).get("args") or get_args(answer)
    assert endpoint.record in (answer, *listed)


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda one: one.read)
def test_an_endpoint_is_found_by_its_query(endpoint):
    if endpoint.query is not None:
        assert for_query(endpoint.query) is endpoint


def test_a_query_of_no_endpoint_is_no_question():
    with pytest.raises(KeyError):
        for_query(Query)


def test_asking_calls_the_method_of_the_source():
    class Echo:
        def loans(self, query):
            return Page(items=(), page=query.page, per_page=25, total=0)

        def loan(self, loan_number):
            return loan_number

    assert LOANS.ask(Echo(), LoanQuery(page=3)).page == 3
    assert LOAN.ask(Echo(), "A/1") == "A/1"


def test_the_widest_tier_opens_everything_and_every_tier_opens_something():
    for tier in LICENCE_TIERS:
        assert any(tier in one.tiers for one in ENDPOINTS)
    assert all("complete" in one.tiers for one in ENDPOINTS)
