"""DSCR and proceeds of a refinancing if rates and NOI move, as two tables."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from components.kit import tables
from components.kit.formatting import MISSING, basis_points, change, money, multiple, percent, words
from components.kit.text import Markup, element
from services.contract.loan_figures import FloatArray, Refinance, Sensitivity


def grids(refi: Refinance, *, at_least: bool = False) -> Markup:
    """A row a fall of NOI, a column a refi rate: DSCR, then proceeds; a sentence where there is no
    refinance gap.

    `at_least`: more is due than is known, so that both are at most what they say.
    """
    grid = refi.sensitivity
    if grid is None:
        return element("p", f"{words(refi.gap.why)}.")
    how = "interest only" if refi.interest_only_graded else "amortising"
    most = ", at most" if at_least else ""
    said = "NCF moves by the same dollars as NOI; minus is short"
    parts = (
        (f"DSCR at the refi rate, {how}{most}", "DSCR", _grid(grid, grid.dscr, multiple)),
        (f"Proceeds less what is due{most}. {said}", "Proceeds less what is due",
         _grid(grid, -grid.gap_usd, signed)),
    )  # fmt: skip
    return element(
        "div",
        *(
            element("div", element("p", f"{head}."),
                    tables.of_figures(rows, f"{name} by refi rate and NOI"))
            for head, name, rows in parts
        ),
        class_="atlas-pair",
    )  # fmt: skip


def signed(
    amount: float | None,
    write: Callable[[float | None], str] = money,
    *,
    at_most: bool = False,
) -> str:
    """+$0.4M, −$2.7M: the sign always. `at_most`: more is due than is known."""
    if amount is None:
        return write(amount)
    return f"{'≤ ' if at_most else ''}{'+' if amount > 0 else ''}{write(amount)}"


def _grid(
    grid: Sensitivity, cells: FloatArray, write: Callable[[float | None], str]
) -> list[dict[str, str]]:
    """A row a fall of NOI, a column a refi rate."""
    heads = _heads(grid)
    rows = []
    for fall, row in zip(grid.income_falls.tolist(), cells, strict=True):
        named = "NOI as it is" if fall == 0 else f"NOI {change(-fall)}"
        known = [MISSING if np.isnan(cell) else write(float(cell)) for cell in row]
        rows.append({"Refi rate": named, **dict(zip(heads, known, strict=True))})
    return rows


def _heads(grid: Sensitivity) -> Sequence[str]:
    """Refi rates of the columns; the middle one is today's."""
    shifts = zip(grid.rate_shifts_bp, grid.rates.tolist(), strict=True)
    return [
        f"{basis_points(shift)}: none"
        if math.isnan(rate)
        else f"{percent(rate)}{'' if shift else ' now'}"
        for shift, rate in shifts
    ]
