"""Letters of a search box, found in the names of properties, however many names hold them."""

import pytest

from services.store import search
from services.store.leases import Store
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

NAMES = [
    "Tower",
    "Ferry Lane",
    "Lane End",
    "",
    None,
    "The Ferry",
    "ferry",
    "Königsplatz 7",
    "ry lan",
]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    sketch = Sketch(info_of("names"))
    for at, name in enumerate(NAMES):
        sketch.loan(f"N-{at}", property_name=name)
    folder = tmp_path_factory.mktemp("names")
    load_once(folder, [sketch.portfolio()], rates=RATES)
    store = Store(folder)
    with store.lease() as found:
        yield found
    store.close()


@pytest.mark.parametrize("seldom", [0, 5_000])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ferry", ["N-1", "N-6", "N-5"]),  # those that begin with it first, then by name
        ("lane", ["N-2", "N-1"]),
        ("towerferry", []),  # the end of one name and the beginning of the next
        ("ry lane", ["N-1"]),
        ("rlane", []),
        ("königs", ["N-7"]),
        ("zz", []),
    ],
)
def test_letters_are_found_within_one_name(source, monkeypatch, text, expected, seldom):
    monkeypatch.setattr(search, "_SELDOM", seldom)
    found = [one.name for one in source.matches(text, 5) if one.kind == "property"]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("N-007", ["N-7"]),
        ("n-07", ["N-7"]),
        ("007", ["N-7"]),
        ("07", ["N-7"]),
        ("N-", ["N-0", "N-1", "N-2", "N-3", "N-4"]),
        ("-07", []),
        ("00", ["N-0"]),
        ("N-09", []),
    ],
)
def test_a_number_is_found_whatever_zeros_stand_before_its_digits(source, text, expected):
    assert [one.name for one in source.matches(text, 5) if one.kind == "loan"] == expected
    if expected and text != "N-":
        assert next(iter(source.near_loans(text, 3))) == expected[0]
