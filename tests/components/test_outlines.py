"""What is drawn around loans of a plot: what is believed of it, what an address keeps (D137)."""

import math
from itertools import pairwise

import pytest

from components.explore import selection
from services.contract.distributions import Area


@pytest.mark.parametrize(
    "sent",
    [
        None, {}, {"selection": 1}, {"selection": {"box": 7}}, {"selection": {"box": [1, None]}},
        {"selection": {"box": [{"x": [0, float("nan")], "y": [0, 1]}]}},
        {"selection": {"box": [{"x": ["a", "b"], "y": [0, 1]}]}},
        {"selection": {"lasso": [{"x": [0, 1], "y": [0, 1]}, {"x": "abc", "y": [1, 2, 3]}]}},
    ],
)  # fmt: skip
def test_a_browser_is_believed_in_nothing_but_figures(sent):
    assert selection.areas(sent) == ()


def test_an_outline_of_many_corners_is_thinned():
    sent = {"selection": {"lasso": [{"x": list(range(9_000)), "y": list(range(9_000))}] * 50}}
    found = selection.areas(sent)
    assert len(found) == 20
    assert all(len(one.x) == len(one.y) <= 500 for one in found)
    box = {"selection": {"box": [{"x": [1, 2], "y": [3, 4]}]}}
    assert selection.areas(box) == (Area((1.0, 2.0), (3.0, 4.0)),)


def test_one_box_or_one_lasso_goes_to_the_address():
    box, lasso = Area((0.12345678, 2.0), (3.0, 1.0)), Area((1.0, 2.0, 3.0), (1.0, 2.0, 1.0))
    assert selection.kept([box]) == Area((0.123457, 2.0), (1.0, 3.0))
    assert selection.kept([lasso]) == lasso
    assert [selection.kept(some) for some in ([], [box, box], [box, lasso])] == [None] * 3


def around(log, corners):
    """A circle as drawn by hand, with so many corners; across in powers of ten where `log`."""
    turns = [2 * math.pi * at / corners for at in range(corners)]
    across, up = [5 + 4 * math.cos(one) for one in turns], [3 + 2 * math.sin(one) for one in turns]
    return Area(tuple(10**one if log else one for one in across), tuple(up))


@pytest.mark.parametrize("log", ["", "x"])
def test_a_lasso_goes_to_the_address_by_the_corners_that_show(log):
    drawn = around(log, 400)
    kept = selection.kept([drawn], log)
    assert 12 < len(kept.x) <= 60
    ends = [(math.log10(x) if log else x, y) for x, y in zip(kept.x, kept.y, strict=True)]
    for across, up in ends:
        assert math.hypot((across - 5) / 4, (up - 3) / 2) == pytest.approx(1, abs=1e-4)
    # Halfway between two corners the outline is no further from the circle than is seen.
    for (x1, y1), (x2, y2) in pairwise(ends):
        assert math.hypot(((x1 + x2) / 2 - 5) / 4, ((y1 + y2) / 2 - 3) / 2) > 0.99
    straight = Area((0.0, 1.0, 2.0, 3.0, 3.0, 0.0), (0.0, 0.0, 0.0, 0.0, 1.0, 1.0))
    assert len(selection.kept([straight]).x) <= 5
    assert selection.kept([Area((1.0, 1.0, 1.0), (2.0, 2.0, 2.0))]).x == (1.0, 1.0, 1.0)
