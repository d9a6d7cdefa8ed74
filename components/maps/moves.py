"""From worst signal to worst signal: loans that moved as a coloured table, each cell a link."""

from collections.abc import Sequence
from typing import Final, Literal, TypeVar

from components.kit import theme
from components.kit.formatting import count, money
from components.maps import matrix
from components.maps.bins import INKS, MEASURES
from services.contract import history, scenario
from services.contract.vocabulary import NO_SIGNAL, SEVERITIES

#: Grounds of cells that got better, and of those that stayed, came or left, with their ink.
_CALM: Final = {
    False: (("#cfe3f3", "#10171f"), ("#e7ebef", "#10171f")),
    True: (("#27485f", "#e6edf3"), ("#2f3a45", "#e6edf3")),
}
_LADDER: Final = (NO_SIGNAL, *SEVERITIES)
#: What a cell says.
Figure = Literal["loans", "dollars"]
FIGURES: Final[dict[Figure, str]] = {"dollars": "Dollars", "loans": "Loans"}
COLOURS: Final = (
    "Cells left of the diagonal get worse, yellow to brown by size; those right of it get better, "
    "blue; grey ones stay"
)
#: Loans by their worst signal before and after: between two dates, or in a scenario.
M = TypeVar("M", history.Move, scenario.Move)


def table(moves: Sequence[M], order: Sequence[str], corner: str) -> matrix.Matrix[M]:
    """The moves by worst signal before and after, in `order`; what no loan has is left out."""
    cells: dict[tuple[str | None, str | None], M] = {(one.before, one.after): one for one in moves}
    before, after = (
        tuple(word for word in order if any(at[side] == word for at in cells)) for side in (0, 1)
    )
    return matrix.Matrix(before, after, cells, corner=corner)


def written(move: M, figure: int, kind: Figure) -> tuple[str, int]:
    """The figure of a cell and its colour: by size where it got worse, else one of two."""
    words = count(figure) if kind == "loans" else money(figure)
    calm = len(INKS)
    if not {move.before, move.after} <= set(_LADDER) or move.before == move.after:
        return words, calm + 1
    if _LADDER.index(move.after) < _LADDER.index(move.before):
        return words, calm
    return words, MEASURES[kind].bin(figure) or 0


def grounds() -> tuple[tuple[str, str], ...]:
    """The colours that `written` names: ground and ink."""
    return *matrix.classes(), *_CALM[theme.dark()]
