"""The pictures of the report, as SVG. Their only words are its numbers, never outside text."""

from collections.abc import Mapping, Sequence
from typing import Final

from components.kit import axis
from components.kit.asset import svg
from components.maps.bins import MEASURES, RAMP
from components.maps.projection import outline
from components.maps.states import DRAWN, outlines
from services.contract.aggregates import Group

_WIDTH: Final = 720
_NOTHING: Final = "#eceff2"
_BAR: Final = "#9fb4cc"
_SHORT: Final = "#b23a1e"
_HEIGHT: Final = 220
_LEFT, _BELOW, _RIGHT = 46, 40, 16


def state_map(shares: Mapping[str, float]) -> str:
    """States coloured by a share of their book, percent figures, in the classes of the map."""
    measure = MEASURES["share"]
    paths = []
    for one in (shape for shape in outlines()["features"] if shape["id"] in DRAWN):
        at = measure.bin(shares.get(one["id"]))
        colour = _NOTHING if at is None else RAMP[at]
        shape = outline(one["id"], one["geometry"], _WIDTH).path
        paths.append(f'<path d="{shape}" fill="{colour}" stroke="#7d8894" stroke-width="0.6"/>')
    legend = [
        f'<rect x="{10 + 118 * at}" y="{0.6 * _WIDTH + 14}" width="12" height="12"'
        f' fill="{colour}" stroke="#7d8894" stroke-width="0.4"/>'
        f'<text x="{27 + 118 * at}" y="{0.6 * _WIDTH + 24}" font-size="11">{label}</text>'
        for at, (colour, label) in enumerate(
            zip((*RAMP, _NOTHING), (*measure.labels(), "none"), strict=True)
        )
    ]
    return svg(_WIDTH, 0.6 * _WIDTH + 34, [*paths, *legend])


def wall(quarters: Sequence[Group]) -> str:
    """Book value by quarter of maturity as bars, and within each what is short at refinance."""
    top = max((one.book_value for one in quarters), default=0) or 1
    high, step = _HEIGHT - _BELOW, (_WIDTH - _LEFT - _RIGHT) / max(1, len(quarters))

    def y_of(value: float) -> float:
        return high - (high - 10) * value / top

    parts = axis.drawn(top, y_of, _LEFT, _WIDTH)
    for at, one in enumerate(quarters):
        x = _LEFT + step * (at + 0.15)
        for value, colour in ((one.book_value, _BAR), (one.dollars_short, _SHORT)):
            parts.append(
                f'<rect x="{x:.1f}" y="{y_of(value):.1f}" width="{0.7 * step:.1f}"'
                f' height="{max(0.0, high - y_of(value)):.1f}" fill="{colour}"/>'
            )
        parts.append(
            f'<text transform="translate({x + 0.35 * step:.1f} {high + 10}) rotate(45)"'
            f' font-size="9">{one.word}</text>'
        )
    return svg(_WIDTH, _HEIGHT, parts)
