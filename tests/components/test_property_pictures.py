"""Pictures of properties: first view, what deck.gl and paper get (D133, D134, D135, D260, D261)."""

import json
import re
from xml.etree import ElementTree as ET

import pytest

from components.kit.typesetting import typeset
from components.properties import base, deck, paper, picture
from services.contract.cells import on_map
from services.contract.insets import drawn
from services.contract.properties import PropertyCell
from tests.hostile import WORDS

NEW_YORK, BOSTON, PHILADELPHIA = (-74.0, 40.7), (-71.1, 42.4), (-75.2, 40.0)
HONOLULU, ANCHORAGE, GUAM = (-157.9, 21.3), (-149.9, 61.2), (144.8, 13.5)
EAST = [NEW_YORK, BOSTON, PHILADELPHIA]


def fitted(places, **more):
    return base.fit(*zip(*places, strict=True), **more)


def seen(fit, place):
    """Whether a place lies in a first view, by its width alone."""
    return abs(place[0] - fit.longitude) <= fit.size[0] / 2 * 360 / (512 * 2**fit.zoom)


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
    assert fit.size[0] / base.scale(fit.zoom) == pytest.approx(6.0, rel=0.01)


def test_cells_weigh_as_many_as_lie_in_them():
    assert fitted([*EAST, HONOLULU], weights=[30, 30, 30, 4]).outside == 4
    assert fitted([*EAST, HONOLULU], weights=[1, 1, 1, 90]).outside == 3


def test_a_narrow_page_shows_the_same_places():
    narrow = fitted(EAST, size=base.NARROW)
    assert narrow.zoom < fitted(EAST).zoom
    assert all(seen(narrow, one) for one in EAST)


@pytest.mark.parametrize("size", [base.WIDE, base.NARROW], ids=str)
@pytest.mark.parametrize("view", [(-98.3, 31.7, -97.7, 37.6), (-124.0, 30.0, -70.0, 45.0)], ids=str)
def test_a_part_of_the_map_that_was_asked_for_is_shown_whole(view, size):
    fit = fitted(EAST, view=view, size=size)
    west, south, east, north = view
    assert seen(fit, (west, south))
    assert seen(fit, (east, north))
    high = 2 * (on_map(north) - on_map(fit.latitude)) * base.scale(fit.zoom)
    assert high <= size[1] + 1
    assert max(high / size[1], (east - west) * base.scale(fit.zoom) / size[0]) > 0.98
    assert fit.outside == 0


def test_alaska_and_hawaii_are_drawn_below_the_west():
    assert drawn(-96.6, 38.2) == (-96.6, 38.2)
    for far in (ANCHORAGE, HONOLULU, (179.5, 51.5)):
        longitude, latitude = drawn(*far)
        assert -126 < longitude < -104
        assert 21 < latitude < 30.5
    # By hand: a fifth of 10 degrees of longitude.
    assert drawn(-140.0, 61.2)[0] - drawn(-150.0, 61.2)[0] == pytest.approx(2.0)
    assert drawn(-156.0, 20.0)[0] - drawn(-157.0, 20.0)[0] == pytest.approx(1.0)
    assert drawn(*GUAM) == GUAM
    drawing = picture.cells([cell("wide.-82.12", 9, 0)], None, dark=False)
    corners = layers(drawing)["class-0"]["data"][0][0]
    assert all(-114 < x < -103 for x, _ in corners)


def test_no_places_show_the_mainland():
    assert base.fit([], []).longitude == -96.6


def rows(**more):
    found = {
        "longitude": [-74.0, -71.1, -75.2],
        "latitude": [40.7, 42.4, 40.0],
        "dollars": [9_000_000, 1_000_000, 0],
        "grade": ["critical", "none", "@@odd"],
        "property_type": ["office", "@@office", None],
        "maturity_year": [2027, None, 2031],
        "position": ["zip", "city", "zip"],
        "loan_number": ["A", "B", "C"],
        "property_name": ["@@=evil", None, "Long " * 20],
        "city": ["New York", "Boston", None],
        "state": ["NY", "MA", None],
        "dscr": [0.364, None, 1.25],
    }
    return {**found, **more}


def layers(drawn):
    return {one["id"]: one for one in json.loads(deck.deck(drawn, dark=False).to_json())["layers"]}


def test_a_point_is_a_place_a_radius_and_a_card_that_deck_gl_does_not_evaluate():
    drawn = picture.points(rows(), "severity", 2026, dark=False)
    sent = layers(drawn)
    assert [one.label for one in drawn.classes] == ["no signal", "unranked", "⬢ critical"]
    assert sent["class-2"]["data"] == [
        [-74.0, 40.7, 14, "\u200b@@=evil\nA, New York, NY\n$9.0M, DSCR 0.36x\n⬢ critical, by ZIP"]
    ]
    assert sent["class-0"]["data"] == [
        [-71.1, 42.4, 7, "\u200bB\nBoston, MA\n$1.0M, DSCR —\nno signal, by city"]
    ]
    assert sent["class-1"]["data"] == [
        [-75.2, 40.0, 3, f"\u200b{('Long ' * 20)[:60]}…\nC\n$0, DSCR 1.25x\nunranked, by ZIP"]
    ]


def test_the_worst_have_all_of_their_colour_and_the_mild_do_not_cover_the_land():
    worst = [None, "low", "moderate", "elevated", "severe", "critical"]
    places = {"longitude": [-74.0] * 6, "latitude": [40.7] * 6, "dollars": [1] * 6}
    texts = ("position", "loan_number", "property_name", "city", "state", "property_type")
    every = dict.fromkeys(texts, ["zip"] * 6) | dict.fromkeys(("maturity_year", "dscr"), [1] * 6)
    sent = layers(picture.points(every | places | {"grade": worst}, "severity", 2026, dark=False))
    strong = [
        (one.get("getFillColor") or one["getColor"])[3]
        for one in (sent[f"class-{at}"] for at in range(6))
    ]
    assert strong == sorted(strong)
    assert (strong[0] < 50, strong[3] < 160, strong[4] > 200) == (True, True, True)


def test_a_severity_is_a_shape_too():
    sent = layers(picture.points(rows(), "severity", 2026, dark=False))
    assert [sent[f"class-{at}"]["@@type"] for at in (0, 1, 2)] == [
        "ScatterplotLayer", "ScatterplotLayer", "TextLayer",
    ]  # fmt: skip
    assert (sent["class-2"]["getText"], sent["class-2"]["characterSet"]) == ("@@=('⬢')", "⬢")


def test_the_marks_of_many_and_of_a_narrow_page_are_smaller():
    def largest(times, size=base.WIDE):
        every = {name: column * times for name, column in rows().items()}
        return max(picture.points(every, "type", 2026, dark=False, size=size).radii())

    assert (largest(333), largest(334), largest(1, base.NARROW)) == (14, 9, 6)


def test_states_lie_under_the_marks_and_cities_over_them():
    sent = json.loads(deck.deck(picture.points(rows(), "severity", 2026, dark=False), dark=True)
                      .to_json())["layers"]  # fmt: skip
    listed = [one["id"] for one in sent]
    assert (listed[:2], listed[-1]) == (["land", "states"], "cities")
    named = {one[2]: one[:2] for one in sent[1]["data"]}
    assert len(named) >= 51
    assert named["CO"] == pytest.approx([-105.5, 39.0], abs=0.6)
    assert named["AK"][1] < 30
    cities = {one[2]: one[:2] for one in sent[-1]["data"]}
    assert len(cities) == len(base._CITIES) == 40
    assert cities["Denver"] == pytest.approx([-104.99, 39.74], abs=0.1)


def test_arcs_lead_from_the_centre_to_the_largest(monkeypatch):
    monkeypatch.setattr(picture, "MOST_ARCS", 2)
    worst_first = {name: column[::-1] for name, column in rows().items()}
    sent = layers(picture.points(worst_first, "severity", 2026, centre=(-73.0, 41.0), dark=False))
    assert sent["arcs"]["data"] == [[-74.0, 40.7], [-71.1, 42.4]]
    assert sent["arcs"]["getSourcePosition"] == [-73.0, 41.0]
    assert sent["centre"]["data"] == [[-73.0, 41.0]]
    assert "arcs" not in layers(picture.points(rows(), "severity", 2026, dark=False))


def cell(name, loans, bad):
    return PropertyCell(cell=name, properties=loans, loans=loans, dollars=100, bad_dollars=bad,
                        longitude=-74.0, latitude=40.7)  # fmt: skip


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_cell_of_few_loans_is_told_from_one_without_a_bad_dollar_by_its_edges(dark):
    cells = [cell("wide.-32.20", 9, 0), cell("wide.-33.20", 10, 0)]
    few, none = picture.cells(cells, None, dark=dark).classes
    assert (few.label, few.hollow, none.hollow) == ("under 10 loans", True, False)
    sent = layers(picture.cells(cells, None, dark=dark))
    assert [sent[f"class-{at}"]["getFillColor"][3] for at in (0, 1)] == [36, 235]
    drawing = paper.svg(picture.cells(cells, None, dark=False))
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
        assert (f"{400 + (place[0] - drawn.fit.longitude) * scale:.1f}", radius) in circles
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
