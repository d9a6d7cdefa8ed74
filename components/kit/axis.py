"""Where an axis of dollars has its lines."""

from collections.abc import Callable

from components.kit.formatting import axis_money


def lines(top: float, lowest: float = 0) -> list[float]:
    """About four round steps from zero to the larger of both ends, zero and all between them."""
    far = max(top, -lowest)
    if far <= 0:
        return [0]
    step = 10 ** (len(str(int(far / 4))) - 1)
    for multiple in (1, 2, 2.5, 5, 10):
        if far / (step * multiple) <= 5:  # noqa: PLR2004 - lines that stay readable
            step *= multiple
            break
    return [step * at for at in range(-int(-lowest / step), int(top / step) + 1)]


def drawn(
    top: float, y_of: Callable[[float], float], left: int, width: int, lowest: float = 0
) -> list[str]:
    """The lines on paper, as SVG from `left` on, each with its dollars before it."""
    return [
        f'<line x1="{left}" x2="{width}" y1="{y_of(line):.1f}" y2="{y_of(line):.1f}"'
        f' stroke="#d5dce4" stroke-width="0.6"/>'
        f'<text x="{left - 6}" y="{y_of(line) + 4:.1f}" font-size="10" text-anchor="end">'
        f"{axis_money(line)}</text>"
        for line in lines(top, lowest)
    ]
