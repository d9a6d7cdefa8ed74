"""Diagonal lines over a state, which say that its figure rests on few loans. Pure; no Streamlit."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

#: Degrees from one line to the next, at most.
_APART: Final = 0.7
Point = tuple[float, float]


def hatching(shape: dict[str, Any]) -> tuple[list[float | None], list[float | None]]:
    """Longitudes and latitudes of lines over a GeoJSON shape, a null after each line."""
    longitudes: list[float | None] = []
    latitudes: list[float | None] = []
    for start, end in _lines(list(_rings(shape))):
        longitudes += [start[0], end[0], None]
        latitudes += [start[1], end[1], None]
    return longitudes, latitudes


def _rings(shape: dict[str, Any]) -> Iterator[Sequence[Point]]:
    polygons = shape["coordinates"]
    for polygon in polygons if shape["type"] == "MultiPolygon" else [polygons]:
        yield from polygon


def _lines(rings: Sequence[Sequence[Point]]) -> Iterator[tuple[Point, Point]]:
    """Lines of constant longitude + latitude inside the rings, by the even-odd rule."""
    sums = [x + y for ring in rings for x, y in ring]
    # Even the smallest shape has a line through it.
    apart = min(_APART, (max(sums) - min(sums)) / 3)
    at = (min(sums) // apart + 1) * apart
    while at < max(sums):
        crossed = sorted(_crossings(rings, at))
        for start, end in zip(crossed[::2], crossed[1::2], strict=False):
            yield (start, at - start), (end, at - end)
        at += apart


def _crossings(rings: Sequence[Sequence[Point]], at: float) -> Iterator[float]:
    """Longitudes at which the line crosses an edge of the rings."""
    for ring in rings:
        for (x, y), (to_x, to_y) in pairwise(ring):
            before, after = x + y - at, to_x + to_y - at
            if (before < 0) != (after < 0):
                yield x + (to_x - x) * before / (before - after)
