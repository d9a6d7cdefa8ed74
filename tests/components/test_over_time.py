"""A map month by month (D177): one colour means one figure at every date; lines of states."""

from datetime import date

import pytest

from components.frame.routes import SIGNALS
from components.kit.asset import asset
from components.kit.sparkline import HEIGHT, WIDTH, Sparkline
from components.maps import months, states
from components.maps.bins import FEW, MEASURES, RAMP
from components.maps.looks import looks
from components.signals import over_time
from components.signals.over_time import Past
from services.contract.aggregates import StateSignals
from services.contract.signal_filter import SignalFilter

SHARE = MEASURES["share"]


def state(code, part, *, loans=20, short=0):
    """A state of which so many dollars of 100 are behind signals."""
    return StateSignals(
        state=code, signals=1, loans=min(loans, 3), book_value=part, dollars_short=short,
        of_loans=loans, of_book_value=100,
    )  # fmt: skip


#: Texas from 0 to 30 and back, California with few loans and then gone.
FRAMES = {
    "2021-01": [state("TX", 0), state("CA", 50, loans=FEW - 1)],
    "2021-02": [state("TX", 4), state("CA", 50, loans=FEW)],
    "2021-03": [state("TX", 30)],
    "2021-04": [state("TX", 5)],
}


def sent(frames, at=0, *, dark=False):
    played = months.Months(tuple(map(str, range(len(frames)))), tuple(frames), at)
    return months.sent(played, SHARE, ["CA", "TX"], dark=dark)


def looked(found, code, month):
    """How a state looks in a month: what the browser makes of its sign."""
    return found["looks"][int(found["classes"][["CA", "TX"].index(code)][month], 36)]


@pytest.mark.parametrize("dark", [False, True])
def test_the_class_of_a_figure_is_the_same_at_every_date(dark):
    found = sent(list(FRAMES.values()), dark=dark)
    texas = [looked(found, "TX", month) for month in range(4)]
    assert [one["words"] for one in texas] == ["none", "under 5%", "30% or more", "5% to 10%"]
    assert [one["colour"] for one in texas[1:]] == [RAMP[0], RAMP[4], RAMP[1]]
    assert not any(one["few"] for one in texas)
    # The same figure at any date, beside any others, has the same colour.
    for part in (0, 1, 5, 10, 19, 20, 30, 100):
        alone = sent([[state("TX", part)]], dark=dark)
        beside = sent([[state("TX", 99), state("CA", 1)], [state("TX", part)]], dark=dark)
        assert looked(alone, "TX", 0) == looked(beside, "TX", 1)
    assert found["looks"] == looks(SHARE, dark=dark)


def test_states_of_few_loans_are_hatched_and_those_without_are_empty():
    found = sent(list(FRAMES.values()))
    california = [looked(found, "CA", month) for month in range(4)]
    assert [one["few"] for one in california] == [True, False, False, False]
    assert california[0]["words"] == f"30% or more, under {FEW} loans"
    assert california[2]["words"] == california[3]["words"] == "no loan"


def test_a_month_on_the_map_looks_as_it_does_while_it_plays():
    """What the server draws of a month is what the browser has of it: for every measure."""
    frames = list(FRAMES.values())
    for name, measure in MEASURES.items():
        for at, frame in enumerate(frames):
            played = months.Months(("a", "b", "c", "d"), tuple(frames), at)
            opens = (SIGNALS, {})
            found = states.sent(frame, measure, (), opens, "Map", played, dark=False)
            for place, one in enumerate(found["states"]):
                look = found["months"]["looks"][int(found["months"]["classes"][place][at], 36)]
                assert {key: one[key] for key in look} == look, (name, one["code"], at)


def test_84_months_of_51_states_are_a_small_message():
    frame = [state(code, at % 40) for at, code in enumerate(sorted(states.DRAWN))]
    played = months.Months(tuple(f"Jan {at}" for at in range(84)), (frame,) * 84, 0)
    assert len(str(months.sent(played, SHARE, sorted(states.DRAWN), dark=False))) < 8_000


def test_months_are_played_in_order_and_end_with_today(monkeypatch):
    monkeypatch.setattr(over_time.session, "today", lambda: date(2021, 5, 28))
    past, held = Past(FRAMES), {}
    today = [state("TX", 7)]
    played = past.playing("2021-02", today)
    assert played.labels == ("Jan 2021", "Feb 2021", "Mar 2021", "Apr 2021", "Now: 28 May 2021")
    assert (played.at, played.frames[-1]) == (1, today)
    assert past.playing(None, today).at == 4
    assert past.found("2021-02") is FRAMES["2021-02"]
    assert past.found("1999-01") is past.found(None) is None
    monkeypatch.setattr(over_time.st, "session_state", held)
    for at, month in enumerate([*FRAMES, None]):
        past.choose(at)
        assert held == {"month": month}


def test_lines_have_one_scale_that_states_of_few_loans_do_not_stretch():
    lines = Past(FRAMES).lines(SHARE, [state("TX", 10), state("CA", 90, loans=FEW - 1)])
    assert lines["TX"].points == [0, 4, 30, 5, 10]
    assert lines["CA"].points == [50, 50, None, None, 90]
    assert lines["CA"].few == [True, False, False, False, True]
    assert {one.top for one in lines.values()} == {50}  # California in February has ten loans


def test_a_line_is_broken_where_there_is_nothing_and_dashed_where_there_is_little():
    sure, few = Sparkline([0, 10, None, 5, 10, 20], [False] * 4 + [True, False], 10).paths
    assert f'width="{WIDTH}" height="{HEIGHT}"' in asset("ledger.html")
    bottom, top = HEIGHT - 1.5, 1.5
    step = WIDTH / 5
    assert sure == f"M0 {bottom:g}L{step:g} {top:g}"
    middle = (bottom + top) / 2
    # What is above the scale lies on its edge.
    assert few == f"M{3 * step:g} {middle:g}L{4 * step:g} {top:g}L{WIDTH} {top:g}"


@pytest.mark.parametrize(
    ("conditions", "least"),
    [
        ({"severity": ("critical", "severe")}, "severe"),
        ({"severity": ("critical",)}, "critical"),
        ({}, "moderate"),
        ({"severity": ("critical", "elevated", "severe"), "state": ("TX",)}, "elevated"),
        ({"severity": ("severe",)}, None),
        ({"severity": ("critical", "low")}, None),
        ({"rule": ("CV-1",)}, None),
        ({"signal_type": ("rate_pressure",)}, None),
    ],
)
def test_earlier_dates_are_asked_only_what_they_can_answer(conditions, least):
    query = over_time.asked(SignalFilter(**conditions, property_type=("office",)))
    assert (query and query.at_least) == least
    assert query is None or query.property_type == ("office",)
