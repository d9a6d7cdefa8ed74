"""How severity looks: word, shape and colour together; unknown words stay as they came (D2)."""

import tomllib
from pathlib import Path

import pytest

from components.kit import severity
from components.maps.bins import colours

ROOT = Path(__file__).parents[2]

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


def _contrast(colour, ground):
    """As WCAG 2 defines it."""

    def luminance(written):
        parts = [int(written[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_the_worse_a_severity_the_more_it_stands_out_from_the_page(dark):
    themes = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    ground = themes["dark" if dark else "light"]["backgroundColor"]
    found = [_contrast(severity.colour(word, dark=dark), ground) for word, *_ in KNOWN]
    assert found == sorted(found)
    assert found[-1] > 7
    assert found[-1] > 1.15 * found[-2]


@pytest.mark.parametrize("dark", [False, True])
def test_the_worst_class_of_a_map_stands_out_most(dark):
    themes = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    ground = themes["dark" if dark else "light"]["backgroundColor"]
    found = [_contrast(colour, ground) for colour in colours(dark=dark)]
    assert found == sorted(found)
