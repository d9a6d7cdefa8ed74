"""How a state looks on a map: its class, and whether it has too few loans for a share. Pure.

The classes are fixed (bins.py), so that one colour means one figure on every map and every date.
"""

from typing import Any, Final

from components.maps.bins import FEW, INKS, RAMP, Measure
from services.contract.aggregates import StateSignals

#: Words and lines over a state without a figure, on a light page and on a dark one.
INK: Final = ("#10171f", "#e8edf2")
#: Ground of a state without a signal, lighter than the worst class, and of one without a loan.
NONE: Final = ("#e4e9ee", "#aab6c2")
EMPTY: Final = ("#ffffff", "#1a2530")


def look(one: StateSignals, measure: Measure) -> int:
    """Place of a state's look among `looks`."""
    if not one.of_loans:
        return 0
    at = measure.bin(measure.figure(one))
    ground = 1 if at is None else at + 2
    return ground + (len(measure.ends) + 2) * (one.of_loans < FEW)


def looks(measure: Measure, *, dark: bool) -> list[dict[str, Any]]:
    """Every look: no loan, none of a signal, the classes from the mildest; the last two once more
    for states of few loans, which are hatched.
    """
    classes = zip(RAMP, measure.labels(), strict=True)
    grounds = [(NONE[dark], "none"), *classes]
    return [
        _look(EMPTY[dark], "no loan", dark=dark, few=False),
        *(
            _look(colour, f"{words}, under {FEW} loans" if few else words, dark=dark, few=few)
            for few in (False, True)
            for colour, words in grounds
        ),
    ]


def _look(colour: str, words: str, *, dark: bool, few: bool) -> dict[str, Any]:
    ink = INK[0] if colour in NONE else INKS.get(colour, INK[dark])
    return {"colour": colour, "ink": ink, "few": few, "words": words}
