"""How severity looks: colour, shape and word together, never colour alone."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from components.kit.formatting import MISSING
from components.kit.text import Markup, element, shares
from services.contract import vocabulary
from services.contract.records import Signal, SignalComponent
from services.contract.vocabulary import NO_SIGNAL, SEVERITIES, UNGRADED

rank: Final = vocabulary.rank
Graded = TypeVar("Graded", Signal, SignalComponent)

#: Mildest first; black text on the first four, white on the last.
COLOURS: Final = dict(
    zip(SEVERITIES, ("#c9d6e2", "#f2d06b", "#e69f00", "#d55e00", "#7a1f1f"), strict=True)
)
#: Darker is worse on a dark page too; the worst is light enough to be seen on it.
_ON_DARK: Final = {**COLOURS, "critical": "#b8342f"}
#: What sets the worst off from a dark page.
EDGE_ON_DARK: Final = "#ff9c92"
#: Severities on whose colour white text is read; black text on the others.
_WHITE_ON: Final = frozenset({"critical"})
UNRANKED_COLOUR: Final = "#9aa5b1"
GLYPHS: Final = dict(zip(SEVERITIES, ("○", "◔", "▲", "◆", "⬢"), strict=True))

#: What a severity is written as -> its word: where that stands alone, it is drawn as a filled chip.
GRADES: Final[Mapping[str, str]] = {f"{glyph} {word}": word for word, glyph in GLYPHS.items()}


def chip(written: str) -> Markup | str:
    """A severity as a filled chip; anything else as it is written."""
    word = GRADES.get(written)
    return element("span", written, class_=f"grade {word}") if word else written


def bar(parts: Iterable[tuple[str, float]]) -> Markup:
    """One bar of parts by severity or word of UNGRADED, each a share of 0 to 1. Words or a table
    beside it say the same.
    """
    drawn = (element("span", class_=word, style=shares(part=part)) for word, part in parts)
    return element("div", *drawn, class_="atlas-severities", aria_hidden="true")


def style() -> str:
    """The style of chips in both themes, and the colour of each severity as --grade."""
    return (
        "".join(
            f":is(.{word}, .st-key-hero-{word})"
            f" {{ --grade: light-dark({COLOURS[word]}, {_ON_DARK[word]}); }}\n"
            f".grade.{word} {{ background: var(--grade); color: {_ink(word)}; }}\n"
            for word in SEVERITIES
        )
        + f".grade.critical {{ outline: 1px solid light-dark(transparent, {EDGE_ON_DARK}); }}\n"
    )


def on_paper() -> dict[str, tuple[str, str]]:
    """What a severity is written as -> the colour of its chip, and that of the text in it."""
    return {written: (COLOURS[word], _ink(word)) for written, word in GRADES.items()}


def _ink(word: str) -> str:
    return "#ffffff" if word in _WHITE_ON else "#111111"


def label(word: str | None) -> str:
    """⬢ critical, no signal, defeased (D278); an unknown word as it came, marked unranked (D2)."""
    if not word:
        return MISSING
    if word in UNGRADED:
        return "no signal" if word == NO_SIGNAL else word
    return f"{GLYPHS.get(word, '?')} {word}"


def colour(word: str | None, *, dark: bool = False) -> str:
    """Fill of a severity word, darker the worse on a light page and on a dark one."""
    return (_ON_DARK if dark else COLOURS).get(word or "", UNRANKED_COLOUR)


def order(word: str | None) -> tuple[int, int]:
    """Sorts words of loans by their worst signal: the worst last, those without one first."""
    return (0, UNGRADED.index(word)) if word in UNGRADED else (1, rank(word))


def worst_first(graded: Iterable[Graded]) -> list[Graded]:
    """Signals, or rules of one, by severity: the worst of the loan itself first, then contagion
    (D279), unranked last, else as given.
    """
    return sorted(graded, key=lambda one: (-rank(one.of_itself), -rank(one.severity)))
