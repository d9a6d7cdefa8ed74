"""In which order a source told its records must never show (D3, D58)."""

import pytest

from services.contract.loan_filter import LoanFilter
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery
from services.store.leases import Store
from tests.exported import loan_table
from tests.publishing import load_once
from tests.world import BOTH, BUDGET_EDGES, HUB_EDGES, RATES, shuffled


@pytest.fixture(scope="module", params=[1, 2])
def other(request, tmp_path_factory):
    """The same book with the rows of all tables in another order."""
    folder = tmp_path_factory.mktemp("shuffled")
    load_once(folder, [shuffled(one, request.param) for one in BOTH], rates=RATES)
    store = Store(folder, hub_edges=HUB_EDGES, budget_edges=BUDGET_EDGES)
    with store.lease() as opened:
        yield opened
    store.close()


def test_lists_are_the_same(store_source, other):
    for page in (1, 2):
        for query in (LoanQuery(per_page=100, page=page), LoanQuery(lender="bank", page=page)):
            assert other.loans(query) == store_source.loans(query)
        listed = SignalQuery(per_page=100, page=page)
        assert other.signals(listed) == store_source.signals(listed)
    for query in (EntityQuery(per_page=100), EntityQuery(name="oak street"), EntityQuery(name="A")):
        assert other.entities(query) == store_source.entities(query)


def test_loans_are_the_same(other, oracle):
    for number in oracle.by_number:
        assert other.loan(number) == oracle.loan(number)


def test_chains_are_the_same_joint_owners_in_the_same_order(store_source, other, oracle):
    chained = [number for number in oracle.by_number if oracle.ownership(number).chain]
    for number in chained:
        assert other.ownership(number) == store_source.ownership(number)


def test_walks_are_the_same(store_source, other, oracle):
    for name in oracle.listed:
        query = PathQuery(entity_name=name, depth=6)
        assert other.paths(query) == store_source.paths(query)
    for number in oracle.by_number:
        query = PathQuery(loan_number=number)
        assert other.paths(query) == store_source.paths(query)


def test_aggregates_are_the_same(store_source, other):
    assert other.totals() == store_source.totals()
    assert other.maturity_wall() == store_source.maturity_wall()
    assert other.worst_severities() == store_source.worst_severities()
    assert loan_table(other, LoanFilter()).equals(loan_table(store_source, LoanFilter()))
