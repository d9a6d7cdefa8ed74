"""Tenants and their leases, of a store and of mirrors, against the oracle (D268)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.contract.tenants import TENANCY_EXPORT, TENANT_EXPORT, TENANT_ORDERS, TenantFilter
from services.importers import demo
from services.store.leases import Store
from tests.conformance.conftest import Held
from tests.conformance.test_screens import FIELDS, TRIED, days, maybe
from tests.oracle import Oracle
from tests.publishing import load
from tests.world import RATES

ORDERS = [*TENANT_ORDERS, *(f"-{name}" for name in TENANT_ORDERS)]


@st.composite
def filters(draw):
    chosen = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=2, unique=True))
    return TenantFilter(
        **{name: draw(FIELDS[name]) for name in chosen},
        expires_after=draw(maybe(days)),
        expires_before=draw(maybe(days)),
        order=draw(maybe(st.sampled_from(ORDERS))),
        page=draw(st.integers(1, 2)),
        per_page=draw(st.integers(1, 5)),
    )


def agree(held, query):
    source, oracle = held.source, held.oracle
    assert source.tenant_totals(query) == oracle.tenant_totals(query)
    assert source.tenants(query) == oracle.tenants(query)
    assert source.tenancies(query) == oracle.tenancies(query)


@given(query=filters())
@example(TenantFilter())
@TRIED
def test_any_leases_agree(held, query):
    agree(held, query)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A book with hundreds of leases."""
    folder, book = tmp_path_factory.mktemp("tenants"), demo.portfolio(loans=300, seed=4)
    load(folder, [book], rates=RATES)
    with Store(folder).lease() as source:
        yield Held(source, Oracle([book], RATES, hub_edges=200, budget_edges=5_000))


@pytest.mark.parametrize("order", [None, *ORDERS])
def test_many_leases_agree_in_every_order_and_a_table_holds_all(many, order):
    for asked in ({}, {"leases_within": 24}, {"tenant": "co", "state": ("TX", "CA")}):
        query = TenantFilter(order=order, per_page=100, **asked)
        agree(many, query)
        for read, names in (("tenant_table", TENANT_EXPORT), ("tenancy_table", TENANCY_EXPORT)):
            table = getattr(many.source, read)(query)
            assert tuple(table.column_names) == names
            assert table.to_pylist() == getattr(many.oracle, read)(query).to_pylist()
            assert table.num_rows > 0
