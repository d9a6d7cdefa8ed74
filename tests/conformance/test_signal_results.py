"""Results of signals, of a store and of mirrors, against the oracle: any filter, order, map.

D33, D60, D61, D64.
"""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.columns import COLUMN, SIGNAL_EXPORT
from services.contract.queries import SignalQuery
from services.contract.signal_filter import (
    OF_SIGNAL,
    SIGNAL_ORDERS,
    SIGNALS_COUNTED,
    SignalFilter,
)
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES, TIERS
from tests.alike import alike
from tests.conformance.test_screens import FIELDS
from tests.exported import signal_table
from tests.tiers import examples
from tests.world import BOTH

TRIED = examples(40, 120)
parties = [n for one in BOTH for n in one.entities["entity_name"].to_pylist()]


def some(values):
    return st.none() | st.lists(st.sampled_from(values), min_size=1, max_size=3).map(tuple)


def maybe(values):
    return st.none() | st.sampled_from(values)


conditions = {
    "state": some(["TX", "NY", "PR", "CA", "WY"]),
    "city": some(["port alder", "alder", "no such city"]),
    "signal_type": some(SIGNAL_TYPES),
    "severity": some(SEVERITIES),
    "rule": some(["RP-1", "MT-1", "ST-1", "CV-1", "no such rule"]),
    "property_type": some(["office", "multifamily", "space port"]),
    "lender": maybe(["harbour", "wells fargo", "nobody"]),
    "sponsor": maybe(parties),
    "confidence_tier": some(TIERS),
    "maturity_after": maybe([date(2024, 2, 29), date(2026, 9, 30)]),
    "maturity_before": maybe([date(2027, 9, 30), date(2029, 2, 28)]),
    "scope": FIELDS["scope"],
}
orders = maybe([f"{way}{name}" for name in SIGNAL_ORDERS for way in ("", "-")])


@st.composite
def questions(draw):
    """Up to three conditions, any order, any page."""
    names = draw(st.lists(st.sampled_from(sorted(conditions)), max_size=3, unique=True))
    return SignalFilter(
        **{name: draw(conditions[name]) for name in names},
        order=draw(orders),
        page=draw(st.integers(1, 3)),
        per_page=draw(st.integers(1, 60)),
    )


columns = st.lists(st.sampled_from(list(COLUMN)), max_size=5, unique=True).map(tuple)


def test_every_condition_of_the_contract_is_tried():
    assert set(conditions) == set(SignalFilter.model_fields) - SignalFilter.slicing
    assert set(SIGNALS_COUNTED) <= set(conditions)


@given(query=questions(), names=columns)
@TRIED
def test_a_page_of_any_result_agrees(held, query, names):
    expected = held.oracle.signals_found(query, names)
    assert alike(held.source.signals_found(query, names), expected)


@given(query=questions())
@TRIED
def test_maps_and_matrices_agree(held, query):
    source, oracle = held.source, held.oracle
    assert source.signal_states(query) == oracle.signal_states(query)
    assert source.signal_matrix(query, "severity") == oracle.signal_matrix(query, "severity")
    assert source.signal_matrix(query, "property_type") == oracle.signal_matrix(
        query, "property_type"
    )


@given(query=questions())
@TRIED
def test_totals_agree_with_the_oracle_and_with_the_map(held, query):
    found = held.source.signal_totals(query)
    assert found == held.oracle.signal_totals(query)
    everywhere = held.source.signal_totals(query.without("state", "city"))
    states = held.source.signal_states(query)
    for name in ("signals", "loans", "book_value", "dollars_short", "of_loans", "of_book_value"):
        assert sum(getattr(one, name) for one in states) == getattr(everywhere, name)
    assert sum(one.loans for one in found.by_tier) == found.loans


@given(query=questions(), name=st.sampled_from(SIGNALS_COUNTED))
@TRIED
def test_counts_of_a_filter_agree_and_each_is_what_its_value_finds(held, query, name):
    found = held.source.signal_counts(query, name)
    expected = held.oracle.signal_counts(query, name)
    assert (found, list(found)) == (expected, list(expected))
    for word, number in list(found.items())[:3]:
        if name == "state" and len(word) != 2:
            continue
        value = word.casefold() if name == "city" else word
        narrowed = query.at(1).model_copy(update={name: (value,)})
        assert held.source.signals_found(narrowed, ()).total == number


@given(query=questions(), names=columns)
@examples(15, 40)
def test_everything_taken_away_agrees_and_has_the_order_of_the_pages(held, query, names):
    table = signal_table(held.source, query, names)
    asked = dict.fromkeys((*SIGNAL_EXPORT, *names))
    assert table.column_names == list(asked)
    assert alike(table.to_pylist(), held.oracle.signal_table(query, names))


@pytest.mark.parametrize(
    "query", [SignalFilter(), SignalFilter(state=("TX",), severity=("severe",))], ids=str
)
def test_a_question_that_the_api_knows_is_answered_as_the_api_answers_it(held, query):
    assert isinstance(query.within_specification, SignalQuery)
    listed = held.source.signals_found(query, ())
    assert [one.signal for one in listed.items] == list(
        held.oracle.signals(query.within_specification).items
    )


@pytest.mark.parametrize(
    "query",
    [
        SignalFilter(severity=("severe", "critical")),
        SignalFilter(order="-severity"),
        SignalFilter(property_type=("office",)),
        SignalFilter(maturity_after=date(2026, 1, 1)),
    ],
    ids=str,
)
def test_a_question_that_the_api_lacks_is_never_asked_of_it_in_part(query):
    assert query.within_specification is None


def test_conditions_on_the_signal_are_none_of_its_loans():
    every = {"severity": ("severe",), "signal_type": ("rate_pressure",), "rule": ("RP-1",)}
    assert set(every) == OF_SIGNAL
    assert SignalFilter(**every, state=("TX",)).of_loans().filters() == {"state": ("TX",)}
