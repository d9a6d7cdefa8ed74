"""The picture of a memo, as SVG. Its words are our own figures and dates, never outside text."""

from collections.abc import Sequence

from components.kit import axis
from components.kit.asset import svg
from components.kit.formatting import multiple
from services.contract.history import HistoryRow

_WIDTH, _HEIGHT = 720, 190
_LEFT, _BELOW, _ABOVE, _RIGHT = 46, 34, 22, 10
_BAR, _LOSS = "#9fb4cc", "#b23a1e"


def income(rows: Sequence[HistoryRow]) -> str:
    """NOI of a year as bars, a filing each, losses under zero, with its DSCR above it."""
    known = [row.noi for row in rows if row.noi is not None]
    top, lowest = max([0, *known]), min([0, *known])
    high, step = _HEIGHT - _BELOW, (_WIDTH - _LEFT - _RIGHT) / max(1, len(rows))

    def y_of(value: float) -> float:
        return high - (high - _ABOVE) * (value - lowest) / ((top - lowest) or 1)

    parts = axis.drawn(top, y_of, _LEFT, _WIDTH, lowest)
    for at, row in enumerate(rows):
        x = _LEFT + step * (at + 0.15)
        middle = x + 0.35 * step
        if row.noi is not None:
            colour = _BAR if row.noi >= 0 else _LOSS
            upper = y_of(max(row.noi, 0))
            parts.append(
                f'<rect x="{x:.1f}" y="{upper:.1f}" width="{0.7 * step:.1f}"'
                f' height="{y_of(min(row.noi, 0)) - upper:.1f}" fill="{colour}"/>'
            )
            if row.dscr is not None:
                parts.append(
                    f'<text x="{middle:.1f}" y="{upper - 4:.1f}" font-size="9"'
                    f' text-anchor="middle">{multiple(row.dscr)}</text>'
                )
        parts.append(
            f'<text x="{middle:.1f}" y="{high + 14}" font-size="9" text-anchor="middle">'
            f"{row.as_of:%b %Y}</text>"
        )
    return svg(_WIDTH, _HEIGHT, parts)
