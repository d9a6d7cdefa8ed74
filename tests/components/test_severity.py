"""How severity looks: word, shape and colour together; unknown words stay as they came (D2)."""

import pytest

from components.kit import severity

KNOWN = [
    ("low", "○ low", "#c9d6e2", 0),
    ("moderate", "◔ moderate", "#f2d06b", 1),
    ("elevated", "▲ elevated", "#e69f00", 2),
    ("severe", "◆ severe", "#d55e00", 3),
    ("critical", "⬢ critical", "#7a1f1f", 4),
]


@pytest.mark.parametrize(("word", "label", "colour", "rank"), KNOWN)
def test_a_known_word_has_a_shape_a_colour_and_a_rank(word, label, colour, rank):
    assert severity.label(word) == label
    assert severity.colour(word) == colour
    assert severity.rank(word) == rank


def test_an_unknown_word_is_shown_as_it_came_and_ranks_under_all_others():
    assert severity.label("Catastrophic") == "? Catastrophic"
    assert severity.colour("Catastrophic") == "#9aa5b1"
    assert severity.rank("Catastrophic") == -1


@pytest.mark.parametrize("nothing", [None, ""])
def test_no_word_is_a_dash_and_no_severity(nothing):
    assert severity.label(nothing) == "—"
    assert severity.colour(nothing) == "#9aa5b1"
    assert severity.rank(nothing) == -1
