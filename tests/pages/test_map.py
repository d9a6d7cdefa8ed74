"""The Map page: points, cells, choice, view, what is sent, one map (D125, D126, D134, D135,
D260, D261, D270).
"""

import json

import pytest

from components.properties import deck, picture, screen
from services.contract.properties import PropertyFilter
from services.contract.vocabulary import SEVERITIES
from services.importers import demo
from services.store.leases import Store
from tests.pages.field_reading import filled
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import components, legend, links, said, sent_to, shown, tell
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


@pytest.mark.parametrize("layer", ["points", "hexagons"])
def test_the_legend_counts_what_is_drawn_in_each_colour(layer, opened):
    app = opened(layer=layer)
    classes = [one for name, one in drawn(app).items() if name.startswith("class")]
    said_of = [(kind, words.rpartition(" ")) for kind, _, words in legend(app)]
    assert [int(number.strip("()").replace(",", "")) for _, (_, _, number) in said_of] == [
        len(one["data"]) for one in classes
    ]
    hollow = [name for kind, (name, _, _) in said_of if kind == "swatch hollow"]
    apart = {"points": "defeased or nothing owed", "hexagons": "under 10 loans"}
    assert hollow == [apart[layer]]


@pytest.mark.parametrize("layer", ["points", "hexagons"])
@pytest.mark.parametrize("colour", ["severity", "type", "maturity"])
def test_nothing_of_a_source_is_evaluated_and_no_other_host_is_named(layer, colour, opened, asked):
    app = opened(layer=layer, colour=colour)
    (chart,) = app.get("deck_gl_json_chart")
    assert len(chart.proto.json) < MOST_BYTES
    spec = json.loads(chart.proto.json)
    assert spec["mapStyle"] == "__MAP_STYLE__"  # none: without the word a tile host is asked
    assert not spec.get("mapProvider")
    assert "http" not in chart.proto.json
    cards = [row[-1] for row in rows(app)]
    if layer == "points":
        assert all(card.startswith("\u200b") for card in cards)
        named = [one.property_name for one in asked.properties_found(PropertyFilter()).items]
        assert {name[:40] for name in named} <= {card.split("\n")[0][1:41] for card in cards}


@pytest.mark.parametrize("size", ["wide", "middle", "fine"])
def test_cells_are_those_of_the_store(size, opened, asked):
    app = opened(layer="hexagons", size=size, state="TX")
    found = asked.property_cells(PropertyFilter(state=("TX",)), size, 3_000)
    assert len(rows(app)) == len(found.cells)


def test_above_ten_thousand_properties_cells_come_first(opened, monkeypatch, asked):
    monkeypatch.setattr(screen, "MOST_POINTS", 200)
    app = opened()
    found = asked.property_cells(PropertyFilter(), "middle", 3_000)
    assert len(rows(app)) == len(found.cells)
    assert "cells first, points within the one" in said(app)
    cell = found.cells[0]
    assert len(rows(opened(cell=cell.cell))) == cell.properties


def test_ten_thousand_points_and_three_thousand_cells_are_small_enough():
    from services.contract.properties import PropertyCell

    one = {
        "longitude": -112.0741, "latitude": 33.4481, "dollars": 123_400_000, "grade": "critical",
        "property_type": "office", "maturity_year": 2027, "position": "source",
        "loan_number": "CA-1", "property_name": "The Corporate Center", "city": "San Francisco",
        "state": "CA", "dscr": 1.25,
    }  # fmt: skip
    whole = {name: [value] * screen.MOST_POINTS for name, value in one.items()}
    for colour in ("severity", "type", "maturity"):
        drawn = picture.points(whole, colour, 2026, centre=(-100.1234, 40.1234), dark=False)
        assert len(deck.deck(drawn, dark=False).to_json()) < MOST_BYTES
    cell = PropertyCell(
        cell="fine.-212.112", properties=12_345, loans=12_345, dollars=123_400_000_000,
        bad_dollars=12_300_000_000, longitude=-112.07, latitude=33.45,
    )  # fmt: skip
    cells = [cell] * 3_000
    drawn = picture.cells(cells, cell.cell, dark=False)
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
    assert addresses(app, "Properties") == [f"loan?loan_number={one.loan_number}"] * len(
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


@pytest.mark.parametrize("layer", ["points", "hexagons"])
def test_without_webgl_a_point_for_each_place_replaces_it(opened, asked, layer):
    app = opened(held={"webgl missing": True}, layer=layer, state="TX")
    assert not app.get("deck_gl_json_chart")
    (sent,) = sent_to(app, "atlas_places")
    found = [one for batch in asked.property_batches(PropertyFilter(state=("TX",)))
             for one in batch.to_pylist() if one["longitude"] is not None]  # fmt: skip
    assert found
    assert len(sent["points"]) == len({(one["longitude"], one["latitude"]) for one in found})
    assert any("has no WebGL" in shown(one.value) for one in app.info)


def test_alaska_and_hawaii_are_in_the_first_view(opened, asked):
    app = opened()
    assert asked.property_totals(PropertyFilter(state=("AK", "HI"))).positions["city"]
    points = asked.property_points(PropertyFilter(), 20_000).to_pylist()
    assert not any(-180 < one["longitude"] < -130 for one in points)
    assert "outside the first view" not in said(app)
    (chart,) = app.get("deck_gl_json_chart")
    view = json.loads(chart.proto.json)["initialViewState"]
    assert view["zoom"] > 3
    assert -100 < view["longitude"] < -90


TEXAS = "-107,25.8,-93.5,36.6"


def test_a_part_of_the_map_is_in_the_address_and_lists_what_is_drawn_in_it(opened, asked):
    app = opened(view=TEXAS)
    query = PropertyFilter(view=TEXAS)
    found = asked.properties_found(query)
    assert found.total == sum(
        -107 <= one["longitude"] <= -93.5 and 25.8 <= one["latitude"] <= 36.6
        for one in asked.property_points(PropertyFilter(), 20_000).to_pylist()
    )
    assert 0 < found.total < len(rows(app))
    assert f"{found.total} in view" in said(app)
    assert addresses(app, "Properties") == [
        f"loan?loan_number={one.loan_number}" for one in found.items
    ]
    (chart,) = app.get("deck_gl_json_chart")
    assert json.loads(chart.proto.json)["initialViewState"]["longitude"] == -100.25
    assert dict(app.query_params) == {"view": TEXAS}
    assert "Show all" in links(app)


@pytest.mark.parametrize(
    ("view", "why"),
    [
        ("-107,25.8,-93.5", "four degrees"),
        ("-93.5,25.8,-107,36.6", "in this order"),
        ("-107,25.8,-93.5,99", "at most 85 degrees"),
        ("-107,25.8,-93.5,nan", "view"),
        ("-107,here,-93.5,36", "view"),
    ],
)
def test_a_part_of_the_map_at_fault_is_a_sentence(view, why, opened):
    app = opened(view=view)
    assert not app.get("deck_gl_json_chart")
    assert any(why in shown(one.value) for one in app.error)


def moved(app, event, value):
    """The page after the browser has moved the map."""
    (one,) = components(app, "atlas_webgl")
    return tell(app, one, event, value)


def first_view(app):
    (chart,) = app.get("deck_gl_json_chart")
    return chart.proto.id, json.loads(chart.proto.json)["initialViewState"]


def test_a_map_that_is_moved_stays_as_it_is_and_changes_the_list(opened, asked):
    app = opened()
    begun = first_view(app)
    moved(app, "moved", TEXAS)
    assert dict(app.query_params) == {"view": TEXAS}
    assert first_view(app) == begun
    found = asked.properties_found(PropertyFilter(view=TEXAS))
    assert f"{found.total} in view" in said(app)
    for nonsense in ("here", [1, 2, 3, 4, 5], {"x": 1}, None, "9,9,9,9"):
        moved(app, "moved", nonsense)
        assert dict(app.query_params) == {"view": TEXAS}
    moved(app, "whole", True)
    assert not app.query_params
    assert first_view(app)[0] != begun[0]
    assert first_view(app)[1] == begun[1]


def test_another_result_shows_all_of_it(opened):
    app = opened(view=TEXAS)
    app = filled(app, "state", ["NY"])
    assert dict(app.query_params) == {"state": "NY"}
    longitude = first_view(app)[1]["longitude"]
    assert -80 < longitude < -71


@pytest.mark.parametrize("earlier", ["columns", "cities"])
def test_a_link_of_an_earlier_version_shows_hexagons(opened, earlier):
    app = opened(layer=earlier, state="TX")
    assert dict(app.query_params) == {"layer": "hexagons", "state": "TX"}


def test_properties_are_listed_the_worst_first(opened, asked):
    found = asked.properties_found(PropertyFilter(per_page=100)).items
    rank = [SEVERITIES.index(one.worst) if one.worst else -1 for one in found]
    assert rank == sorted(rank, reverse=True)
    worst = [one.dollars for one in found if one.worst == found[0].worst]
    assert worst == sorted(worst, reverse=True)
    assert [row["Property"] for row in ledgers(opened())["Properties"]] == [
        one.property_name or one.loan_number for one in found[:25]
    ]


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
