"""Maps: classes with their ends, states of few loans, cities where they lie;
darker is worse (D253).
"""

import re
from itertools import accumulate
from urllib.parse import parse_qs

import pytest

from components.frame import loan_names
from components.frame.routes import SIGNALS
from components.maps import places, points
from components.maps.bins import FEW, MEASURES, RAMP, part
from components.maps.projection import outline, place
from components.maps.states import outline_of, sent
from services.contract.aggregates import StateSignals
from services.contract.vocabulary import SEVERITIES
from services.places import gazetteer


def state(code, *, loans=20, behind=5, dollars=100, of=1_000):
    return StateSignals(
        state=code,
        signals=behind,
        loans=behind,
        book_value=dollars,
        dollars_short=0,
        of_loans=loans,
        of_book_value=of,
    )


@pytest.mark.parametrize(
    ("measure", "value", "expected"),
    [
        ("share", 0, None),
        ("share", None, None),
        ("share", 4.99, 0),
        ("share", 5, 1),
        ("share", 29.9, 3),
        ("share", 30, 4),
        ("dollars", 9_999_999, 0),
        ("dollars", 2_000_000_000, 4),
        ("short", 25_000_000, 2),
        ("loans", 49, 3),
    ],
)
def test_a_figure_falls_into_a_fixed_class_whose_lower_end_counts(measure, value, expected):
    assert MEASURES[measure].bin(value) == expected


def test_classes_say_their_ends():
    assert MEASURES["share"].labels() == [
        "under 5%", "5% to 10%", "10% to 20%", "20% to 30%", "30% or more",
    ]  # fmt: skip


def test_a_share_is_of_the_loans_that_meet_the_same_conditions():
    assert part(state("TX", dollars=150, of=600)) == 25
    assert part(state("TX", dollars=0, of=0)) is None


def drawn(states, chosen=(), measure="share", *, dark=False):
    """What the browser is sent of a map, and its states by code."""
    opens = (SIGNALS, {"severity": "critical"})
    found = sent(states, MEASURES[measure], chosen, opens, "Map", dark=dark)
    return found, {one["code"]: one for one in found["states"]}


def test_the_map_has_every_state_and_dc_and_says_what_is_in_each():
    found, states = drawn([state("TX", loans=FEW, dollars=60, of=600), state("PR", loans=9)])
    assert len(states) == 51
    assert "PR" not in states
    texas = states["TX"]
    assert texas["said"][:2] == ["Texas", f"5 of {FEW} loans"]
    assert texas["said"][2].startswith("$60, 10.0% of the book value")
    assert texas["colour"] == RAMP[2]  # 10 to 20 %: its lower end counts
    assert texas["href"] == "signals?severity=critical&state=TX"
    assert states["CA"]["said"] == ["California", "no loan"]
    labels = [one["label"] for one in found["legend"]]
    assert labels[:6] == [*MEASURES["share"].labels(), "none"]
    assert labels[6:] == ["no loan"]


def test_a_chosen_state_is_marked_and_its_link_lets_go_of_it():
    _, states = drawn([state("TX"), state("NY")], ("TX",))
    assert [states[code]["chosen"] for code in ("TX", "NY")] == [True, False]
    assert states["TX"]["href"] == "signals?severity=critical"


def test_states_of_few_loans_are_hatched_and_the_others_are_not():
    found, states = drawn(
        [state("TX", loans=FEW), state("RI", loans=FEW - 1), state("WY", loans=0)]
    )
    assert [code for code, one in states.items() if one["few"]] == ["RI"]
    assert found["legend"][-1]["hatched"]
    assert not states["RI"]["label"]  # its lines would run through the letters


@pytest.mark.parametrize("dark", [False, True])
def test_words_and_lines_show_on_dark_and_on_light_ground(dark):
    """At least 4.5 to 1, as WCAG asks of small letters."""
    states = [state("TX", loans=20, dollars=part, of=100) for part in (1, 7, 15, 25, 60)]
    for one in (*states, state("TX", loans=20, behind=0, dollars=0, of=100)):
        texas = drawn([one], dark=dark)[1]["TX"]
        assert contrast(texas["ink"], texas["colour"]) >= 4.5, texas["colour"]


def contrast(one, other):
    """Of two colours, by WCAG 2."""

    def light(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def rings(path):
    """The corners of each ring of an outline, which is written in steps from the first."""
    found = re.findall(r"M([^Mlz]+)l([^Mlz]+)z", path)
    assert "".join(f"M{start}l{steps}z" for start, steps in found) == path
    for start, steps in found:
        along = [tuple(map(float, one.split(","))) for one in (start, *steps.split())]
        yield list(accumulate(along, lambda at, step: (at[0] + step[0], at[1] + step[1])))


def test_an_outline_leads_from_corner_to_corner_and_back():
    """A degree of the plains, with a corner that lies within a tenth of another one."""
    square = [(-97.0, 38.0), (-96.0, 38.0), (-96.0, 38.00001), (-96.0, 39.0), (-97.0, 38.0)]
    shape = {"type": "Polygon", "coordinates": [square]}
    (corners,) = rings(outline("KS", shape, 960).path)
    exact = [place("KS", *point, 960) for point in (*square[:2], *square[3:])]
    assert len(corners) == 4
    for at, (x, y) in zip(corners, exact, strict=True):
        assert at == pytest.approx((x, y), abs=0.051)


def test_states_lie_on_the_map_where_they_lie_on_the_earth():
    found, states = drawn([])
    at = {code: (one["x"], one["y"]) for code, one in states.items()}
    assert at["WA"][1] < at["OR"][1] < at["CA"][1]
    assert at["NV"][0] < at["UT"][0] < at["CO"][0] < at["KS"][0] < at["MO"][0]
    assert at["ME"][0] > at["NY"][0] > at["OH"][0]
    # Alaska and Hawaii are insets below the south-west.
    assert at["AK"][0] < at["HI"][0] < at["TX"][0]
    assert min(at["AK"][1], at["HI"][1]) > at["AZ"][1]
    for code, one in states.items():
        places = [place for ring in rings(one["outline"]) for place in ring]
        assert len(places) > 3, code
        assert all(0 <= x <= found["width"] and 0 <= y <= found["height"] for x, y in places), code


def city(name, code, dollars=100, worst=None, href="loan?loan_number=1"):
    latitude, longitude = gazetteer.city(name, code)
    said = (name, "said of it")
    return points.MapPoint(code, longitude, latitude, dollars, worst, name, said, href)


def map_of(found, *, dark=False):
    sent = points.sent(found, "Map of properties", dark=dark)
    return sent, {one["name"]: one for one in sent["points"]}


def test_a_point_says_what_it_is_and_leads_there():
    sent, drawn = map_of([city("Dallas", "TX", 4_000_000, "critical"), city("Denver", "CO", 1)])
    dallas = drawn["Dallas"]
    assert dallas["said"] == ["Dallas", "said of it"]
    assert dallas["href"] == "loan?loan_number=1"
    assert (dallas["glyph"], dallas["colour"]) == ("⬢", "#7a1f1f")
    assert [one["label"] for one in sent["legend"]] == ["⬢ critical", "without a signal"]
    # Area, not radius, is book value: a quarter of it has half the radius above the least.
    _, drawn = map_of([city("Dallas", "TX", 400), city("Denver", "CO", 100)])
    assert [drawn[name]["r"] for name in ("Dallas", "Denver")] == [26, 14.5]


def placed(number, worst="moderate", dollars=100, state="TX", at=(-96.8, 32.8), city="Dallas"):
    longitude, latitude = at or (None, None)
    return {
        "loan_number": number,
        "state": state,
        "city": city,
        "longitude": longitude,
        "latitude": latitude,
        "dollars": dollars,
        "worst": worst,
    }


@pytest.fixture
def names(monkeypatch):
    monkeypatch.setattr(loan_names, "of", lambda numbers: {one: f"House {one}" for one in numbers})


@pytest.mark.usefixtures("names")
def test_properties_of_one_place_are_one_point_with_the_worst_of_them():
    found = [placed("1", "critical", 100), placed("2", None, 400), placed("3", at=(-97.7, 30.3))]
    here, other = sorted(places.marks(found), key=lambda one: -one.dollars)
    assert (here.dollars, here.worst, here.name) == (500, "critical", "House 1")
    assert here.said == ("Dallas, TX, $500", "House 1 (1): ⬢ critical", "House 2 (2)")
    # Of several loans to the Map page around it, of one to the loan.
    assert parse_qs(here.href) == {"map?view": ["-97,32.6,-96.6,33"]}
    assert (other.href, other.name) == ("loan?loan_number=3", "Dallas")


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize(
    ("lacking", "expected"),
    [
        (placed("9", at=None), ["1 not drawn: Dallas, TX"]),
        (placed("9", state="D0", city="Hamilton"), ["1 not drawn: Hamilton, D0"]),
        (placed("9", state=None, city=None, at=None), ["1 not drawn"]),
    ],
)
def test_what_has_no_place_on_the_map_is_counted(lacking, expected):
    found = [placed("1"), lacking]
    assert places.on_map(found) == found[:1]
    assert places._lacking(found) == expected


def test_cities_lie_in_their_states():
    found = [city("Dallas", "TX"), city("Anchorage", "AK"), city("Honolulu", "HI")]
    _, drawn = map_of(found)
    for name, code in (("Dallas", "TX"), ("Anchorage", "AK"), ("Honolulu", "HI")):
        one = drawn[name]
        corners = [corner for ring in rings(outline_of()[code].path) for corner in ring]
        across, down = zip(*corners, strict=True)
        assert min(across) <= one["x"] <= max(across), name
        assert min(down) <= one["y"] <= max(down), name


@pytest.mark.parametrize(
    "found",
    [
        [city("Washington", "DC")],
        [city("Dallas", "TX"), city("Houston", "TX")],
        [city("Seattle", "WA"), city("Miami", "FL"), city("Honolulu", "HI")],
    ],
)
def test_the_map_opens_on_all_its_points(found):
    sent, drawn = map_of(found)
    left, top, width, height = sent["view"]
    assert width / height == pytest.approx(sent["width"] / sent["height"], rel=0.01)
    assert 0 < width <= sent["width"]
    for one in drawn.values():
        assert left <= one["x"] <= left + width
        assert top <= one["y"] <= top + height


def test_a_map_of_no_city_shows_the_whole_country():
    sent, _ = map_of([])
    assert sent["view"] == (0, 0, sent["width"], sent["height"])


def test_cities_that_owe_nothing_are_points_of_the_least_size():
    sent, _ = map_of([city("Dallas", "TX", 0), city("Austin", "TX", 0)])
    assert [one["r"] for one in sent["points"]] == [3.0, 3.0]


def test_the_worst_points_lie_on_top_then_the_smaller():
    found = [
        city("Dallas", "TX", 1, "critical"),
        city("Houston", "TX", 900, "elevated"),
        city("Denver", "CO", 20),
        city("Austin", "TX", 500),
    ]
    sent, _ = map_of(found)
    assert [one["name"] for one in sent["points"]] == ["Austin", "Denver", "Houston", "Dallas"]


@pytest.mark.usefixtures("names")
def test_of_more_places_than_are_drawn_the_worst_are(monkeypatch):
    monkeypatch.setattr(points, "MOST", 2)
    found = [
        placed("1", None, 900, at=(-97.7, 30.3)),
        placed("2", "critical", 1, at=(-98.5, 29.4)),
        placed("3", "severe", 5),
    ]
    sent = points.sent(places.marks(found), "Map of properties", dark=False)
    assert [one["href"] for one in sent["points"]] == [
        "loan?loan_number=3",
        "loan?loan_number=2",
    ]


@pytest.mark.parametrize("dark", [False, True])
def test_the_glyph_on_a_point_shows(dark):
    found = [city("Dallas", "TX", worst=word) for word in SEVERITIES]
    sent, _ = map_of(found, dark=dark)
    for one in sent["points"]:
        assert contrast(one["ink"], one["colour"]) >= 4.5, one["colour"]
