"""The picture of a memo: bars of NOI stand on zero, losses hang from it."""

import re
from datetime import date
from types import SimpleNamespace

import pytest

from components.kit import axis
from components.memo import drawing


def bars(*incomes):
    """Upper and lower end of each bar, and where the axis has its lines, by their words."""
    rows = [
        SimpleNamespace(noi=noi, dscr=None, as_of=date(2026, at, 1))
        for at, noi in enumerate(incomes, 1)
    ]
    drawn = drawing.income(rows)
    ends = re.findall(r'<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"', drawn)
    lines = re.findall(r'<line [^>]*y1="([\d.]+)"[^>]*/><text [^>]*>([^<]+)</text>', drawn)
    found = [(float(upper), round(float(upper) + float(high), 1)) for upper, high in ends]
    return found, {words: float(y) for y, words in lines}


def test_a_loss_hangs_from_zero_and_an_income_stands_on_it():
    (income, loss), lines = bars(400_000, -200_000)
    assert list(lines) == ["−$200K", "−$100K", "$0", "$100K", "$200K", "$300K", "$400K"]
    assert income == (lines["$400K"], lines["$0"])
    assert loss == (lines["$0"], lines["−$200K"])


def test_losses_alone_hang_from_the_top():
    (loss, small), lines = bars(-2_000_000, -400_000)
    assert loss == (lines["$0"], lines["−$2M"])
    assert small[0] == lines["$0"] < small[1] < loss[1]


def test_incomes_alone_stand_on_the_lowest_line():
    (one, other), lines = bars(400_000, 100_000)
    assert list(lines) == ["$0", "$100K", "$200K", "$300K", "$400K"]
    assert (one[1], other) == (lines["$0"], (lines["$100K"], lines["$0"]))
    assert lines["$0"] == max(lines.values())


@pytest.mark.parametrize("incomes", [(0,), (None,), (0, None)])
def test_no_income_has_a_line_at_zero_alone(incomes):
    assert list(bars(*incomes)[1]) == ["$0"]


def test_lines_are_as_far_apart_as_the_larger_end_asks():
    assert axis.lines(30, -560) == [-400, -200, 0]
    assert axis.lines(560, -30) == [0, 200, 400]
    assert axis.lines(0) == [0]
