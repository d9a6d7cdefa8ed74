"""A query as a value: cache key, URL and log line at once."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from services.contract.errors import InvalidRequest
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery, parse
from services.contract.vocabulary import STATES

maybe = st.none
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=250)
state = maybe() | st.sampled_from(sorted(STATES))
dollars = maybe() | st.integers(-(10**15), 10**15)
days = maybe() | st.dates()
root = texts.filter(lambda text: text and "\x00" not in text)
slices = {"page": st.integers(1, 10**9), "per_page": st.integers(1, 100)}
queries = st.one_of(
    st.builds(
        LoanQuery,
        state=state,
        lender=maybe() | st.sampled_from(["Lakeshore Life", "O'Neill & Sons", "東京銀行", "a=b&c"]),
        min_balance=dollars,
        max_balance=dollars,
        maturity_before=days,
        maturity_after=days,
        rate_pressure=maybe() | st.sampled_from(["severe", "no such word"]),
        **slices,
    ),
    st.builds(
        EntityQuery,
        name=maybe() | st.just("Alder Ridge"),
        confidence_min=maybe() | st.floats(0, 1),
        **slices,
    ),
    st.builds(SignalQuery, state=state, severity=maybe() | st.just("critical"), **slices),
    st.builds(PathQuery, loan_number=root, depth=st.integers(1, 6), per_page=st.integers(1, 25)),
    st.builds(PathQuery, entity_name=root, page=st.integers(1, 10**9)),
)


@given(query=queries)
def test_the_parameters_of_a_query_are_parsed_to_the_same_query(query):
    params = query.params()
    assert all(isinstance(value, str) for value in params.values())
    again = parse(type(query), params)
    assert again == query
    assert hash(again) == hash(query)
    assert again.params() == params


@given(
    name=st.sampled_from(["lender", "rate_pressure", "state", "maturity_after", "min_balance"]),
    value=texts,
)
def test_whatever_text_is_accepted_survives_its_own_parameters(name, value):
    try:
        query = parse(LoanQuery, {name: value})
    except InvalidRequest:  # nothing else may come out
        return
    assert parse(LoanQuery, query.params()) == query


def test_letters_that_grow_when_folded_are_counted_after_it():
    # 150 of them are 300 characters, which the query's own URL could not carry.
    with pytest.raises(InvalidRequest, match="at most 200 characters"):
        parse(LoanQuery, {"rate_pressure": "ß" * 150})


def test_parameters_are_written_without_defaults():
    assert LoanQuery().params() == {}
    assert LoanQuery(page=1, per_page=25).params() == {}
    query = LoanQuery(state="tx", maturity_before=date(2028, 1, 1), min_balance=0, page=2)
    assert query.params() == {
        "page": "2",
        "state": "TX",
        "min_balance": "0",
        "maturity_before": "2028-01-01",
    }
    assert PathQuery(loan_number="LN-1", depth=3).params() == {"loan_number": "LN-1"}


def test_filters_leave_paging_out():
    query = LoanQuery(state="TX", max_balance=0, page=3, per_page=50)
    assert query.filters() == {"state": "TX", "max_balance": 0}
    assert LoanQuery(page=3).filters() == {}


def test_a_query_is_a_key_of_a_dictionary():
    answers = {LoanQuery(state="TX"): 1, LoanQuery(state="NY"): 2, EntityQuery(): 3}
    assert answers[parse(LoanQuery, {"state": "tx"})] == 1
    assert answers[LoanQuery(state="NY", page=1)] == 2
    assert LoanQuery(state="TX", page=2) not in answers
    assert SignalQuery() not in answers


def test_a_query_cannot_be_changed():
    query = LoanQuery(state="TX")
    with pytest.raises(ValidationError, match="frozen"):
        query.state = "NY"
    with pytest.raises(ValidationError, match="extra"):
        LoanQuery(sate="TX")


def test_another_page_is_the_same_question():
    query = LoanQuery(state="TX", per_page=50)
    assert query.at(7) == LoanQuery(state="TX", per_page=50, page=7)
    assert query.page == 1
    assert (query.offset, query.at(2).offset, query.at(7).offset) == (0, 50, 300)
