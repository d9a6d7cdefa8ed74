"""The Map page: points, cells, what is chosen, what is sent (D125, D126, D134, D135)."""

import json

import pytest

from components.properties import deck, picture, screen
from services.contract.properties import PropertyFilter
from services.importers import demo
from services.store.leases import Store
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import links, said, shown
from tests.publishing import load_once

#: A megabyte and a half: what a message to the browser may have.
MOST_BYTES = 1_500_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, [demo.portfolio(loans=400)])
    return folder


@pytest.fixture
def opened(visit, folder):
    def run(held=None, **params):
        return visit("pages/map.py", folder, params, held or {})

    return run


@pytest.fixture(scope="module")
def asked(folder):
    """An answer of the store."""
    store = Store(folder)
    with store.lease() as source:
        yield source
    store.close()


def drawn(app):
    """What deck.gl is sent: the layers by their id."""
    (chart,) = app.get("deck_gl_json_chart")
    spec = json.loads(chart.proto.json)
    return {layer["id"]: layer for layer in spec["layers"]}


def rows(app):
    """What stands on the map, of all classes."""
    layers = drawn(app).items()
    return [row for name, layer in layers if name.startswith("class") for row in layer["data"]]


def test_every_property_is_a_point(opened, asked):
    app = opened()
    totals = asked.property_totals(PropertyFilter())
    assert len(rows(app)) == totals.properties - totals.positions["none"]
    assert f"{totals.positions['zip']} by ZIP, {totals.positions['city']} by city" in said(app)
    assert len(ledgers(app)["Properties"]) == 25


@pytest.mark.parametrize("layer", ["points", "hexagons", "columns"])
@pytest.mark.parametrize("colour", ["severity", "type", "maturity"])
def test_nothing_of_a_source_and_nobody_is_named_to_the_map(layer, colour, opened, asked):
    app = opened(layer=layer, colour=colour)
    (chart,) = app.get("deck_gl_json_chart")
    assert len(chart.proto.json) < MOST_BYTES
    spec = json.loads(chart.proto.json)
    assert spec["mapStyle"] == "__MAP_STYLE__"  # none: without the word a tile host is asked
    assert not spec.get("mapProvider")
    assert "http" not in chart.proto.json
    names = {one.property_name for one in asked.properties_found(PropertyFilter()).items}
    assert not any(name in chart.proto.json for name in names)


@pytest.mark.parametrize("layer", ["hexagons", "columns"])
@pytest.mark.parametrize("size", ["wide", "middle", "fine"])
def test_cells_are_those_of_the_store(layer, size, opened, asked):
    app = opened(layer=layer, size=size, state="TX")
    found = asked.property_cells(PropertyFilter(state=("TX",)), size, 3_000)
    assert len(rows(app)) == len(found.cells)


def test_above_twenty_thousand_properties_cells_come_first(opened, monkeypatch, asked):
    monkeypatch.setattr(screen, "MOST_POINTS", 200)
    app = opened()
    found = asked.property_cells(PropertyFilter(), "middle", 3_000)
    assert len(rows(app)) == len(found.cells)
    assert "cells first, points within the one" in said(app)
    cell = found.cells[0]
    assert len(rows(opened(cell=cell.cell))) == cell.properties


def test_twenty_thousand_points_and_three_thousand_cells_are_small_enough():
    from services.contract.properties import PropertyCell

    one = {
        "longitude": -112.0741, "latitude": 33.4481, "dollars": 123_400_000, "worst": "critical",
        "property_type": "office", "maturity_year": 2027, "position": "source",
        "loan_number": "CA-1",
    }  # fmt: skip
    whole = {name: [value] * 20_000 for name, value in one.items()}
    for colour in ("severity", "type", "maturity"):
        drawn = picture.points(whole, colour, 2026, centre=(-100.1234, 40.1234), dark=False)
        assert len(deck.deck(drawn, dark=False).to_json()) < MOST_BYTES
    cell = PropertyCell(
        cell="fine.-212.112", properties=12_345, loans=12_345, dollars=123_400_000_000,
        bad_dollars=12_300_000_000, longitude=-112.07, latitude=33.45,
    )  # fmt: skip
    cells = [cell] * 3_000
    for slender in (False, True):
        drawn = picture.cells(cells, cell.cell, slender=slender, dark=False)
        assert len(deck.deck(drawn, dark=False).to_json()) < MOST_BYTES


def test_a_chosen_cell_lists_its_properties_and_leads_back(opened, asked):
    cell = asked.property_cells(PropertyFilter(), "wide", 3_000).cells[0]
    app = opened(layer="hexagons", size="wide", cell=cell.cell)
    assert f": {cell.properties}" in said(app)
    found = asked.properties_found(PropertyFilter(cell=cell.cell))
    assert addresses(app, "Properties") == [
        f"loan?loan_number={one.loan_number}" for one in found.items
    ]
    assert "chosen" in drawn(app)
    assert "All loans, around" in said(opened(cell=cell.cell))
    assert "Show all" in links(app)


def test_a_chosen_loan_has_a_ring_and_its_properties_below(opened, asked):
    one = asked.properties_found(PropertyFilter()).items[0]
    app = opened(loan=one.loan_number)
    assert [row["Loan"] for row in ledgers(app)["Properties"]] == [one.loan_number] * len(
        drawn(app)["chosen"]["data"]
    )


def test_a_choice_beyond_the_result_says_so(opened):
    app = opened(loan="no such loan")
    assert "No property of this result is there" in said(app)


def test_a_click_is_believed_only_of_what_is_drawn():
    offered = [["CA-1", "CA-2"], ["CA-3"]]

    def clicked(layer, at):
        return screen.clicked({"selection": {"indices": {layer: [at]}}}, offered)

    assert clicked("class-0", 1) == "CA-2"
    assert clicked("class-1", 0) == "CA-3"
    for layer, at in (("class-0", 2), ("class-0", -1), ("class-0", "1"), ("land", 0)):
        assert clicked(layer, at) is None


def test_the_table_of_cells_is_a_way_to_each(opened, asked):
    found = asked.property_cells(PropertyFilter(), "middle", 3_000)
    app = opened(held={"cells_as_table": True}, layer="hexagons")
    assert addresses(app, "Cells of the map") == [
        f"map?layer=hexagons&cell={one.cell}" for one in found.cells[:25]
    ] or set(addresses(app, "Cells of the map")) == {
        f"map?cell={one.cell}&layer=hexagons" for one in found.cells[:25]
    }


def test_without_webgl_cities_stand_in_its_place(opened):
    app = opened(held={"webgl missing": True})
    assert not app.get("deck_gl_json_chart")
    assert any("has no WebGL" in shown(one.value) for one in app.info)


def test_what_lies_far_off_is_counted_beside_the_map(opened, asked):
    app = opened()
    points = asked.property_points(PropertyFilter(), 20_000).to_pylist()
    assert any(one["longitude"] < -130 for one in points)
    assert "outside the first view" in said(app)
    (chart,) = app.get("deck_gl_json_chart")
    view = json.loads(chart.proto.json)["initialViewState"]
    assert view["zoom"] > 3
    assert -100 < view["longitude"] < -90


@pytest.mark.usefixtures("visited_before")
@pytest.mark.parametrize(("form", "head"), [("png", b"\x89PNG"), ("svg", b"<svg")])
def test_the_map_is_taken_away_as_a_picture(form, head, opened, pressed):
    app = opened(layer="hexagons", state="TX")
    assert not app.exception
    assert pressed[f"credit-atlas-map.{form}"]().startswith(head)


def test_nothing_matches(opened):
    app = opened(state="GU")
    assert "No results. Loans in Guam: none." in said(app)
    assert not app.get("deck_gl_json_chart")
