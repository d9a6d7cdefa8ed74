"""Maps: classes with their ends, states of few loans, names of cities that do not meet."""

import pytest

from components.maps import cities
from components.maps.bins import FEW, MEASURES, part
from components.maps.hatching import hatching
from components.maps.places import placed
from components.maps.states import figure, outlines
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


def test_states_of_few_loans_are_hatched_and_the_others_are_not():
    drawn = figure(
        [state("TX", loans=FEW), state("RI", loans=FEW - 1), state("WY", loans=0)],
        MEASURES["share"],
        (),
        dark=False,
    )
    (lines,) = [trace for trace in drawn.data if trace.type == "scattergeo"]
    known = [at for at in lines.lon if at is not None]
    assert -72 < min(known) < max(known) < -71  # Rhode Island's, and no other's


@pytest.mark.parametrize("dark", [False, True])
def test_lines_over_few_loans_show_on_dark_and_on_light_ground(dark):
    states = [
        state("TX", loans=2, dollars=900, of=1_000),  # the worst class
        state("RI", loans=3, dollars=10, of=1_000),  # the mildest
        state("WY", loans=4, behind=0, dollars=0, of=1_000),
    ]
    lines = [
        trace
        for trace in figure(states, MEASURES["share"], (), dark=dark).data
        if trace.type == "scattergeo"
    ]
    assert {trace.line.color for trace in lines} == {"#e8edf2", "#4a5866"}
    assert [trace.showlegend for trace in lines] == [True, False]
    over_texas = next(trace for trace in lines if -100 in [round(x) for x in trace.lon if x])
    assert over_texas.line.color == ("#4a5866" if dark else "#e8edf2")


def test_lines_lie_inside_the_shape_and_leave_its_hole_out():
    square = [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]
    hole = [[4, 4], [6, 4], [6, 6], [4, 6], [4, 4]]
    longitudes, latitudes = hatching({"type": "Polygon", "coordinates": [square, hole]})
    starts = list(zip(longitudes[::3], latitudes[::3], strict=True))
    ends = list(zip(longitudes[1::3], latitudes[1::3], strict=True))
    assert starts
    assert set(longitudes[2::3]) == {None}
    for (x, y), (to_x, to_y) in zip(starts, ends, strict=True):
        assert x + y == pytest.approx(to_x + to_y)
        for at in (x, y, to_x, to_y):
            assert -1e-9 <= at <= 10 + 1e-9
        middle = ((x + to_x) / 2, (y + to_y) / 2)
        assert not (4 < middle[0] < 6 and 4 < middle[1] < 6)


@pytest.mark.parametrize("code", ["AK", "HI", "TX", "RI", "DC"])
def test_every_state_can_be_hatched(code):
    shape = next(one["geometry"] for one in outlines()["features"] if one["id"] == code)
    longitudes, latitudes = hatching(shape)
    assert len(longitudes) == len(latitudes) > 0


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
