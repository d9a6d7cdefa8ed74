"""A page of a large result is picked out before it is put in order: it is the same page (D61)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.loan_filter import LoanFilter
from services.store import columns, loan_results
from services.store.ordering import among_first

keys = st.lists(st.none() | st.integers(-3, 3), max_size=40)


@given(keys=keys, count=st.integers(1, 50))
def test_the_first_few_are_those_that_the_whole_order_begins_with(keys, count):
    key = np.array([0 if one is None else one for one in keys], np.float64)
    missing = np.array([one is None for one in keys], bool)
    listed = sorted(range(len(keys)), key=lambda at: (keys[at] is None, keys[at] or 0, at))
    assert among_first(key, missing, count).tolist() == sorted(listed[:count])


@pytest.mark.parametrize("order", ["-book_value", "sponsor", "-worst_severity", "property_city"])
def test_a_page_is_the_same_however_large_the_result(order, store_source, monkeypatch):
    asked = [LoanFilter(order=order, page=page, per_page=7) for page in (1, 2, 3)]
    small = [store_source.loans_found(one, ()).items for one in asked]
    monkeypatch.setattr(loan_results, "MANY", 100)
    picked = [store_source.loans_found(one, ()).items for one in asked]
    assert picked == small


def test_loan_numbers_are_ordered_as_a_reader_counts(store_source):
    numbers = "SELECT unnest(['T:10', 'T:2', 'T:1', 'T:10A', 'A9']) AS loan_number"
    found = store_source.reader.arrow(f"FROM ({numbers}) {columns.AS_COUNTED}")
    assert found.column(0).to_pylist() == ["A9", "T:1", "T:2", "T:10", "T:10A"]
