"""Alaska and Hawaii on the map of properties: drawn as insets below the mainland's west. Pure.

Places are longitude and latitude. On the map as browsers draw it (Web Mercator) an inset is a part
of the earth, made smaller and moved.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .cells import Place, from_map, on_map

#: No inset lies east of this, but for the Aleutians beyond the date line, from the second on.
WEST, BEYOND = -126.0, 170.0


@dataclass(frozen=True, slots=True)
class Inset:
    """A part of the earth, and where it is drawn."""

    state: str
    #: Degrees: from west to east, from south to north.
    across: Place
    up: Place
    #: Of its middle, as it is drawn.
    middle: Place
    #: Size of what is drawn in parts of its own.
    scale: float

    def holds(self, longitude: float, latitude: float) -> bool:
        """Whether a place lies in it."""
        west, east = self.across
        return west <= _turned(longitude) <= east and self.up[0] <= latitude <= self.up[1]

    def place(self, longitude: float, latitude: float) -> Place:
        """Where a place of it is drawn."""
        x = _turned(longitude) - sum(self.across) / 2
        y = on_map(latitude) - sum(map(on_map, self.up)) / 2
        return self.middle[0] + self.scale * x, from_map(on_map(self.middle[1]) + self.scale * y)

    @property
    def frame(self) -> list[Place]:
        """The four corners of its edge, as it is drawn, and the first again."""
        (west, east), (south, north) = self.across, self.up
        corners = ((west, south), (east, south), (east, north), (west, north), (west, south))
        return [self.place(*one) for one in corners]


INSETS: Final = (
    Inset("AK", (-190.0, -128.0), (50.5, 71.8), (-119.5, 26.0), 0.2),
    Inset("HI", (-161.2, -153.8), (18.2, 23.0), (-108.2, 26.0), 1.0),
)


def inset(longitude: float, latitude: float) -> Inset | None:
    """The inset that a place lies in; None on the mainland and elsewhere."""
    return next((one for one in INSETS if one.holds(longitude, latitude)), None)


def drawn(longitude: float, latitude: float) -> Place:
    """Where a place is drawn."""
    found = inset(longitude, latitude)
    return found.place(longitude, latitude) if found else (longitude, latitude)


def together(places: Sequence[Sequence[float]], at: Place) -> list[Place]:
    """Where the corners of a shape are drawn: all in the inset that `at` lies in."""
    found = inset(*at)
    return [found.place(*one[:2]) if found else (one[0], one[1]) for one in places]


def _turned(longitude: float) -> float:
    return longitude - 360 if longitude > BEYOND else longitude
