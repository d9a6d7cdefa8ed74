"""Maps: classes with their ends, states of few loans, names of cities that do not meet."""

import re

import pytest

from components.frame.routes import SIGNALS
from components.maps import cities
from components.maps.bins import FEW, MEASURES, colours, part
from components.maps.places import placed
from components.maps.states import sent
from services.contract.aggregates import CityShare, StateSignals


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
    assert texas["colour"] == colours(dark=False)[2]  # 10 to 20 %: its lower end counts
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
        places = [
            tuple(map(float, p.split(","))) for p in re.findall(r"[-\d.]+,[-\d.]+", one["outline"])
        ]
        assert all(0 <= x <= found["width"] and 0 <= y <= found["height"] for x, y in places), code


def test_names_stand_at_the_largest_cities_that_are_apart():
    found = [
        CityShare(city=city, state=code, loans=1, book_value=value, worst=None)
        for city, code, value in (
            ("Dallas", "TX", 900),
            ("Fort Worth", "TX", 800),
            ("Denver", "CO", 700),
            ("No Such Place", "CO", 600),
        )
    ]
    where = placed(found)
    assert [one.city for one in where.missing] == ["No Such Place"]
    named = cities._apart([{} for _ in where.placed], where.placed)
    assert [at.city.city for _, at in named] == ["Dallas", "Denver"]
