"""How severity looks: colour, shape and word together, never colour alone."""

from typing import Final

from components.kit.formatting import MISSING
from services.contract.vocabulary import NO_SIGNAL, SEVERITIES

#: Mildest first; black text on the first four, white on the last.
COLOURS: Final = dict(
    zip(SEVERITIES, ("#c9d6e2", "#f2d06b", "#e69f00", "#d55e00", "#7a1f1f"), strict=True)
)
#: On a dark page what stands out is light: there the worst is the lightest.
_ON_DARK: Final = dict(
    zip(SEVERITIES, ("#445361", "#7d6a2e", "#b07f12", "#ee7d33", "#ff9c92"), strict=True)
)
UNRANKED_COLOUR: Final = "#9aa5b1"
GLYPHS: Final = dict(zip(SEVERITIES, ("○", "◔", "▲", "◆", "⬢"), strict=True))


def label(word: str | None) -> str:
    """⬢ critical, no signal (D97); an unknown word as it came, marked as unranked (D2)."""
    if not word:
        return MISSING
    if word == NO_SIGNAL:
        return "no signal"
    return f"{GLYPHS.get(word, '?')} {word}"


def colour(word: str | None, *, dark: bool = False) -> str:
    """Fill of a severity word: on a light page and on a dark one the worst stands out most."""
    return (_ON_DARK if dark else COLOURS).get(word or "", UNRANKED_COLOUR)


def rank(word: str | None) -> int:
    """0 for low to 4 for critical; -1 for missing or unranked."""
    return SEVERITIES.index(word) if word in SEVERITIES else -1
