"""Families of loans, of a store and of mirrors, against the oracle (D58, D70)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.errors import NotFound
from services.contract.families import FAMILY_ORDERS, FamilyFilter
from services.contract.loan_filter import LoanFilter
from services.contract.source import FAMILY_EXPORT
from services.store.leases import Store
from tests.conformance.test_screens import FIELDS, TRIED, maybe
from tests.oracle import Oracle
from tests.publishing import load
from tests.signals.test_book_oracle import random_book
from tests.tiers import examples, seeds
from tests.world import RATES

ORDERS = [*FAMILY_ORDERS, *(f"-{name}" for name in FAMILY_ORDERS)]


@st.composite
def filters(draw):
    chosen = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=2, unique=True))
    return FamilyFilter(
        **{name: draw(FIELDS[name]) for name in chosen},
        kind=draw(st.sampled_from(["sponsor", "owner", "either"])),
        order=draw(maybe(st.sampled_from(ORDERS))),
        page=draw(st.integers(1, 2)),
        per_page=draw(st.integers(1, 30)),
    )


@given(query=filters())
@TRIED
def test_any_ranking_of_families_agrees(held, query):
    # D70
    assert held.source.families(query) == held.oracle.families(query)


@pytest.mark.parametrize("order", ORDERS)
def test_families_come_in_every_order(held, order):
    query = FamilyFilter(kind="either", order=order, per_page=100)
    found = held.source.families(query)
    assert found == held.oracle.families(query)
    assert found.total > 5


@given(query=filters())
@examples(15, 40)
def test_a_table_holds_every_family_in_the_order_of_the_pages(held, query):
    table = held.source.family_table(query)
    assert tuple(table.column_names) == FAMILY_EXPORT
    assert table.to_pylist() == held.oracle.family_table(query).to_pylist()
    assert table.num_rows == held.source.families(query).total


def test_every_family_agrees_whole(held):
    # D71
    for name in held.oracle.listed:
        found = held.source.family(name)
        assert found == held.oracle.family(name), name
        query = LoanFilter(family=name)
        assert held.source.loan_totals(query).loans == found.family.loans == len(found.loans)


def test_a_family_nobody_heads_is_empty_and_an_unknown_party_is_not_found(held):
    assert held.source.family("Pier 9 Owner LLC").family.loans == 0  # a borrower
    with pytest.raises(NotFound):
        held.source.family("Nobody at all")


@pytest.mark.parametrize("seed", seeds(8, 24))
def test_families_of_small_random_books_agree(seed, tmp_path):
    """Rings, joint owners, weak links, ways of equal length."""
    portfolio = random_book(random.Random(seed)).portfolio()
    load(tmp_path, [portfolio], rates=RATES)
    oracle = Oracle([portfolio], RATES, hub_edges=1000, budget_edges=50_000)
    store = Store(tmp_path)
    with store.lease() as source:
        for order in (None, "-worst", "-lenders"):
            query = FamilyFilter(kind="either", order=order, per_page=100)
            assert source.families(query) == oracle.families(query)
        for name in oracle.listed:
            assert source.family(name) == oracle.family(name)
            assert source.exposure(name) == oracle.exposure(name)
    store.close()
