"""The map on Family and Loan: closed until it is asked for, then with arcs (D133)."""

import json

import pytest

from services.contract.families import FamilyFilter
from services.contract.properties import PropertyFilter
from services.importers import demo
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import said, shown
from tests.publishing import load_once


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, [demo.portfolio(loans=400)])
    return folder


@pytest.fixture(scope="module")
def head(source):
    """The sponsor with the largest family."""
    return source.families(FamilyFilter()).items[0].entity_name


@pytest.fixture
def family(visit, folder, head):
    def run(held=None, **params):
        return visit("pages/family.py", folder, {"entity_name": head, **params}, held or {})

    return run


def layers(app):
    (chart,) = app.get("deck_gl_json_chart")
    return {layer["id"]: layer for layer in json.loads(chart.proto.json)["layers"]}


def points(app):
    return [row for name, one in layers(app).items() if name.startswith("class")
            for row in one["data"]]  # fmt: skip


def test_a_closed_map_is_not_on_the_page(family, visit, folder):
    for app in (family(), visit("pages/loan.py", folder, {"loan_number": "CA-000012"})):
        assert not app.get("deck_gl_json_chart")
        assert "on_map" not in app.query_params


def test_a_family_has_arcs_from_the_middle_of_its_properties(family, source, head):
    app = family(on_map="yes")
    found = source.property_points(PropertyFilter(family=head), 20_000).to_pylist()
    places = {(round(one["longitude"], 3), round(one["latitude"], 3)) for one in found}
    assert len(points(app)) == len(found) > 5
    drawn = layers(app)
    assert {tuple(row) for row in drawn["arcs"]["data"]} == places
    middle = source.property_middle(PropertyFilter(family=head))
    assert drawn["arcs"]["getSourcePosition"] == [round(part, 3) for part in middle]
    assert "Arcs begin at the middle of its properties, weighted by book value" in said(app)


def test_the_table_of_a_family_is_its_properties(family, source, head):
    app = family({"properties_as_table": True}, on_map="yes")
    query = PropertyFilter(family=head)
    assert addresses(app, "Properties") == [
        f"loan?loan_number={one.loan_number}" for one in source.properties_found(query).items
    ]
    assert dict(app.query_params) == {"entity_name": head, "on_map": "yes"}


@pytest.mark.parametrize("several", [False, True], ids=["one property", "several"])
def test_a_loan_shows_its_own_properties(several, visit, folder, source):
    every = source.property_points(PropertyFilter(), 20_000).column("loan_number").to_pylist()
    number = next(one for one in every if (every.count(one) > 1) == several)
    app = visit("pages/loan.py", folder, {"loan_number": number, "on_map": "yes"})
    assert len(points(app)) == every.count(number)
    assert "arcs" not in layers(app)
    assert dict(app.query_params) == {"loan_number": number, "on_map": "yes"}


def test_without_webgl_places_and_the_table_replace_it(family):
    app = family({"webgl missing": True, "properties_as_table": True}, on_map="yes")
    assert not app.get("deck_gl_json_chart")
    assert any("has no WebGL" in shown(one.value) for one in app.info)
    assert len(ledgers(app)["Properties"]) > 5
