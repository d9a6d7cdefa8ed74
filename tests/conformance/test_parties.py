"""Parties in order of what stands behind them, of a store and of mirrors, against the oracle."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.errors import NotFound
from services.contract.parties import PARTY_EXPORT, PARTY_ORDERS, PartyFilter
from services.contract.queries import EntityQuery
from services.store.leases import Store
from tests.conformance.test_screens import TRIED, maybe
from tests.oracle import Oracle
from tests.publishing import load
from tests.signals.test_book_oracle import random_book
from tests.tiers import seeds
from tests.world import RATES

ORDERS = [*PARTY_ORDERS, *(f"-{name}" for name in PARTY_ORDERS)]
KINDS = ("sponsor", "owner", "borrower", "lender", "fund", "servicer", "tenant", "nobody")


@st.composite
def filters(draw):
    return PartyFilter(
        kind=draw(maybe(st.sampled_from(KINDS))),
        confidence_min=draw(maybe(st.floats(0, 1))),
        order=draw(maybe(st.sampled_from(ORDERS))),
        page=draw(st.integers(1, 2)),
        per_page=draw(st.integers(1, 30)),
    )


@given(query=filters())
@TRIED
def test_any_list_of_parties_agrees(held, query):
    # D263
    assert held.source.parties(query) == held.oracle.parties(query)
    assert held.source.party_kinds(query) == held.oracle.party_kinds(query)


@pytest.mark.parametrize("order", [None, *ORDERS])
def test_parties_come_in_every_order_and_a_table_holds_all(held, order):
    query = PartyFilter(order=order, per_page=100)
    assert held.source.parties(query) == held.oracle.parties(query)
    table = held.source.party_table(query)
    assert tuple(table.column_names) == PARTY_EXPORT
    assert table.to_pylist() == held.oracle.party_table(query).to_pylist()


def test_a_party_alone_is_as_in_the_list_and_as_on_its_page(held):
    for one in held.source.parties(PartyFilter(per_page=100)).items:
        assert held.source.party(one.entity_name) == one
        book = held.source.entity(one.entity_name).book
        if one.role is None:
            assert (one.loans, one.book_value) == (book.loans, book.book_value)
        else:
            shares = {part.role: part for part in held.source.exposure(one.entity_name).roles}
            of_role = shares[one.role]
            assert (one.loans, one.book_value) == (of_role.loans, of_role.book_value)
            assert book.loans == 0
    with pytest.raises(NotFound):
        held.source.party("Nobody at all")


@pytest.mark.parametrize("asked", ["Oak Street Holding LLC", "jose garcía", "Pier 9 Owner LLC"])
def test_parties_found_by_name_are_those_of_the_search_the_larger_first_of_one_score(held, asked):
    found = held.source.parties(PartyFilter(name=asked, per_page=100)).items
    searched = held.source.entities(EntityQuery(name=asked, per_page=100)).items
    score = {one.entity_name: one.extra["match_score"] for one in searched}
    assert {one.entity_name: one.match_score for one in found} == score
    key = [(n.entity_name != asked, -n.match_score, -n.book_value, n.entity_name) for n in found]
    assert key == sorted(key)
    assert len(found) > 0


def test_a_name_a_kind_and_a_confidence_narrow_together(held):
    query = PartyFilter(name="Oak Street Holdings LLC", confidence_min=0.2)
    kinds = held.source.party_kinds(query.model_copy(update={"kind": "nobody"}))
    assert sum(kinds.values()) == held.source.parties(query).total > 1
    for kind, number in kinds.items():
        narrow = query.model_copy(update={"kind": kind, "per_page": 100})
        found = held.source.parties(narrow)
        assert found.total == number
        assert {one.kind for one in found.items} == {kind}
        table = held.source.party_table(narrow)
        assert table["match_score"].to_pylist() == [one.match_score for one in found.items]
    most = max(one.confidence for one in held.source.parties(query).items)
    sure = held.source.parties(query.model_copy(update={"confidence_min": most}))
    assert 0 < sure.total < sum(kinds.values())
    assert all(one.confidence == most for one in sure.items)


@pytest.mark.parametrize("seed", seeds(8, 24))
def test_parties_of_small_random_books_agree(seed, tmp_path):
    """Rings, joint owners, notes of one loan."""
    portfolio = random_book(random.Random(seed)).portfolio()
    load(tmp_path, [portfolio], rates=RATES)
    oracle = Oracle([portfolio], RATES, hub_edges=1000, budget_edges=50_000)
    store = Store(tmp_path)
    with store.lease() as source:
        for order in (None, "-worst", "-stressed", "dollars_short"):
            query = PartyFilter(order=order, per_page=100)
            assert source.parties(query) == oracle.parties(query)
    store.close()
