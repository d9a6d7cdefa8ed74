"""A page of a large result is picked out before it is put in order: it is the same page (D61).

What groups, classes and totals say of a book of five loans is written down by hand.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.aggregates import Weighted
from services.contract.loan_filter import LoanFilter
from services.store import columns, loan_results
from services.store.leases import Store
from services.store.ordering import among_first
from tests.alike import alike
from tests.publishing import load
from tests.signals.healthy import AS_OF, HEALTHY
from tests.world import Sketch, info_of

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


#: Millions, debt yield, DSCR, state and payment status of each loan.
FIVE = {
    "healthy": (40, 15, 2.0, "TX", "0"),
    "a month late": (10, 15, 2.0, "TX", "1"),
    "foreclosed": (20, None, 1.5, "TX", "5"),
    "foreclosed too": (5, 12, 1.5, "NY", "5"),
    "of no balance": (None, None, 1.5, "NY", "2"),
}


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    sketch = Sketch(info_of("five", AS_OF))
    for number, (millions, debt_yield, dscr, state, status) in FIVE.items():
        dollars = millions and millions * 1_000_000
        income = debt_yield and dollars * debt_yield // 100
        sketch.loan(number, **HEALTHY | {
            "loan_number": number, "property_state": state, "payment_status": status,
            "book_value": dollars, "original_amount": dollars, "value": dollars and 2 * dollars,
            "noi": income, "ncf": income, "underwritten_noi": income, "underwritten_ncf": income,
            "dscr": dscr, "underwritten_dscr": dscr,
        })  # fmt: skip
    folder = tmp_path_factory.mktemp("five")
    load(folder, [sketch.portfolio()])
    store = Store(folder)
    with store.lease() as found:
        yield found
    store.close()


def test_groups_and_classes_hold_their_dollars_by_the_worst_signal(five):
    worst = five.loans_found(LoanFilter(find="of no balance"), ("worst_severity",)).items[0].values
    assert worst["worst_severity"] == "severe"
    groups = five.loan_ranking(LoanFilter(), "state", 10).groups
    assert {one.word: (one.loans, one.by_worst) for one in groups} == {
        "TX": (3, (("critical", 20_000_000), ("elevated", 10_000_000), ("none", 40_000_000))),
        "NY": (2, (("critical", 5_000_000),)),  # no dollars are severe
    }
    classes = five.loan_classes(LoanFilter(), "dscr", (1.0, 2.0))
    assert [(one.high, one.loans, one.by_worst) for one in classes] == [
        (1.0, 0, ()),
        (2.0, 3, (("critical", 25_000_000),)),
        (None, 2, (("elevated", 10_000_000), ("none", 40_000_000))),
    ]


def test_the_debt_yield_of_a_result_weighs_by_book_value(five):
    """15 % of 50 million and 12 % of 5; of 20 million it is not known."""
    found = five.loan_totals(LoanFilter()).debt_yield
    assert alike(found, Weighted(mean=810 / 55, coverage=55 / 75))
