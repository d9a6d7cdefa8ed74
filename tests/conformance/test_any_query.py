"""Whatever is asked, the answer is the slow one's."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from services.contract.queries import LoanQuery, PathQuery, SignalQuery
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES
from tests.tiers import examples
from tests.world import BALANCES, BOTH, DAYS, LENDERS

TRIED = examples(30, 80)


def maybe(strategy):
    return st.none() | strategy


def near(values):
    """The values, and their neighbours on both sides."""
    return st.builds(lambda value, by: value + by, st.sampled_from(values), st.integers(-1, 1))


dollars = near([n for n in BALANCES if n is not None])
days = st.builds(
    lambda day, by: day + timedelta(by), st.sampled_from([d for d in DAYS if d]), st.integers(-1, 1)
)
lender_words = st.sampled_from(
    sorted({word for name in LENDERS if name for word in name.split()} | {"harbour", "credit"})
)
lenders = st.lists(lender_words, min_size=1, max_size=3).map(" ".join)
states = st.sampled_from(["TX", "NY", "PR", "CA", "WY"])
slices = {"page": st.integers(1, 4), "per_page": st.integers(1, 60)}

loan_queries = st.builds(
    LoanQuery,
    state=maybe(states),
    lender=maybe(lenders),
    min_balance=maybe(dollars),
    max_balance=maybe(dollars),
    maturity_before=maybe(days),
    maturity_after=maybe(days),
    rate_pressure=maybe(st.sampled_from(SEVERITIES)),
    **slices,
)
signal_queries = st.builds(
    SignalQuery,
    state=maybe(states),
    signal_type=maybe(st.sampled_from(SIGNAL_TYPES)),
    severity=maybe(st.sampled_from(SEVERITIES)),
    **slices,
)
numbers = st.sampled_from([n for one in BOTH for n in one.loans["loan_number"].to_pylist()])
names = st.sampled_from([n for one in BOTH for n in one.entities["entity_name"].to_pylist()])
walks = {"depth": st.integers(1, 6), "page": st.integers(1, 3), "per_page": st.integers(1, 25)}
path_queries = st.one_of(
    st.builds(PathQuery, loan_number=numbers, **walks),
    st.builds(PathQuery, entity_name=names, **walks),
)


@given(query=loan_queries)
@TRIED
def test_any_list_of_loans_agrees(source, oracle, query):
    assert source.loans(query) == oracle.loans(query)


@given(query=signal_queries)
@TRIED
def test_any_list_of_signals_agrees(source, oracle, query):
    assert source.signals(query) == oracle.signals(query)


@given(query=path_queries)
@TRIED
def test_any_page_of_a_walk_agrees(source, oracle, query):
    (result, page), (expected, expected_page) = source.paths(query), oracle.paths(query)
    assert page == expected_page
    assert (result.depth_reached, result.stopped_by) == (
        expected.depth_reached,
        expected.stopped_by,
    )
