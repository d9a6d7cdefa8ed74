"""How severity looks: word, shape and colour together; unknown words stay as they came (D2).

Darker is worse (D253).
"""

import re
import tomllib
from pathlib import Path

import pytest

from components.kit import severity
from components.maps import looks
from components.maps.bins import RAMP

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
def test_the_worse_a_severity_the_darker_it_is_in_both_themes(dark):
    themes = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    ground = themes["dark" if dark else "light"]["backgroundColor"]
    shades = [severity.colour(word, dark=dark) for word, *_ in KNOWN]
    found = [_contrast(shade, "#000000") for shade in shades]
    assert found == sorted(found, reverse=True)
    assert found[-2] > 1.15 * found[-1]
    # As WCAG asks of what is no text; the two mildest of the light page have their words.
    assert all(_contrast(shade, ground) > 3 for shade in (shades if dark else shades[-2:]))
    edge = severity.EDGE_ON_DARK if dark else shades[-1]
    assert _contrast(edge, ground) > 7


def test_the_worse_a_class_of_a_map_the_darker_it_is():
    """In both themes, and a state of loans without a signal is lighter than the worst."""
    found = [_contrast(colour, "#000000") for colour in RAMP]
    assert found == sorted(found, reverse=True)
    assert all(_contrast(none, "#000000") > found[2] for none in looks.NONE)


@pytest.mark.parametrize(("word", "label"), [(word, label) for word, label, *_ in KNOWN])
def test_a_severity_that_stands_alone_is_a_chip(word, label):
    assert severity.chip(label) == f'<span class="grade {word}">{label}</span>'
    assert severity.GRADES[label] == word


@pytest.mark.parametrize("written", ["critical", "⬢ critical then", "", "—", "no signal", "<b>"])
def test_other_words_are_no_chip(written):
    assert severity.chip(written) is written


def test_letters_on_a_chip_are_read_in_both_themes():
    chips = re.findall(
        r"--grade: light-dark\((#\w{6}), (#\w{6})\); \}\n"
        r"\.grade\.\w+ \{ background: var\(--grade\); color: (#\w{6})",
        severity.style(),
    )
    assert len(chips) == len(KNOWN)
    for light, dark, ink in chips:
        assert _contrast(light, ink) >= 4.5
        assert _contrast(dark, ink) >= 4.5
