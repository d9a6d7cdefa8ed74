"""Maps, matrices and city shares equal a count over the records one by one."""

from collections import Counter, defaultdict
from itertools import product

import pytest

from services.contract.paging import every
from services.contract.queries import (
    EntityQuery,
    LoanFilter,
    LoanQuery,
    Query,
    SignalFilter,
    SignalQuery,
)

TYPES = (None, "rate_pressure", "maturity_timing", "stress_indicator")
SEVERITIES = (None, "moderate", "elevated", "severe", "critical")
QUERIES = [SignalQuery(signal_type=t, severity=s) for t, s in product(TYPES, SEVERITIES)]


@pytest.fixture(scope="module")
def signals(store_source):
    return list(every(store_source.signals, SignalQuery(per_page=100)))


@pytest.fixture(scope="module")
def loans(store_source):
    return list(every(store_source.loans, LoanQuery(per_page=100)))


def matching(signals, query):
    return [
        one
        for one in signals
        if query.signal_type in (None, one.signal_type) and query.severity in (None, one.severity)
    ]


def wider(query):
    """The same question as a filter, which may hold more than the specification's."""
    return SignalFilter(**query.model_dump())


def counted(signals, key):
    """Key -> (signals, distinct loans, their book value once)."""
    marks = Counter(map(key, signals))
    books = defaultdict(dict)
    for one in signals:
        books[key(one)][one.loan_number] = one.book_value or 0
    return {where: (marks[where], len(books[where]), sum(books[where].values())) for where in marks}


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_the_map_counts_signals_loans_and_dollars_of_every_state(
    query, store_source, signals, loans
):
    expected = counted(matching(signals, query), lambda one: one.property_state)
    whole = defaultdict(lambda: [0, 0])
    for loan in loans:
        whole[loan.property_state][0] += 1
        whole[loan.property_state][1] += loan.book_value or 0
    found = store_source.signal_states(wider(query))
    assert [state.state for state in found] == sorted(whole, key=lambda s: (s is None, s or ""))
    for state in found:
        figures = (state.signals, state.loans, state.book_value)
        assert figures == expected.get(state.state, (0, 0, 0))
        assert [state.state_loans, state.state_book_value] == whole[state.state]


@pytest.mark.parametrize("by", ["severity", "property_type"])
@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_a_matrix_counts_each_loan_once_in_a_cell(query, by, store_source, signals):
    expected = counted(matching(signals, query), lambda one: (one.property_state, getattr(one, by)))
    found = store_source.signal_matrix(wider(query), by)
    assert {
        (cell.state, cell.column): (cell.signals, cell.loans, cell.book_value) for cell in found
    } == expected


@pytest.mark.parametrize("query", [*QUERIES[:6], SignalQuery(state="NY")], ids=str)
def test_cities_hold_the_loans_behind_the_signals(query, store_source, signals):
    chosen = [one for one in matching(signals, query) if query.state in (None, one.property_state)]
    expected = counted(chosen, lambda one: (one.property_city, one.property_state))
    found = store_source.signal_cities(wider(query))
    assert {(city.city, city.state): (city.loans, city.book_value) for city in found} == {
        where: figures[1:] for where, figures in expected.items()
    }


def test_cities_of_loans_are_the_same_from_parts_and_from_ids(store_source):
    # A filter that every loan with a book value passes takes the other way to the same figures.
    every_one = store_source.loan_cities(LoanFilter(min_balance=-(10**15)))
    without_value = {(city.city, city.state) for city in store_source.loan_cities(LoanFilter())} - {
        (city.city, city.state) for city in every_one
    }
    by_place = {(c.city, c.state): c.book_value for c in store_source.loan_cities(LoanFilter())}
    assert {(c.city, c.state): c.book_value for c in every_one} == {
        where: value for where, value in by_place.items() if where not in without_value
    }


@pytest.mark.parametrize("kind", ["office", "multifamily", "retail", "lodging", "no such type"])
@pytest.mark.parametrize("query", QUERIES[::3], ids=str)
def test_a_property_type_narrows_signals_by_the_type_of_their_loans(
    query, kind, store_source, signals
):
    chosen = [one for one in matching(signals, query) if one.property_type == kind]
    wanted = wider(query).model_copy(update={"property_type": kind})
    listed = list(every(store_source.signals_found, wanted.model_copy(update={"per_page": 7})))
    assert listed == chosen
    by_city = counted(chosen, lambda one: (one.property_city, one.property_state))
    assert {(c.city, c.state): c.loans for c in store_source.signal_cities(wanted)} == {
        where: figures[1] for where, figures in by_city.items()
    }
    assert store_source.signal_table(wanted).num_rows == len(chosen)


@pytest.mark.parametrize("kind", ["office", "multifamily", "no such type"])
def test_a_property_type_narrows_loans(kind, store_source, loans):
    wanted = LoanFilter(property_type=kind, per_page=3)
    assert list(every(store_source.loans_found, wanted)) == [
        loan for loan in loans if loan.property_type == kind
    ]
    in_new_york = LoanFilter(property_type=kind, state="NY", per_page=100)
    assert [one.loan_number for one in store_source.loans_found(in_new_york).items] == [
        loan.loan_number
        for loan in loans
        if loan.property_type == kind and loan.property_state == "NY"
    ]


def test_totals_of_an_entity_are_sums_over_its_loans(store_source):
    names = [one.entity_name for one in every(store_source.entities, EntityQuery(per_page=100))]
    for name in names[:40]:
        dossier = store_source.entity(name)
        own = list(
            every(lambda query, name=name: store_source.loans_of(name, query), Query(per_page=100))
        )
        assert dossier.book.loans == len(own)
        assert dossier.book.book_value == sum(loan.book_value or 0 for loan in own)
        by_state = Counter(loan.property_state for loan in own)
        assert {part.word: part.loans for part in dossier.by_state} == by_state
        by_lender = Counter(loan.lender_normalized for loan in own)
        assert {part.word: part.loans for part in dossier.by_lender} == by_lender
