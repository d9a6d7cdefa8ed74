"""A line small enough for a cell of a table. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

#: Pixels of the drawing, as components/assets/ledger.html has it.
WIDTH: Final = 72
HEIGHT: Final = 18
#: Room above the highest point and below the lowest.
_ROOM: Final = 1.5


@dataclass(frozen=True, slots=True)
class Sparkline:
    """Points from the first date to the last, all at one distance; None where there is none."""

    points: Sequence[float | None]
    #: Whether a point rests on too few loans to be believed: drawn dashed.
    few: Sequence[bool]
    #: What the upper edge stands for; the lower one is 0.
    top: float

    @property
    def paths(self) -> tuple[str, str]:
        """SVG paths: what is sure, and what rests on few loans."""
        found: tuple[list[str], list[str]] = [], []
        ends: list[tuple[float, float] | None] = [None, None]
        for (at, before), (_, after) in pairwise(enumerate(self.points)):
            if before is None or after is None:
                continue
            few = self.few[at] or self.few[at + 1]
            start, end = self._place(at, before), self._place(at + 1, after)
            if ends[few] != start:
                found[few].append(f"M{start[0]:g} {start[1]:g}")
            found[few].append(f"L{end[0]:g} {end[1]:g}")
            ends[few] = end
        return "".join(found[0]), "".join(found[1])

    def _place(self, at: int, value: float) -> tuple[float, float]:
        high = min(value / self.top, 1) if self.top else 0
        across = WIDTH * at / (len(self.points) - 1)
        return round(across, 1), round(_ROOM + (HEIGHT - 2 * _ROOM) * (1 - high), 1)
