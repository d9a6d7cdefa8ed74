"""Pictures of properties: the first view, what deck.gl and paper are given (D133 to D135)."""

import json
import re
from xml.etree import ElementTree as ET

import pytest

from components.kit.formatting import money
from components.kit.typesetting import typeset
from components.properties import base, deck, paper, picture
from services.contract.properties import PropertyCell
from tests.hostile import WORDS

NEW_YORK, BOSTON, PHILADELPHIA = (-74.0, 40.7), (-71.1, 42.4), (-75.2, 40.0)
HONOLULU, ANCHORAGE, GUAM = (-157.9, 21.3), (-149.9, 61.2), (144.8, 13.5)
EAST = [NEW_YORK, BOSTON, PHILADELPHIA]


def fitted(places, **more):
    return base.fit(*zip(*places, strict=True), **more)


def seen(fit, place):
    """Whether a place lies in a first view, by its width alone."""
    return abs(place[0] - fit.longitude) <= fit.width / 2 * 360 / (512 * 2**fit.zoom)


@pytest.mark.parametrize("far", [HONOLULU, ANCHORAGE, GUAM, (-118.2, 34.1)], ids=str)
def test_one_far_off_point_does_not_pull_the_view_away(far):
    fit = fitted([*EAST, far])
    assert fit.outside == 1
    assert all(seen(fit, one) for one in EAST)
    assert -76 < fit.longitude < -70
    assert fit.zoom > 5


def test_two_of_forty_may_lie_outside_and_three_may_not():
    assert fitted([*EAST * 13, HONOLULU, ANCHORAGE]).outside == 2
    mainland = fitted([*EAST * 13, *[HONOLULU] * 3])
    assert (mainland.longitude, mainland.outside) == (-96.6, 3)


def test_what_is_as_near_as_the_rest_is_never_left_out():
    coast = [(-118.2, 34.1)] * 9 + [NEW_YORK] * 9
    assert fitted(coast).outside == 0
    assert all(seen(fitted(coast), one) for one in coast)
    assert fitted([NEW_YORK, (-73.5, 40.9), (-74.1, 40.6), (-74.2, 40.7)]).outside == 0


def test_a_single_place_is_shown_with_the_state_around_it():
    fit = fitted([NEW_YORK])
    assert (fit.longitude, fit.latitude, fit.outside) == (-74.0, 40.7, 0)
    assert fit.span == pytest.approx(6.0, rel=0.01)


def test_cells_weigh_as_many_as_lie_in_them():
    assert fitted([*EAST, HONOLULU], weights=[30, 30, 30, 4]).outside == 4
    assert fitted([*EAST, HONOLULU], weights=[1, 1, 1, 90]).outside == 3


def test_a_narrow_page_shows_the_same_places():
    narrow = fitted(EAST, width=360)
    assert narrow.zoom < fitted(EAST).zoom
    assert all(seen(narrow, one) for one in EAST)


def test_no_places_show_the_mainland():
    assert base.fit([], []).longitude == -96.6


AMOUNTS = [
    *(0, 1, 12, 999, 1_000, 1_499, 1_500, 999_499, 999_500, 1_049_999, 1_050_000, 12_345_678),
    *(999_949_999, 999_950_000, 1_004_999_999, 1_005_000_000, 98_765_432_100, -4_250_000),
]


def test_amounts_are_written_as_everywhere():
    assert deck._money(AMOUNTS) == [money(one) for one in AMOUNTS]
    assert deck._money([]) == []


def rows(**more):
    found = {
        "longitude": [-74.0, -71.1, -75.2],
        "latitude": [40.7, 42.4, 40.0],
        "dollars": [9_000_000, 1_000_000, 0],
        "worst": ["critical", None, "@@odd"],
        "property_type": ["office", "@@office", None],
        "maturity_year": [2027, None, 2031],
        "position": ["zip", "city", "zip"],
        "loan_number": ["A", "B", "C"],
    }
    return {**found, **more}


def layers(drawn):
    return {one["id"]: one for one in json.loads(deck.deck(drawn, dark=False).to_json())["layers"]}


def test_a_point_is_a_place_a_radius_and_words_of_ours():
    drawn = picture.points(rows(), "severity", 2026, dark=False)
    sent = layers(drawn)
    assert [one.label for one in drawn.classes] == ["no signal", "unranked", "⬢ critical"]
    assert sent["class-2"]["data"] == [[-74.0, 40.7, 14, "$9.0M", "critical, by ZIP"]]
    assert sent["class-0"]["data"] == [[-71.1, 42.4, 7, "$1.0M", "no signal, by city"]]
    assert sent["class-1"]["data"] == [[-75.2, 40.0, 3, "$0", "unranked, by ZIP"]]


def test_arcs_lead_from_the_centre_to_the_largest(monkeypatch):
    monkeypatch.setattr(deck, "MOST_ARCS", 2)
    sent = layers(picture.points(rows(), "severity", 2026, centre=(-73.0, 41.0), dark=False))
    assert sent["arcs"]["data"] == [[-74.0, 40.7], [-71.1, 42.4]]
    assert sent["arcs"]["getSourcePosition"] == [-73.0, 41.0]
    assert sent["centre"]["data"] == [[-73.0, 41.0]]
    assert "arcs" not in layers(picture.points(rows(), "severity", 2026, dark=False))


def cell(name, loans, bad):
    return PropertyCell(cell=name, properties=loans, loans=loans, dollars=100, bad_dollars=bad,
                        longitude=-74.0, latitude=40.7)  # fmt: skip


@pytest.mark.parametrize("slender", [False, True], ids=["hexagons", "columns"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_cell_of_few_loans_is_told_from_one_without_a_bad_dollar_by_its_edges(slender, dark):
    cells = [cell("wide.-32.20", 9, 0), cell("wide.-33.20", 10, 0)]
    few, none = picture.cells(cells, None, slender=slender, dark=dark).classes
    assert (few.label, few.hollow, none.hollow) == ("under 10 loans", True, False)
    sent = layers(picture.cells(cells, None, slender=slender, dark=dark))
    assert [sent[f"class-{at}"]["wireframe"] for at in (0, 1)] == [True, False]
    assert [sent[f"class-{at}"]["getFillColor"][3] for at in (0, 1)] == [36, 235]
    drawing = paper.svg(picture.cells(cells, None, slender=slender, dark=False))
    assert drawing.count("stroke-dasharray") == 1
    assert 'fill="none"' in re.search(r"<path[^>]*dasharray[^>]*>", drawing)[0]


SVG = "{http://www.w3.org/2000/svg}"


def test_paper_has_each_property_where_it_lies():
    drawn = picture.points(rows(), "severity", 2026, "B", (-73.0, 41.0), dark=False)
    sheet = ET.fromstring(paper.svg(drawn))  # noqa: S314 - ours
    # Half a sheet right of the middle for each half of its degrees, by hand.
    scale = 512 * 2**drawn.fit.zoom / 360
    circles = {(one.get("cx"), one.get("r")) for one in sheet.iter(f"{SVG}circle")}
    for place, radius in (((-71.1, 42.4), "7"), ((-75.2, 40.0), "3"), ((-71.1, 42.4), "18")):
        assert (f"{450 + (place[0] - drawn.fit.longitude) * scale:.1f}", radius) in circles
    arcs = [one for one in sheet.iter(f"{SVG}path") if one.get("stroke-width") == "0.8"]
    assert len(arcs) == 3
    assert {one.tag for one in sheet.iter()} == {f"{SVG}svg", f"{SVG}path", f"{SVG}circle"}
    assert [one["label"] for one in paper.legend(drawn)] == [
        "no signal (1)",
        "unranked (1)",
        "⬢ critical (1)",
    ]


@pytest.mark.parametrize("form", ["png", "svg"])
def test_hostile_words_are_set_as_words(form):
    drawn = picture.points(rows(), "severity", 2026, dark=False)
    words = " ".join(WORDS)
    data = {"title": words, "shown": words, "map": paper.svg(drawn), "note": words, "as_of": words,
            "legend": [{**one, "label": words} for one in paper.legend(drawn)],
            "source": words}  # fmt: skip
    made = typeset("map.typ", data, form)
    if form == "png":
        assert made.startswith(b"\x89PNG")
    else:
        tags = {one.tag.removeprefix(SVG) for one in ET.fromstring(made).iter()}  # noqa: S314 - Typst's
        assert tags <= {"svg", "g", "path", "symbol", "use", "image", "defs", "rect", "clipPath",
                        "style"}  # fmt: skip
        assert b"<script" not in made
