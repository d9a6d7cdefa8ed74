"""Whole loans as they lie in a snapshot: what they say, and what is said of a damaged file."""

import json

import orjson
import pytest

from services.contract.errors import NotFound, StoreDamaged
from services.contract.queries import LoanQuery
from services.contract.wire import encode
from services.store import details
from services.store.leases import Store
from services.store.snapshot import DETAILS, current_id, folder_of
from tests.publishing import load
from tests.world import Sketch, info_of


def every_number(source):
    pages = [source.loans(LoanQuery(page=page, per_page=100)) for page in (1, 2, 3, 4, 5)]
    assert pages[-1].is_last
    return [loan.loan_number for page in pages for loan in page.items]


@pytest.mark.parametrize("variant", ["a", "b"])
def test_a_loan_encoded_beforehand_says_what_encoding_it_says(store_source, variant):
    numbers = every_number(store_source)
    ready = {number: store_source.encoded_loan(number, variant) for number in numbers}
    assert len(numbers) > 2 * details._BLOCK
    for number, found in ready.items():
        assert orjson.loads(found) == encode(store_source.loan(number), variant), number


def test_a_loan_lists_its_leases_the_largest_first(store_source):
    """D17."""
    assert store_source.loan("healthy").extended["leases"] == [
        {"tenant": None, "square_feet": 41_208, "expires": "2030-12-31"},
        {"tenant": "Bakery", "square_feet": 20_000, "expires": "2024-02-29"},
        {"tenant": "Grocer", "square_feet": 20_000, "expires": None},
        {"tenant": "Æther Shops", "square_feet": None, "expires": "2025-01-31"},
    ]
    assert store_source.loan("Q/3").extended["leases"] == [
        {"tenant": "Chandler", "square_feet": 900, "expires": "2026-05-31"}
    ]
    assert store_source.loan("diamond").extended["leases"] == []


@pytest.fixture
def stored(tmp_path):
    """A store of loans made for one test; what it opened is closed."""
    opened = []

    def store(*loans):
        sketch = Sketch(info_of("one"))
        for number, facts in loans:
            sketch.loan(number, **facts)
        load(tmp_path, [sketch.portfolio()])
        opened.append(Store(tmp_path))
        return opened[-1]

    yield store
    for one in opened:
        one.close()


ODD = {
    "a key of the wire": {"city": "Elsewhere", "confidence": 0.5},
    "a number over 64 bits": {"serial": 2**70},
    "half a character": {"name": "\ud800"},
}


@pytest.mark.parametrize("further", ODD.values(), ids=ODD)
def test_what_only_encoding_can_tell_is_not_encoded_beforehand(stored, further):
    store = stored(("1", {"further": json.dumps(further)}), ("2", {}))
    with store.lease() as source:
        assert source.encoded_loan("1", "b") is None
        assert source.encoded_loan("2", "b") is not None
        assert further.items() <= source.loan("1").extended.items()


def test_numbers_that_json_lacks_are_null_and_do_not_spoil_the_line(stored):
    odd = {"dscr": float("nan"), "occupancy": float("inf")}
    store = stored(("1", {**odd, "property_name": "NaN\tInfinity\n", "noi": 7}))
    with store.lease() as source:
        found = orjson.loads(source.encoded_loan("1", "a"))
        assert found == encode(source.loan("1"))
    assert (found.get("dscr"), found.get("occupancy")) == (None, None)
    assert (found["noi"], found["property_name"]) == (7, "NaN\tInfinity\n")


@pytest.mark.parametrize("number", ["", "0", "10 ", "1000", "zz", "\ud800"])
def test_a_number_between_before_and_after_the_loans_is_not_found(stored, number):
    store = stored(*((str(at), {}) for at in range(1, 200)))
    with store.lease() as source:
        assert source.loan("64").loan_number == "64"
        with pytest.raises(NotFound):
            source.loan(number)


def test_every_loan_is_found_where_there_are_more_than_marks(stored):
    numbers = [f"{at:03}" for at in range(300)]
    store = stored(*((number, {}) for number in numbers))
    with store.lease() as source:
        assert [source.loan(number).loan_number for number in numbers] == numbers


@pytest.mark.parametrize("name", ["rows.lz4", "blocks.npy"])
@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_a_damaged_file_is_said_when_the_snapshot_opens(stored, tmp_path, name, damage):
    store = stored(("1", {}))
    path = folder_of(tmp_path, current_id(tmp_path)) / DETAILS / name
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StoreDamaged), store.lease():
        pass


def test_a_line_that_was_written_over_is_said_when_it_is_read(stored, tmp_path):
    store = stored(("1", {}))
    path = folder_of(tmp_path, current_id(tmp_path)) / DETAILS / "rows.lz4"
    path.write_bytes(b"\xff" * path.stat().st_size)
    large = Store(tmp_path, checked_at_once=0)
    with large.lease() as source, pytest.raises(StoreDamaged, match="rows"):
        source.loan("1")
    large.close()
    with pytest.raises(StoreDamaged, match="rows"), store.lease():
        pass
