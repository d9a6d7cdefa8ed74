"""How well the book is filled: counted by the store, and by plain loops over the same book."""

from collections import Counter

import pytest

from services.contract.errors import NotFound
from services.contract.facts import FACTS
from services.store.leases import Store
from tests.publishing import load
from tests.world import RATES, Sketch, info_of


def test_fill_rates_agree_with_a_count_of_the_rows(store_source, oracle):
    rows = [{**row, **row["features"]} for row in oracle.rows]
    assert [(one.field, one.filled, one.loans) for one in store_source.fill_rates()] == [
        (fact.name, sum(row[fact.name] is not None for row in rows), len(rows))
        for fact in FACTS
        if fact.counted
    ]


def test_fill_rates_of_each_source_agree_with_a_count_of_its_rows(store_source, oracle):
    keys = {row["info"].key for row in oracle.rows}
    assert len(keys) > 1
    for key in keys:
        rows = [{**row, **row["features"]} for row in oracle.rows if row["info"].key == key]
        assert [(one.field, one.filled, one.loans) for one in store_source.fill_rates(key)] == [
            (fact.name, sum(row[fact.name] is not None for row in rows), len(rows))
            for fact in FACTS
            if fact.counted
        ]


def test_fill_rates_of_two_sources_by_hand(tmp_path):
    rich, poor = Sketch(info_of("rich")), Sketch(info_of("poor"))
    rich.loan("1", noi=1, ncf=0)
    rich.loan("3", noi=2)
    poor.loan("2", ncf=5, lender_normalized=None)
    load(tmp_path, [rich.portfolio(), poor.portfolio()], rates=RATES)
    store = Store(tmp_path)
    with store.lease() as source:
        found = {
            key: {one.field: (one.filled, one.loans) for one in source.fill_rates(key)}
            for key in ("rich", "poor", None)
        }
        with pytest.raises(NotFound, match="No source 'Book of rich'"):
            source.fill_rates("Book of rich")
    store.close()
    picked = ("noi", "ncf", "lender_normalized")
    assert [found["rich"][name] for name in picked] == [(2, 2), (1, 2), (2, 2)]
    assert [found["poor"][name] for name in picked] == [(0, 1), (1, 1), (0, 1)]
    assert [found[None][name] for name in picked] == [(2, 3), (2, 3), (2, 3)]


def test_fill_rates_of_a_small_book_by_hand(tmp_path):
    sketch = Sketch(info_of("one"))
    sketch.loan("1", noi=1, lender_normalized=None)
    sketch.loan("2", noi=0, workout="98")
    found = filled(tmp_path, sketch)
    assert (found["noi"], found["ncf"], found["workout"], found["lender_normalized"]) == (
        2,
        0,
        1,
        1,
    )
    assert (found["refi_rate"], found["ltv"]) == (2, 0)
    assert "loan_number" not in found


def test_words_without_a_known_rank_are_counted_most_frequent_first(store_source, oracle):
    found = store_source.unranked_words()
    states = Counter(row["property_state"] for row in oracle.rows)
    assert found["property_state"] == {code: states[code] for code in ("A6", "D0", "ZZ")}
    assert "confidence_tier" not in found


def test_a_code_that_schedule_al_lacks_is_unranked_for_every_coded_fact(tmp_path):
    sketch = Sketch(info_of("one"))
    odd = {"payment_status": "9", "workout": "44", "structure": "Z", "property_type": "farm"}
    sketch.loan("1", **odd)
    sketch.loan("2", **odd | {"workout": "45"})
    sketch.loan("3", payment_status="0", workout="45", structure="WL")
    load(tmp_path, [sketch.portfolio()], rates=RATES)
    store = Store(tmp_path)
    with store.lease() as source:
        found = source.unranked_words()
    store.close()
    assert found == {
        "property_type": {"farm": 2},
        "payment_status": {"9": 2},
        "workout": {"45": 2, "44": 1},
        "structure": {"Z": 2},
    }
    assert list(found["workout"]) == ["45", "44"]


def filled(folder, sketch):
    load(folder, [sketch.portfolio()], rates=RATES)
    store = Store(folder)
    with store.lease() as source:
        found = {one.field: one.filled for one in source.fill_rates()}
    store.close()
    return found
