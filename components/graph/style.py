"""How kinds of nodes, tiers of edges and severities look in the capital graph. Pure."""

from dataclasses import dataclass
from typing import Final

from components.graph import network as kinds
from components.kit import severity
from components.kit.formatting import score
from services.contract.vocabulary import CONFIRMED_FROM, PROBABLE_FROM, tier_of

#: Edges: seen on the light ground and on the dark one.
LINE: Final = "#7d8894"


@dataclass(frozen=True, slots=True)
class Mark:
    """How a kind of node looks: shape and colour together, never colour alone.

    `shape` is an SVG path of radius 1; a number after "~" does not grow with the node.
    """

    shape: str
    colour: str
    hollow: bool = False


_CIRCLE: Final = "M-1,0A1,1,~0,~1,~0,1,0A1,1,~0,~1,~0,-1,0Z"
_DIAMOND: Final = "M0,-1.15L1.15,0L0,1.15L-1.15,0Z"
#: Every colour has a contrast of at least 3.4 to the light ground and to the dark one.
MARKS: Final[dict[str, Mark]] = {
    kinds.LOAN: Mark(_CIRCLE, "#2f7fc1"),
    kinds.BORROWER: Mark("M-1.2,-0.75L1.2,-0.75L1.2,0.75L-1.2,0.75Z", "#c77700"),
    kinds.OWNER: Mark(_DIAMOND, "#12866b"),
    kinds.OWNED: Mark(_DIAMOND, "#12866b", hollow=True),
    kinds.CAPITAL_SOURCE: Mark("M-0.9,-0.9L0.9,-0.9L0.9,0.9L-0.9,0.9Z", "#b0518f"),
    kinds.ORIGINATOR: Mark("M0,-1.1L1.1,0.9L-1.1,0.9Z", "#8566d6"),
    kinds.SERVICER: Mark("M0,1.1L1.1,-0.9L-1.1,-0.9Z", "#877800"),
    kinds.OTHER: Mark(_CIRCLE, "#7d8894", hollow=True),
}


@dataclass(frozen=True, slots=True)
class Stroke:
    """How an edge of a tier looks: its width in pixels, and its dashes as SVG has them."""

    label: str
    width: float
    dash: str | None


STROKES: Final[dict[str | None, Stroke]] = {
    "confirmed": Stroke(f"confirmed, {score(CONFIRMED_FROM)} and over", 2.4, None),
    "probable": Stroke(f"probable, {score(PROBABLE_FROM)} and over", 1.6, "7 3"),
    "inferred": Stroke(f"inferred, under {score(PROBABLE_FROM)}", 1.2, "2 3"),
    None: Stroke("confidence not given", 0.6, "1 4"),
}


def stroke(confidence: float | None) -> Stroke:
    """The stroke of an edge's tier (D29)."""
    return STROKES[None if confidence is None else tier_of(confidence)]


def ring(word: str | None, *, dark: bool) -> str | None:
    """The colour of the ring around a loan with such a worst signal; None without one."""
    return severity.colour(word, dark=dark) if word else None
