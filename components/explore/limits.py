"""The limits of the rules that scored the snapshot, as lines of a chart.

A snapshot says its limits in words of its own ("under 1.25x"); what does not read as one figure,
or counts from another figure, has no line.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from components.explore.figures import written
from services.contract.distributions import FIGURES, FigureName
from services.contract.loaded import RuleCard

#: Figure -> the rule that reads it, and what the rule's figure is multiplied by to be ours: NI-1
#: counts by how much NOI has fallen.
_RULES: Final[dict[FigureName, tuple[str, int]]] = {
    "dscr": ("CV-1", 1),
    "ltv": ("LV-1", 1),
    "rate_gap_bp": ("RP-1", 1),
    "refinance_gap": ("RG-1", 1),
    "months_to_maturity": ("MT-1", 1),
    "noi_change": ("NI-1", -1),
}
_LIMIT: Final = re.compile(r"(?:at or )?(?:under|over) (-?[\d,]+(?:\.\d+)?)(?:x|%| bp| months)")


@dataclass(frozen=True, slots=True)
class Limit:
    """One line."""

    at: float
    #: "CV-1 severe, critical 1.00x".
    label: str


def limits(figure: FigureName, rules: Iterable[RuleCard]) -> list[Limit]:
    """The limits of a figure, from the mildest severity on; none where no rule reads it alone."""
    rule, sign = _RULES.get(figure, ("", 1))
    found: dict[float, list[str]] = {}
    for card in rules:
        for word, limit in card.ladder if card.id == rule else ():
            if read := _LIMIT.match(limit):
                at = sign * float(read[1].replace(",", ""))
                at = at / 100 if FIGURES[figure].kind == "fraction" else at
                found.setdefault(at, []).append(word)
    return [
        Limit(at, f"{rule} {', '.join(words)} {written(figure, at)}") for at, words in found.items()
    ]
