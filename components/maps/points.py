"""Amounts at places, as points on a map that is zoomed and moved: each is a link."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from components.frame import links
from components.frame.linked_drawings import drawing
from components.kit import severity, text, theme
from components.kit.severity import label
from components.maps import projection, states
from components.maps.states import HEIGHT, WIDTH

#: Largest point, in pixels, and what every point has at least.
_LARGEST, _LEAST = 26.0, 3.0
#: Points on the map.
MOST: Final = 1_000
#: No view of the map is narrower than this part of it.
_NARROWEST: Final = 0.08
#: Room around the points, in parts of what they span.
_AROUND: Final = 0.12
#: Letters on a point, by severity.
_INK: Final = ("#10171f",) * 4 + ("#ffffff",)
_draw: Final = drawing("places", "viewing")


@dataclass(frozen=True, slots=True)
class MapPoint:
    """An amount at a place."""

    #: Of STATES: Alaska and Hawaii are insets.
    state: str
    longitude: float
    latitude: float
    #: US dollars, its area.
    dollars: int
    #: Worst signal, its colour; None without any.
    worst: str | None
    #: Written beside it where there is room.
    name: str
    #: What it says once it is pointed at, line by line.
    said: tuple[str, ...]
    #: Where it leads (links.address).
    href: str
    #: Whether its name is written before those of larger points.
    first: bool = False


def points(found: Sequence[MapPoint], *, key: str, caption: str) -> None:
    """Draws the first `MOST` of them: the worst on top, then the smaller."""
    data = sent(found, caption, dark=theme.dark())
    leads = {one["href"] for one in data["points"]}
    _draw(key=key, data=data, on_opened_change=links.following(key, leads))


def sent(found: Sequence[MapPoint], caption: str, *, dark: bool) -> dict[str, Any]:
    """What the browser is sent."""
    drawn = sorted(found[:MOST], key=lambda one: (severity.rank(one.worst), -one.dollars))
    top = max((one.dollars for one in drawn), default=0) or 1
    made = [_point(one, top, dark=dark) for one in drawn]
    occur = {one.worst for one in drawn}
    words = sorted(occur, key=lambda word: (severity.rank(word), word or ""), reverse=True)
    return {
        "caption": text.line(caption),
        "width": WIDTH,
        "height": HEIGHT,
        "land": _land(),
        "view": _view([(one["x"], one["y"]) for one in made]),
        "legend": [
            {
                "colour": severity.colour(word, dark=dark),
                "label": text.line(label(word) if word else "without a signal"),
            }
            for word in words
        ],
        "points": made,
    }


@cache
def _land() -> str:
    return "".join(one.path for one in states.outline_of().values())


def _point(one: MapPoint, top: int, *, dark: bool) -> dict[str, Any]:
    x, y = projection.place(one.state, one.longitude, one.latitude, WIDTH)
    return {
        "x": round(x, 2),
        "y": round(y, 2),
        "r": round(_LEAST + (_LARGEST - _LEAST) * (one.dollars / top) ** 0.5, 1),
        "colour": severity.colour(one.worst, dark=dark),
        "ink": _INK[severity.rank(one.worst)],
        "glyph": severity.GLYPHS.get(one.worst or "", ""),
        "name": text.line(one.name),
        **({"first": True} if one.first else {}),
        "href": one.href,
        "said": [text.line(line) for line in one.said],
    }


def _view(points: Sequence[projection.Point]) -> tuple[float, float, float, float]:
    """Left, top, width and height that show every point."""
    if not points:
        return 0, 0, WIDTH, HEIGHT
    across, down = zip(*points, strict=True)
    middle = (min(across) + max(across)) / 2, (min(down) + max(down)) / 2
    width = (1 + 2 * _AROUND) * max(
        max(across) - min(across), (max(down) - min(down)) * WIDTH / HEIGHT
    )
    width = min(WIDTH, max(width, _NARROWEST * WIDTH))
    height = width * HEIGHT / WIDTH
    return (
        round(middle[0] - width / 2, 1),
        round(middle[1] - height / 2, 1),
        round(width, 1),
        round(height, 1),
    )
