"""Frames of properties are those of the page Map, with how positions are known
(D130, D132, D241).
"""

import pytest

from services.contract.errors import InvalidRequest, MirrorMissing
from services.contract.paging import every
from services.contract.properties import POSITION_KINDS, PropertyFilter
from services.frames import Atlas
from services.importers import demo
from services.places import gazetteer
from services.sources import StoreWorkspace
from services.store.leases import Store
from tests.frames.plain import rows
from tests.publishing import load_once

QUERIES = [
    {},
    {"state": ["TX", "CA"]},
    {"property_type": "office", "min_balance": 10_000_000},
    {"loan": "A-1"},
    {"state": "WY", "min_dscr": 99},
]


@pytest.fixture(scope="module")
def made_up(tmp_path_factory):
    folder = tmp_path_factory.mktemp("frames-properties")
    load_once(folder, [demo.portfolio(loans=400)])
    with Atlas(StoreWorkspace(Store(folder))) as atlas:
        yield atlas


@pytest.mark.parametrize("asked", QUERIES, ids=str)
def test_properties_are_those_of_the_map_in_its_order(snapshot, asked):
    query = PropertyFilter.model_validate(asked)
    frame = snapshot.atlas.properties(**asked)
    found = [one.model_dump() for one in every(snapshot.analytics.properties_found, query)]
    assert rows(frame.drop(columns=["longitude", "latitude"])) == found
    totals = snapshot.analytics.property_totals(query)
    assert frame.attrs["positions"] == totals.positions
    assert (len(frame), frame["dollars"].sum()) == (totals.properties, totals.dollars)


def test_a_position_is_that_of_its_zip_else_of_its_city(made_up):
    frame = made_up.properties()
    kinds = frame["position"].value_counts().to_dict()
    assert kinds["zip"] > 200
    assert {kind: kinds.get(kind, 0) for kind in POSITION_KINDS} == frame.attrs["positions"]
    for row in rows(frame):
        by = {
            "zip": lambda row=row: gazetteer.zip_code(row["zip"], row["state"]),
            "city": lambda row=row: gazetteer.city(row["city"], row["state"]),
            "none": lambda: (None, None),
        }[row["position"]]
        assert (row["latitude"], row["longitude"]) == tuple(by())


def test_a_cell_holds_the_properties_within_it(made_up):
    query = PropertyFilter()
    with made_up._reading() as reading:
        largest = reading.figures.property_cells(query, "middle", 1).cells[0]
    frame = made_up.properties(cell=largest.cell)
    assert (len(frame), frame["dollars"].sum()) == (largest.properties, largest.dollars)
    assert frame["longitude"].mean() == pytest.approx(largest.longitude)


def test_the_kind_of_a_position_is_ordered_and_degrees_are_said(made_up):
    frame = made_up.properties()
    assert frame["position"].cat.categories.tolist() == ["none", "city", "zip", "source"]
    known = frame[frame["position"] >= "city"]
    assert known["longitude"].notna().all()
    assert frame.attrs["units"] == {
        "value": "US dollars", "dollars": "US dollars", "longitude": "degrees",
        "latitude": "degrees",
    }  # fmt: skip
    assert [str(one) for one in frame[["dollars", "maturity_year", "latitude"]].dtypes] == [
        "Int64", "Int64", "Float64",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"order": "-dscr"}, "one order: the worst first"),
        ({"cell": "here"}, "name of a cell"),
        ({"cells": "x"}, "did you mean 'cell'"),
        ({"page": 2}, "no 'page'"),
    ],
    ids=str,
)
def test_a_question_at_fault_is_a_sentence(snapshot, asked, said):
    with pytest.raises(InvalidRequest, match=said):
        snapshot.atlas.properties(**asked)


def test_an_api_without_a_mirror_says_that_it_lists_none(live):
    with pytest.raises(MirrorMissing, match="fill the mirror"):
        live.atlas.properties(state="TX")
