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
    """NOI of a year as bars, a filing each, with its DSCR above it."""
    top = max((abs(row.noi or 0) for row in rows), default=0) or 1
    high, step = _HEIGHT - _BELOW, (_WIDTH - _LEFT - _RIGHT) / max(1, len(rows))

    def y_of(value: float) -> float:
        return high - (high - _ABOVE) * value / top

    parts = axis.drawn(top, y_of, _LEFT, _WIDTH)
    for at, row in enumerate(rows):
        x = _LEFT + step * (at + 0.15)
        middle = x + 0.35 * step
        if row.noi is not None:
            # Of a loss the size, in the colour of a loss; the table has the sign.
            colour = _BAR if row.noi >= 0 else _LOSS
            parts.append(
                f'<rect x="{x:.1f}" y="{y_of(abs(row.noi)):.1f}" width="{0.7 * step:.1f}"'
                f' height="{high - y_of(abs(row.noi)):.1f}" fill="{colour}"/>'
            )
            if row.dscr is not None:
                parts.append(
                    f'<text x="{middle:.1f}" y="{y_of(abs(row.noi)) - 4:.1f}" font-size="9"'
                    f' text-anchor="middle">{multiple(row.dscr)}</text>'
                )
        parts.append(
            f'<text x="{middle:.1f}" y="{high + 14}" font-size="9" text-anchor="middle">'
            f"{row.as_of:%b %Y}</text>"
        )
    return svg(_WIDTH, _HEIGHT, parts)
